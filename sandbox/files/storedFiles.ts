import { extractText, getDocumentProxy } from 'unpdf';

interface StoredFile {
	contentType: string;
	bytes: Buffer;
}

/** Where stored files are served; no part of the service's contract. */
export const FILES_PATH = '/_sandbox/files';

const MAX_FILES = 200;
const ENDINGS: Readonly<Record<string, string>> = {
	'image/png': 'png',
	'image/jpeg': 'jpg',
	'application/pdf': 'pdf',
};

/** Pictures and prints that answers link to. Holds the latest so many; the service itself keeps them for 24 h (docs/service-notes.md#lifetimes). */
export function storedFiles() {
	const files = new Map<string, StoredFile>();
	return {
		/** Keeps the file and returns its name. */
		keep(id: string, file: StoredFile) {
			const name = `${id}.${ENDINGS[file.contentType] ?? 'bin'}`;
			files.set(name, file);
			for (const oldest of files.keys()) {
				if (files.size <= MAX_FILES) break;
				files.delete(oldest);
			}
			return name;
		},
		find: (name: string) => files.get(name),
		clear: () => files.clear(),
	};
}

export type StoredFiles = ReturnType<typeof storedFiles>;

/** What a PDF says. */
interface PdfText {
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
