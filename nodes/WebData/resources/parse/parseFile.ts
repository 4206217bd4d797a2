import { scrapePrice } from '../../cost/prices';
import { binaryFile } from '../../fields/basic/binaryFile';
import { fileFormats } from '../../fields/formats/formats';
import type { CallOperation } from '../../operation/operation';
import { pageIn, scrapedUsage, scrapeIdOf } from '../../operation/webPage';
import { FILE_TYPES } from './fileTypes';
import { DEFAULT_TIMEOUT_MS, parseOptions } from './options';
import { documentOutput, toFileItems } from './output';
import { whyUnread } from './whyUnread';

/** The service's own time-out must come first: its answer says what happened. */
const SPARE_MS = 30_000;

export const parseFile: CallOperation = {
	kind: 'call',
	value: 'parseFile',
	name: 'Parse File',
	action: 'Convert file to text or data',
	description: 'Turn a PDF, Word, Excel, HTML or other file into clean Markdown or structured data',
	request: { method: 'POST', path: '/v2/parse', bucket: 'scrape' },
	upload: {
		parts: { file: 'file', body: 'options' },
		types: FILE_TYPES,
		maxBytes: 50 * 1024 * 1024,
	},
	explain: (failure, _values, file, sent) => whyUnread(failure, file, sent),
	timeoutMs: ({ timeout }) =>
		(typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_MS) + SPARE_MS,
	toItems: toFileItems,
	usage: scrapedUsage('file'),
	pagesOf: pageIn,
	worstCase: scrapePrice,
	recall: {
		idOf: scrapeIdOf,
		request: { method: 'GET', path: '/v2/scrape/{id}', bucket: 'crawlStatus' },
		collectWith: 'Page · Get',
	},
	fields: [...binaryFile, ...fileFormats(), documentOutput, parseOptions],
};
