import { join } from 'node:path';
import {
	agentPrice,
	batchPrice,
	crawlPrice,
	dataToolPrice,
	indexSearchPrice,
	interactPrice,
	llmsTxtPrice,
	mapPrice,
	researchPrice,
	scrapePrice,
	searchPrice,
	sessionPrice,
} from '../../nodes/cost/prices';
import { expectGoldenFile } from '../helpers/goldenFile';

const PDF = { parsers: [{ type: 'pdf', maxPages: 20 }] };
const SCANNED = { threatProtection: { mode: 'normal' } };
const LINKED_IN = 'https://www.linkedin.com/in/somebody';

/** Each price with all that a refusal under Max Credits says of it. */
const PRICES: ReadonlyArray<[string, object]> = [
	['a page', scrapePrice({ url: 'https://a.example' })],
	['a page as JSON', scrapePrice({ url: 'https://a.example', formats: [{ type: 'json' }] })],
	['a page of X', scrapePrice({ url: 'https://x.com/a' })],
	['a person of LinkedIn', scrapePrice({ url: LINKED_IN })],
	['a PDF page', scrapePrice({ url: 'https://a.example/a.pdf', ...PDF })],
	['a masked PDF page', scrapePrice({ url: 'https://a.example/a.pdf', ...PDF, redactPII: true })],
	['a scanned page', scrapePrice({ url: 'https://a.example', ...SCANNED })],
	['a batch', batchPrice({ urls: ['https://a.example', 'https://b.example'] })],
	['a batch with a page of X', batchPrice({ urls: ['https://a.example', 'https://x.com/a'], formats: ['audio'] })],
	['a scanned batch', batchPrice({ urls: ['https://a.example'], ...SCANNED })],
	['a crawl', crawlPrice({ url: 'https://a.example' })],
	['a crawl of 25', crawlPrice({ url: 'https://a.example', limit: 25 })],
	[
		'a crawl as JSON',
		crawlPrice({ url: 'https://a.example', limit: 25, scrapeOptions: { formats: [{ type: 'json' }] } }),
	],
	['a crawl that leaves the site', crawlPrice({ url: 'https://a.example', limit: 2, allowExternalLinks: true })],
	['a crawl of X', crawlPrice({ url: 'https://x.com/a', limit: 2, allowExternalLinks: true })],
	['a scanned crawl', crawlPrice({ url: 'https://a.example', limit: 2, scrapeOptions: SCANNED })],
	['a map', mapPrice({ url: 'https://a.example' })],
	['a scanned map', mapPrice({ url: 'https://a.example', ...SCANNED })],
	['a scanned map of 10', mapPrice({ url: 'https://a.example', limit: 10, ...SCANNED })],
	['a search', searchPrice({ query: 'a' })],
	['a search of 11', searchPrice({ query: 'a', limit: 11 })],
	['a search with pages', searchPrice({ query: 'a', limit: 5, scrapeOptions: { formats: ['markdown'] } })],
	['a search in two sources', searchPrice({ query: 'a', limit: 5, sources: [{ type: 'web' }, { type: 'news' }] })],
	['a search that keeps nothing', searchPrice({ query: 'a', enterprise: ['zdr'] })],
	['a search of an index', indexSearchPrice({ query: 'a' })],
	['a search of an index, 11 hits', indexSearchPrice({ query: 'a', k: 11, limit: 11 })],
	['a deep research', researchPrice({ query: 'a' })],
	['a deep research of 5', researchPrice({ query: 'a', maxUrls: 5 })],
	['a llms.txt', llmsTxtPrice({ url: 'https://a.example' })],
	['a llms.txt of 5', llmsTxtPrice({ url: 'https://a.example', maxUrls: 5 })],
	['an agent', agentPrice({ prompt: 'a' })],
	['an agent with a limit', agentPrice({ prompt: 'a', maxCredits: 50 })],
	['an agent that may buy', agentPrice({ prompt: 'a', maxCredits: 50, exchange: {} })],
	['a data tool', dataToolPrice({ creditsCost: 5 })],
	['a data tool by the record', dataToolPrice({ creditsCost: 5, perRecord: true, maxRecords: 10 })],
	['a data tool without an end', dataToolPrice({ creditsCost: 5, perRecord: true })],
	['a data tool without a price', dataToolPrice({})],
	['a session', sessionPrice({})],
	['a session of 90 s', sessionPrice({ ttl: 90 })],
	['a session of 10 s', sessionPrice({ ttl: 10 })],
	['an interaction by code', interactPrice({ code: 'a' })],
	['an interaction by words', interactPrice({ prompt: 'a' })],
];

it('prices and their words are as they were', () => {
	const lines = PRICES.map(([what, price]) => `${what}: ${JSON.stringify(price)}`);
	expectGoldenFile(join(__dirname, '../golden/prices.txt'), `${lines.join('\n')}\n`);
});
