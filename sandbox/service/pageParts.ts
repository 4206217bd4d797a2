import { storedFiles } from '../files/storedFiles.ts';
import { changeHistory } from '../scrape/document/changeHistory.ts';
import { keptScrapes, pageCache } from '../scrape/keptScrapes.ts';
import { scraper } from '../scrape/scraper.ts';
import { paperSearch } from '../search/papers.ts';
import { webIndex } from '../search/webSearch.ts';
import { ownSite } from '../web/addresses.ts';
import { webClient } from '../web/webClient.ts';
import type { ReadOptions } from './options.ts';

/** What the service has for pages: fetching, scraping, searching. */
export function pageParts(
	options: ReadOptions,
	siteUrl: string,
	newId: () => string,
	pause: (ms: number) => Promise<void>,
) {
	const { now, speed, keys } = options;
	const own = ownSite(siteUrl);
	const web = webClient(own);
	const cache = pageCache();
	const history = changeHistory();
	const files = storedFiles();
	const scrapes = keptScrapes();
	const index = webIndex(siteUrl, web, own);
	const scrape = scraper({
		now,
		speed,
		pause,
		web,
		// The recorded servers without keys have none.
		hasBrowser: keys.size > 0,
		cache,
		history,
		files,
		newId,
		onPage: (url, html) => index.note(url, html),
	});
	return {
		web,
		scrape,
		scrapes,
		index,
		papers: paperSearch(),
		files,
		/** Forgets what was kept of pages. */
		forget() {
			for (const part of [cache, history, files, scrapes, index]) part.clear();
		},
		async stopPages() {
			await web.stop();
		},
	};
}
