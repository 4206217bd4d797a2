import type { PageDocument } from './document/pageDocument.ts';
import { formatOf } from './options/formats.ts';
import type { ScrapeOptions } from './options/scrapeOptions.ts';

const MAX_KEPT = 1000;

/** Documents of single scrapes, to be asked for again by their id. Holds the latest so many. */
export function keptScrapes() {
	const documents = new Map<string, PageDocument>();
	return {
		keep(document: PageDocument) {
			documents.set(String(document.metadata.scrapeId), document);
			for (const oldest of documents.keys()) {
				if (documents.size <= MAX_KEPT) return;
				documents.delete(oldest);
			}
		},
		find: (scrapeId: string) => documents.get(scrapeId),
		clear: () => documents.clear(),
	};
}

const DEAR_FORMATS = ['json', 'question', 'query', 'highlights', 'audio', 'video'] as const;
const DEAR = 4;

/** What a page costs with these settings (docs/reference/service-notes.md#prices; recordings scrape-01, scrape-03). */
export function pageCredits(
	{ formats, checkPromptInjection }: Pick<ScrapeOptions, 'formats' | 'checkPromptInjection'>,
	pdfPages = 1,
): number {
	const dear = DEAR_FORMATS.filter((name) => formatOf(formats, name)).length + (checkPromptInjection ? 1 : 0);
	return Math.max(1, pdfPages) + DEAR * dear;
}
