import { inflateSync } from 'node:zlib';

/** What a PDF says, as far as a simple reader can tell. */
export interface PdfText {
	/** The text of each page that could be told apart; one entry where they could not. */
	pages: string[];
}

function unescape(text: string): string {
	return text
		.replace(/\\([0-7]{1,3})/g, (_all, octal: string) => String.fromCharCode(parseInt(octal, 8)))
		.replace(/\\n/g, '\n')
		.replace(/\\[rtbf]/g, ' ')
		.replace(/\\(.)/g, '$1');
}

/** The strings that a content stream shows, line by line. */
function shownIn(stream: string): string {
	const lines: string[] = [];
	for (const [, block = ''] of stream.matchAll(/BT\b([\s\S]*?)\bET\b/g)) {
		for (const [line] of block.matchAll(
			/(?:\((?:\\.|[^\\)])*\)|\[(?:\\.|[^\]])*\])\s*(?:Tj|TJ|'|")/g,
		)) {
			const strings = [...line.matchAll(/\(((?:\\.|[^\\)])*)\)/g)].map(([, text = '']) => text);
			lines.push(unescape(strings.join('')));
		}
	}
	return lines.join('\n');
}

function inflated(bytes: Buffer): string {
	try {
		return inflateSync(bytes).toString('latin1');
	} catch {
		return bytes.toString('latin1');
	}
}

/** Reads the text out of a PDF: plain and deflated streams with simple encodings; no OCR. */
export function readPdf(bytes: Buffer): PdfText {
	const raw = bytes.toString('latin1');
	const pages: string[] = [];
	for (const match of raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)) {
		const text = shownIn(inflated(Buffer.from(match[1] ?? '', 'latin1')));
		if (text.trim() !== '') pages.push(text);
	}
	return { pages: pages.length > 0 ? pages : [''] };
}
