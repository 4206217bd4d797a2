import type { PageDocument } from './document/pageDocument.ts';

/** Documents of single scrapes, to be asked for again by their id. */
export interface KeptScrapes {
	keep(document: PageDocument): void;
	find(scrapeId: string): PageDocument | undefined;
	clear(): void;
}

const MAX_KEPT = 1000;

/** See `KeptScrapes`. Holds the latest so many. */
export function keptScrapes(): KeptScrapes {
	const documents = new Map<string, PageDocument>();
	return {
		keep(document) {
			documents.set(String(document.metadata.scrapeId), document);
			for (const oldest of documents.keys()) {
				if (documents.size <= MAX_KEPT) return;
				documents.delete(oldest);
			}
		},
		find: (scrapeId) => documents.get(scrapeId),
		clear: () => documents.clear(),
	};
}
