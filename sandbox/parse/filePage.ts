import mammoth from 'mammoth';
import { parseOfficeAsync } from 'officeparser';

import { unreachable } from '../web/scrapeFailure.ts';
import type { FetchedPage } from '../web/webClient.ts';
import type { Upload } from './upload.ts';

/** Where the recorded server pretends that uploads lie; relative links lead there. */
const UPLOADS = 'https://parse.firecrawl.dev/uploads/';

/** What can be read (recording parse-24). */
export const EXTENSIONS =
	'html htm xhtml pdf docx doc docm odt ods odp rtf xlsx xls xlsm xlsb pptx ppt pptm epub csv'.split(
		' ',
	);

type Kind = 'html' | 'text' | 'pdf' | 'csv' | 'docx' | 'office';

function kindOfType(type: string): Kind | undefined {
	if (/html/i.test(type)) return 'html';
	if (/\bpdf\b/i.test(type)) return 'pdf';
	if (/\bcsv\b/i.test(type)) return 'csv';
	if (/wordprocessingml/i.test(type)) return 'docx';
	return /officedocument|opendocument|\brtf\b|ms-excel|msword|powerpoint|epub/i.test(type)
		? 'office'
		: undefined;
}

function kindOfExtension(extension: string): Kind | undefined {
	if (!EXTENSIONS.includes(extension)) return undefined;
	if (/html?$/.test(extension)) return 'html';
	if (extension === 'pdf' || extension === 'csv' || extension === 'docx') return extension;
	return 'office';
}

/** What kind of file it is, by its type or else its name; undefined for what cannot be read (recordings parse-24 to parse-30). */
export function kindOf({ name, contentType }: Upload): Kind | undefined {
	const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
	const kind = kindOfType(contentType) ?? kindOfExtension(extension);
	// A part without a type counts as plain text, and HTML then stays what it is (recording parse-02).
	return kind === 'html' && /^(text\/plain\b.*)?$/i.test(contentType) ? 'text' : kind;
}

function csvTable(text: string): string {
	const rows = text
		.split(/\r?\n/)
		.filter((line) => line !== '')
		.map((line) => `| ${line.split(',').join(' | ')} |`);
	const columns = text.split(/\r?\n/, 1)[0]?.split(',').length ?? 0;
	const rule = `| ${Array.from({ length: columns }, () => '---').join(' | ')} |`;
	return [rows[0] ?? '', rule, ...rows.slice(1), ''].join('\n');
}

async function readAs(kind: Kind, bytes: Buffer): Promise<{ contentType: string; bytes: Buffer }> {
	const text = (content: string) => ({ contentType: 'text/plain', bytes: Buffer.from(content) });
	switch (kind) {
		case 'html':
			return { contentType: 'text/html', bytes };
		case 'text':
			return { contentType: 'text/plain', bytes };
		case 'pdf':
			return { contentType: 'application/pdf', bytes };
		case 'csv':
			return text(csvTable(bytes.toString('utf8')));
		case 'docx': {
			const { value } = await mammoth.convertToHtml({ buffer: bytes });
			return { contentType: 'text/html', bytes: Buffer.from(value) };
		}
		case 'office':
			return text(await parseOfficeAsync(bytes));
	}
}

/**
 * The file as a page, to be made into formats like any other. Rejects with a ScrapeFailure for one that
 * is empty or broken (recordings parse-16, parse-23, parse-33).
 */
export async function filePage(upload: Upload, kind: Kind): Promise<FetchedPage> {
	if (upload.bytes.length === 0) throw unreachable();
	try {
		const read = await readAs(kind, upload.bytes);
		return { url: UPLOADS + encodeURIComponent(upload.name), status: 200, ...read };
	} catch {
		throw unreachable();
	}
}
