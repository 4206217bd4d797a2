import type { PageDocument } from '../scrape/document/pageDocument.ts';
import type { PageRow } from './pageJob.ts';

/** A row that grows as pages come in. */
export interface GrowingRow extends PageRow {
	add(page: PageDocument, credits: number): void;
}

/** See `GrowingRow`. */
export function growingRow(): GrowingRow {
	const pages: PageDocument[] = [];
	/** What the pages up to each one cost together. */
	const costs: number[] = [];
	return {
		get length() {
			return pages.length;
		},
		at(index) {
			const page = pages[index];
			if (!page) throw new RangeError(`There is no page ${index}`);
			return page;
		},
		credits: (count) => costs[count - 1] ?? 0,
		add(page, credits) {
			pages.push(page);
			costs.push((costs.at(-1) ?? 0) + credits);
		},
	};
}

/** A row of made-up pages, made when they are asked for: for load tests. */
export function lightRow(site: LightSite, creditsPerPage: number): PageRow {
	return {
		length: site.length,
		at(index) {
			const url = site.at(index) ?? '';
			return {
				markdown: `Page ${index}\n${'='.repeat(`Page ${index}`.length)}\n\nMade up for a load test: ${url}`,
				metadata: {
					title: `Page ${index}`,
					ogLocaleAlternate: [],
					scrapeId: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
					sourceURL: url,
					url,
					statusCode: 200,
					contentType: 'text/html; charset=utf-8',
					proxyUsed: 'basic',
					creditsUsed: creditsPerPage,
				},
			};
		},
		credits: (count) => count * creditsPerPage,
	};
}

/** The addresses of made-up pages. */
export interface LightSite {
	length: number;
	at(index: number): string | undefined;
}

/** A made-up site of so many pages: the start page, then /light/1, /light/2 and so on. */
export function lightSite(startUrl: string, length: number): LightSite {
	const { origin } = new URL(startUrl);
	return { length, at: (index) => (index === 0 ? startUrl : `${origin}/light/${index}`) };
}
