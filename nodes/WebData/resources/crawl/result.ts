import { pagesResult } from '../../operation/pagesResult';

/** How crawls become items. A crawl from a prompt says in its first answer what it made of it. */
export const crawlResult = pagesResult(['promptGeneratedOptions', 'finalCrawlerOptions']);
