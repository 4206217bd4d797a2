import { FILES_PATH } from '../files/storedFiles.ts';
import type { StoredFiles } from '../files/storedFiles.ts';
import { isHtml } from '../web/webClient.ts';
import { buildDocument, pickJson } from './document/pageDocument.ts';
import type { Built, PageDocument } from './document/pageDocument.ts';
import { fetchForScrape } from './fetchForScrape.ts';
import type { FetchParts, FetchedForScrape } from './fetchForScrape.ts';
import { formatOf } from './options/formats.ts';
import { pageCredits } from './keptScrapes.ts';
import type { ChangeHistory } from './document/changeHistory.ts';
import type { ScrapeOptions } from './options/scrapeOptions.ts';

/** A page that was scraped. */
export interface Scraped {
	document: PageDocument;
	/** Final address and HTML as received, for a crawler to find links in; empty where it is no page. */
	url: string;
	html: string;
	credits: number;
}

/** What a scrape may be told besides its options. */
interface ScrapeCall {
	/** Address of the service, for the links to pictures. */
	serviceUrl: string;
	signal?: AbortSignal | undefined;
	zeroDataRetention?: boolean | undefined;
	/** The id under which it is kept. Default: a new one. */
	scrapeId?: string;
}

/** Scrapes one page. Rejects with a ScrapeFailure. */
export type Scrape = (url: string, options: ScrapeOptions, call: ScrapeCall) => Promise<Scraped>;

interface ScraperParts extends FetchParts {
	newId(): string;
	history: ChangeHistory;
	files: StoredFiles;
	/** Told of each page, for the search index. */
	onPage(url: string, html: string): void;
}

function unsupported(features: readonly string[]): string[] {
	// In the words of recording scrape-09.
	return features.length === 0
		? []
		: [
				`The engine used does not support the following features: ${features.join(', ')} -- your scrape may be partial.`,
			];
}

/** See `Scrape`. */
export function scraper(parts: ScraperParts): Scrape {
	const linkTo = (bytes: Buffer, contentType: string, serviceUrl: string): string =>
		`${serviceUrl}${FILES_PATH}/${parts.files.keep(parts.newId(), { contentType, bytes })}`;

	const pictures = ({ picture, actions }: FetchedForScrape, serviceUrl: string) => {
		const link = (bytes: Buffer): string => linkTo(bytes, 'image/png', serviceUrl);
		return {
			...(picture && { screenshot: link(picture) }),
			...(actions && {
				actions: {
					...actions,
					screenshots: actions.screenshots.map(link),
					pdfs: actions.pdfs.map((bytes) => linkTo(bytes, 'application/pdf', serviceUrl)),
				},
			}),
		};
	};

	const tracked = (
		url: string,
		fetched: FetchedForScrape,
		built: Built,
		options: ScrapeOptions,
	): Record<string, unknown> => {
		const format = formatOf(options.formats, 'changeTracking');
		if (!format) return {};
		const page = {
			url,
			status: fetched.page.status,
			markdown: built.markdown,
			json: () => pickJson(built.rawHtml, fetched.page.url, format),
		};
		return { changeTracking: parts.history.compare(page, format, parts.now()) };
	};

	return async (url, options, call) => {
		const fetched = await fetchForScrape(parts, url, options, call.signal);
		const { page } = fetched;
		const built = await buildDocument(page, options);
		if (isHtml(page.contentType) && page.status === 200) parts.onPage(page.url, built.rawHtml);
		const credits = pageCredits({ ...options, zeroDataRetention: call.zeroDataRetention }, built.pdfPages);
		const warning = [...unsupported(fetched.unsupported), ...built.warnings].join(' ');
		const document: PageDocument = {
			...built.document,
			...pictures(fetched, call.serviceUrl),
			...tracked(url, fetched, built, options),
			metadata: {
				...built.facts,
				scrapeId: call.scrapeId ?? parts.newId(),
				sourceURL: url,
				url: page.url,
				statusCode: page.status,
				contentType: page.contentType,
				proxyUsed: 'basic',
				cacheState: fetched.cachedAtMs === undefined ? 'miss' : 'hit',
				...(fetched.cachedAtMs !== undefined && {
					cachedAt: new Date(fetched.cachedAtMs).toISOString(),
				}),
				creditsUsed: credits,
			},
			...(warning && { warning }),
		};
		const html = isHtml(page.contentType) ? built.rawHtml : '';
		return { document, url: page.url, html, credits };
	};
}
