import { pagesResult } from '../../operation/pagesResult';

/** How batch scrapes become items. The first answer names the URLs that the service skipped. */
export const batchScrapeResult = pagesResult(['invalidURLs']);
