import { fitOf, isHiddenTarget } from '../../nodes/service/startRecovery/compareCrawlOptions';
import type { JsonObject } from '../../nodes/service/http/transport';

/** What the service lists of a crawl that was asked for with nothing but its address. */
const LISTED: JsonObject = { limit: 10_000, scrapeOptions: { formats: ['markdown'] } };
const listed = (more: JsonObject = {}, ofPages: JsonObject = {}): JsonObject => ({
	...LISTED,
	...more,
	scrapeOptions: { formats: ['markdown'], ...ofPages },
});

it.each<[string, JsonObject, JsonObject | undefined, 'same' | 'other' | 'untold']>([
	['nothing but the address', {}, listed(), 'same'],
	['a list that shows no options', {}, undefined, 'untold'],
	['the same paths', { includePaths: ['a'] }, listed({ includePaths: ['a'] }), 'same'],
	['other paths', { includePaths: ['a'] }, listed({ includePaths: ['b'] }), 'other'],
	['paths that nobody has asked for', {}, listed({ excludePaths: ['b'] }), 'other'],
	['paths that the list does not show', { includePaths: ['a'] }, listed(), 'untold'],
	['what the service takes by itself', { sitemap: 'include' }, listed(), 'same'],
	['what it takes by itself, told', {}, listed({ sitemap: 'include', allowSubdomains: false }), 'same'],
	['another sitemap', {}, listed({ sitemap: 'skip' }), 'other'],
	['another depth', { maxDiscoveryDepth: 2 }, listed({ maxDiscoveryDepth: 3 }), 'other'],
	['another delay', { delay: 2 }, listed({ delay: 3 }), 'other'],
	['other pages', {}, listed({}, { onlyMainContent: false }), 'other'],
	['pages as on a phone', { scrapeOptions: { mobile: true } }, listed({}, { mobile: true }), 'same'],
	['another age of pages', { scrapeOptions: { maxAge: 5 } }, listed({}, { maxAge: 6 }), 'other'],
	['another format', { scrapeOptions: { formats: ['html'] } }, listed(), 'other'],
	[
		'formats in another order, with what goes along',
		{ scrapeOptions: { formats: [{ type: 'screenshot', fullPage: true }, 'markdown'] } },
		listed({}, { formats: ['markdown', 'screenshot@fullPage'] }),
		'same',
	],
	['no formats told', {}, { limit: 10_000 }, 'untold'],
	['the same limit', { limit: 5 }, listed({ limit: 5 }), 'same'],
	['a limit that is lowered to the credits left', { limit: 5 }, listed({ limit: 4 }), 'untold'],
	['a higher limit', { limit: 5 }, listed({ limit: 6 }), 'other'],
	['no limit asked for, one told', {}, listed({ limit: 100 }), 'untold'],
	['no limit told', { limit: 5 }, listed({ limit: null }), 'untold'],
	['what a prompt has made', { prompt: 'a' }, listed({ includePaths: ['b'], limit: 7 }), 'untold'],
	[
		'beside a prompt, what was asked for',
		{ prompt: 'a', includePaths: ['a'] },
		listed({ includePaths: ['b'] }),
		'other',
	],
	['beside a prompt, a higher limit', { prompt: 'a', limit: 5 }, listed({ limit: 6 }), 'other'],
])('%s', (_what, asked, options, fit) => {
	expect(fitOf(asked, options)).toBe(fit);
});

it.each([
	['', true],
	['  ', true],
	['<redacted>', true],
	[' <zero data retention>\n', true],
	['https://a.example/<b>', false],
	['https://a.example', false],
])('hides its address behind "%s": %s', (target, isHidden) => {
	expect(isHiddenTarget(target)).toBe(isHidden);
});
