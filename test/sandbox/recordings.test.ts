import { createServer } from 'node:http';

import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { listen } from '../../sandbox/site/server.ts';
import { ask, field, jobEnded, startedId, startedJob } from './client.ts';
import { recorded, recording } from './recorded.ts';
import type { Recording } from './recorded.ts';

/**
 * Every recorded request of August 2026 that needs no answer before it is sent to the sandbox again. A
 * refusal must come back word for word, but for ids; of an accepted request the names of the fields must
 * agree. What is not compared stands here with its reason.
 */
const NOT_COMPARED: ReadonlyArray<[names: RegExp, reason: string]> = [
	[/^scrape-41-bad-parser-image/, 'documented, and taken by the hosted service: taken here too'],
	[/^scrape-(25-question-empty|40-option-actions$|66)/, 'the page or a browser is not there'],
	[/^crawl-(3[678]|153|154)|^batch-8[23]|-v1$/, 'paths of /v1 that nobody uses any more'],
	[/^crawl-14[34]$|-form-body$|text-plain/, 'the type of the body is not in the recording'],
	[/^feedback-17/, 'the pattern of a code is not told'],
	[/^browser-8[01]/, 'ten sessions would have to be open'],
	[/^browser-.*replay/, 'no operation reads a replay'],
	[/^interact-(01|40)/, 'the site is not there'],
	[/^monitor-79/, 'nobody confirms an address here'],
	[/over-10mb|10001(-chars)?$|-4001$|-too-long$|goal-2001$/, 'the long body was cut in the recording'],
	[/^plain-10/, 'the site is not there'],
	[/^crawl-15[12]/, 'the header of the request is not in the recording'],
	[/^crawl-131/, 'the sandbox reads pages of this machine'],
	[/^batch-(31|45)/, 'the batch that it adds to is of an earlier answer'],
	[/^map-(0[1-9]|11|20-acc)|^plain-60/, 'whether there is a warning depends on the site'],
	[/^search-14/, 'the account of the sandbox may search without retention'],
];

/** Status and names of the fields agree, but not every word. */
const ROUGHLY: ReadonlyArray<[names: RegExp, reason: string]> = [
	[
		/^scrape-40-option-(actions-wait|waitfor-60001)|^scrape-41-bad-parser-pdf/,
		'other words, or more than the first remark',
	],
	[/^monitor-14-create-(10|13|22)/, 'the kinds of targets are tried otherwise'],
	[/^crawl-123/, 'the place of the remark: the server leaves out the outer name'],
	[/^search-20-bad-(sources|categories|scrapeoptions)/, 'the union is nested otherwise'],
];

const listed = (list: ReadonlyArray<[RegExp, string]>, { name }: Recording): boolean =>
	list.some(([names]) => names.test(name));

/** The requests of a file that can be sent again by themselves. */
function repeatable(file: string, names = /./): Recording[] {
	return recorded(`2026/${file}`).filter(
		(one) => names.test(one.name) && !one.request.path.includes('01a1') && !listed(NOT_COMPARED, one),
	);
}

let sandbox: Sandbox | undefined;
afterEach(async () => {
	await sandbox?.stop();
	sandbox = undefined;
});

/** What may differ from run to run put into one form, and the pattern of a UUID in a later version of zod. */
function settled(value: unknown): unknown {
	const text = JSON.stringify(value ?? null)
		.replaceAll(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, 'ID')
		.replaceAll(/(?<=ID is |ID: )(?:[\da-f]{32}|ID)/g, 'HEX')
		.replaceAll('|ffffffff-ffff-ffff-ffff-ffffffffffff)$/', ')$/')
		.replaceAll('</html>\\n', '</html>');
	return JSON.parse(text);
}

const fieldsOf = (value: unknown): string[] => Object.keys(Object(value)).sort();

async function repeat(one: Recording, options: SandboxOptions): Promise<void> {
	sandbox = await startSandbox({
		lightWork: true,
		enterprise: false,
		...options,
	});
	const { method, path, body, authorization } = one.request;
	const seen = await ask(sandbox, method, path, { body, authorization });
	expect(seen.status).toBe(one.response.status);
	expect(seen.headers.get('content-type')).toBe(one.response.headers['content-type']);
	for (const name of ['deprecation', 'link', 'warning', 'www-authenticate']) {
		expect([name, seen.headers.get(name)]).toEqual([name, one.response.headers[name] ?? null]);
	}
	if (seen.status === 200 || listed(ROUGHLY, one)) {
		expect(fieldsOf(seen.body)).toEqual(fieldsOf(one.response.body));
	} else {
		expect(settled(seen.body ?? seen.text)).toEqual(settled(one.response.body));
	}
}

describe('a server of 2026 without keys', () => {
	const ones = [
		...repeatable('crawl'),
		...repeatable('batch'),
		...repeatable('deep-research'),
		...repeatable('map'),
		...repeatable('search'),
		...repeatable('scrape'),
		...repeatable('monitor'),
		...repeatable('browser'),
		...repeatable('agent'),
		...repeatable('extract'),
		...repeatable('llmstxt'),
		...repeatable('active', /^active-(01|20|3[02]|37)/),
		...repeatable('team', /^(team-(2[5-9]|3|4[0-4])|feedback-[12]|support)/).filter(
			({ response }) => response.status !== 200,
		),
	];
	it('has the recordings', () => expect(ones.length).toBeGreaterThan(120));
	it.each(ones)('$name', (one) => repeat(one, { keys: [] }));
});

