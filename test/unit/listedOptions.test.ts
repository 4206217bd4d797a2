import { isJsonObject } from '../../nodes/service/http/answer';
import { fitOf } from '../../nodes/service/startRecovery/listedOptions';
import recorded from '../fixtures/recorded/2026/active.json';

type Json = Record<string, unknown>;

const bodyOf = (name: string) =>
	recorded.find((one) => one.name === name)?.request.body as unknown as Json;
const listed = () => {
	const list = recorded.find(({ name }) => name === 'active-10-list-v2')?.response.body as Json;
	return (list.crawls as Json[]).map(({ options }) => options as Json);
};

it.each([
	['active-02-crawl-start-every-option', 0],
	['active-03-crawl-start-plain', 1],
])('knows what a real server lists of a start: %s', (name, index) => {
	const body = bodyOf(name);
	expect(isJsonObject(body)).toBe(true);
	expect(
		listed()
			.map((options) => fitOf(body, options) === 'same')
			.indexOf(true),
	).toBe(index);
	expect(fitOf(body, listed()[1 - index])).toBe('other');
	expect(fitOf(body, undefined)).toBe('untold');
});

const plain: Json = { url: 'http://a.example', limit: 5 };
const shown: Json = {
	limit: 5,
	includePaths: [],
	sitemap: 'include',
	allowSubdomains: false,
	scrapeOptions: { formats: [{ type: 'markdown' }], onlyMainContent: true, newOption: 'x' },
};

it.each([
	['same', {}, {}],
	['same', { sitemap: 'include', allowSubdomains: false, maxConcurrency: 3, webhook: 'x' }, {}],
	['same', { scrapeOptions: { formats: ['markdown'] } }, {}],
	['other', { sitemap: 'skip' }, {}],
	['other', {}, { sitemap: 'skip' }],
	['other', {}, { maxDiscoveryDepth: 2 }],
	['other', { includePaths: ['a'] }, {}],
	['other', { includePaths: ['a'] }, { includePaths: ['b'] }],
	['same', { includePaths: ['a'] }, { includePaths: ['a'] }],
	['other', { scrapeOptions: { formats: ['markdown', 'html'] } }, {}],
	['other', {}, { scrapeOptions: { formats: [{ type: 'html' }] } }],
	['untold', { delay: 3 }, {}],
	['untold', {}, { scrapeOptions: {} }],
	['untold', {}, { limit: 'many' }],
	['fewerPages', {}, { limit: 4 }],
	['other', {}, { limit: 6 }],
	['other', { sitemap: 'skip' }, { limit: 4 }],
	['other', { limit: undefined }, { limit: 20_000 }],
	['same', { limit: undefined }, { limit: 10_000 }],
	['untold', { prompt: 'only blog', limit: undefined }, { includePaths: ['blog/.*'], limit: 10 }],
	['other', { prompt: 'only blog', sitemap: 'skip' }, { sitemap: 'include' }],
])('is %s: %j beside %j', (fit, asked, options) => {
	expect(fitOf({ ...plain, ...asked }, { ...shown, ...options })).toBe(fit);
});
