import { extractText, getDocumentProxy } from 'unpdf';

/** What a PDF says. */
export interface PdfText {
	/** The text of each page; empty where a page has none, as a scanned one (no OCR). */
	pages: string[];
}

/** Says nothing on the console about what is odd in a file. */
const ERRORS_ONLY = 0;

/** Reads the text out of a PDF. Rejects for a file that is none, or that is broken or locked. */
export async function readPdf(bytes: Buffer): Promise<PdfText> {
	// A copy: the reader takes the memory over.
	const file = await getDocumentProxy(new Uint8Array(bytes), { verbosity: ERRORS_ONLY });
	try {
		const { text } = await extractText(file, { mergePages: false });
		return { pages: text };
	} finally {
		await file.loadingTask.destroy();
	}
}