describe('the plain self-hosted server of 2026', () => {
	const ones = repeatable('plain', /^plain-(0|1[123]|2|3[0-6]|4[012]|5[1245678]|59|6[0156])/);
	it('has the recordings', () => expect(ones.length).toBeGreaterThan(6));
	it.each(ones)('$name', (one) => repeat(one, { keys: [], database: false }));
});

describe('a server of 2026 that checks keys', () => {
	const ones = repeatable('auth', /^auth26-(01-missing-header-[1-469]|02|04|05|06|07)/);
	it('has the recordings', () => expect(ones.length).toBeGreaterThan(8));
	it.each(ones)('$name', (one) => repeat(one, {}));
});

describe('the states of jobs of 2026', () => {
	const answered = (file: string, name: string): unknown => recording(`2026/${file}`, name).response.body;
	const own = { lightWork: true, keys: [] };

	it.each([
		['crawl-02-status-scraping-early', 60_000],
		['crawl-05-status-completed', 0],
	])('%s', async (name, jobDurationMs) => {
		sandbox = await startSandbox({ ...own, jobDurationMs });
		const body = { url: 'http://site.example/', limit: 12 };
		const id = await startedJob(sandbox, '/v2/crawl', body);
		const { body: seen } = await ask(sandbox, 'GET', `/v2/crawl/${id}`);
		expect(fieldsOf(seen)).toEqual(fieldsOf(answered('crawl', name)));
	});

	it('crawl-48 to crawl-50: a dead host ends completed, with a warning and an error', async () => {
		sandbox = await startSandbox({ ...own, lightWork: false });
		const { request } = recording('2026/crawl', 'crawl-48-start-dead-host');
		const id = await startedJob(sandbox, '/v2/crawl', request.body);
		const seen = await jobEnded(sandbox, '/v2/crawl', id);
		const expected = answered('crawl', 'crawl-49-status-dead-host');
		expect(fieldsOf(seen)).toEqual(fieldsOf(expected));
		expect(field(seen, 'warning')).toBe(
			String(field(expected, 'warning')).length < 160
				? field(expected, 'warning')
				: expect.stringContaining('Only 0 result(s) found.'),
		);
		const errors = await ask(sandbox, 'GET', `/v2/crawl/${id}/errors`);
		expect(field(errors.body, 'errors.0.code')).toBe('SCRAPE_ALL_ENGINES_FAILED');
	});

	it('crawl-43 to crawl-45: a start page that robots.txt refuses is among the errors', async () => {
		const robots = createServer((request, response) => {
			response.end(request.url === '/robots.txt' ? 'User-agent: *\nDisallow: /private/' : 'page');
		});
		const url = await listen(robots);
		sandbox = await startSandbox({ ...own, lightWork: false });
		const start = { url: `${url}/private/ledger`, limit: 2 };
		const id = await startedJob(sandbox, '/v2/crawl', start);
		expect(fieldsOf(await jobEnded(sandbox, '/v2/crawl', id))).toEqual(
			fieldsOf(answered('crawl', 'crawl-44-status-robots')),
		);
		const { body } = await ask(sandbox, 'GET', `/v2/crawl/${id}/errors`);
		expect(body).toMatchObject({ errors: [{ code: 'CRAWL_DENIAL' }], robotsBlocked: [] });
		robots.closeAllConnections();
		await new Promise((resolve) => robots.close(resolve));
	});

	it('crawl-51, crawl-52: Include Paths that leave the start out end the crawl without a page', async () => {
		sandbox = await startSandbox({ ...own, lightWork: false });
		const start = { url: `${sandbox.siteUrl}/costs`, limit: 3, includePaths: ['nothing/.*'] };
		const id = await startedJob(sandbox, '/v2/crawl', start);
		const seen = await jobEnded(sandbox, '/v2/crawl', id);
		expect(fieldsOf(seen)).toEqual(fieldsOf(answered('crawl', 'crawl-52-status-one-result-warning')));
		expect(seen).toMatchObject({ status: 'completed', completed: 0, total: 0, data: [] });
	});

	it('pages that path patterns leave out are listed with the reason (NOTES 36)', async () => {
		sandbox = await startSandbox({ ...own, lightWork: false });
		const reasonsOf = async (paths: object) => {
			const id = await startedJob(sandbox as Sandbox, '/v2/crawl', { url: sandbox?.siteUrl, limit: 3, ...paths });
			await jobEnded(sandbox as Sandbox, '/v2/crawl', id);
			const { body } = await ask(sandbox as Sandbox, 'GET', `/v2/crawl/${id}/errors`);
			const { errors } = body as { errors: Array<{ code: string; error: string }> };
			return [...new Set(errors.map(({ code, error }) => `${code} ${error.replace(/\(.*?\)/, '(…)')}`))];
		};
		const patterns = 'of the regex patterns you provided in the';
		expect(await reasonsOf({ includePaths: ['^/$'] })).toEqual([
			`CRAWL_DENIAL This URL's path (…) does not match any ${patterns} includePaths parameter.`,
		]);
		expect(await reasonsOf({ excludePaths: ['.{3}'] })).toEqual([
			`CRAWL_DENIAL This URL's path (…) matches one ${patterns} excludePaths parameter.`,
		]);
	});

	it.each([
		['dr26-02-status-early', 60_000],
		['dr26-14-status-topic', 0],
	])('%s', async (name, jobDurationMs) => {
		sandbox = await startSandbox({ ...own, jobDurationMs });
		const id = await startedId(sandbox, { query: 'tides', maxDepth: 1 });
		const { body } = await ask(sandbox, 'GET', `/v1/deep-research/${id}`);
		expect(fieldsOf(body)).toEqual(fieldsOf(answered('deep-research', name)));
	});
});
