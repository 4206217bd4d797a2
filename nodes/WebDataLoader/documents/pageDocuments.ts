import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { contentHash, visibleLines } from '../../text/contentHash';
import type { Section } from '../../text/markdown/cutAtHeadings';
import type { Document } from './documentList';
import { readPage } from './loadedPage';
import type { LoadedPage, SkippedPage } from './loadedPage';

/** How the text of a page is cut. */
export type CutPage = (text: string) => Section[] | Promise<Section[]>;

/** What was read for all input items, and what of it becomes no document. */
export interface LoadedDocuments {
	byItem: Map<number, Document[]>;
	/** One for each page, for the output of the loader. */
	pages: IDataObject[];
	skipped: SkippedPage[];
}

/** The pages that Web Data has put out as documents, by the input item that each belongs to. */
export async function documentsOf(
	items: readonly INodeExecutionData[],
	cut: CutPage,
	fetchedAt: string,
): Promise<LoadedDocuments> {
	const loaded: LoadedDocuments = { byItem: new Map(), pages: [], skipped: [] };
	for (const item of items) {
		const page = readPage(item.json);
		if ('why' in page) {
			loaded.skipped.push(page);
			continue;
		}
		const hash = contentHash(visibleLines(item.json) ?? [], []);
		const documents = (await cut(page.text)).map((piece, index) =>
			documentOf(page, piece, { hash, position: index + 1, fetchedAt }),
		);
		const at = inputItemOf(item);
		const ofItem = loaded.byItem.get(at) ?? [];
		for (const document of documents) ofItem.push(document);
		loaded.byItem.set(at, ofItem);
		loaded.pages.push({ ...page.metadata, documents: documents.length });
	}
	return loaded;
}

function documentOf(
	{ metadata }: LoadedPage,
	{ text: pageContent, headingPath }: Section,
	place: IDataObject,
): Document {
	return { pageContent, metadata: { ...metadata, headingPath, ...place } };
}

function inputItemOf({ pairedItem }: INodeExecutionData): number {
	const [first] = [pairedItem].flat();
	return typeof first === 'number' ? first : (first?.item ?? 0);
}
