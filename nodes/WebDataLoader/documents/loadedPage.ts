import type { IDataObject } from 'n8n-workflow';

/** A page or file that was read, as far as documents need it. */
export interface LoadedPage {
	/** Address of a page, name of a file. */
	name: string;
	text: string;
	/** What its documents tell of it. */
	metadata: IDataObject;
}

/** A page that becomes no document, and why. */
export interface SkippedPage {
	/** As of a page; of an item that failed, its error. */
	name: string;
	why: 'empty' | 'failed' | 'error';
}

/** The json of an item of Web Data as a page: its text, or why it has none. */
export function readPage(json: IDataObject): LoadedPage | SkippedPage {
	const { url, requestedUrl, fileName, title, statusCode, pageError, markdown, error } = json;
	if (typeof error === 'string') return { name: error, why: 'error' };
	const name = [fileName, url, requestedUrl].map(textOf).find((text) => text !== '') ?? '';
	const isHttpError = typeof statusCode === 'number' && statusCode >= 400;
	if (isHttpError || textOf(pageError) !== '') return { name, why: 'failed' };
	const text = textOf(markdown).trim();
	if (text === '') return { name, why: 'empty' };
	const isFile = textOf(fileName) !== '';
	const metadata: IDataObject = {
		// No key is missing in one document and there in the next: some vector stores have a column for each.
		// That of a file is an address of the service's own.
		url: isFile ? '' : textOf(url),
		title: textOf(title),
		...(isFile && { fileName: textOf(fileName) }),
	};
	return { name, text, metadata };
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
