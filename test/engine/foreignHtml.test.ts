import type { INodeParameters } from 'n8n-workflow';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { LOADER, runLoader } from './loaderRun';
import { scraped, serve, service } from './pageService';
import type { PageServiceParts } from './pageService';
import { batchStart, crawlStart, NODE, runNode, startSandbox } from './run';
import { binaryOf, itemWith, PARSE, runParse } from './uploads';
import { RESEARCH, runResearch } from './webResearchRun';

/** n8n shows hints and the descriptions of errors as HTML, and they name what strangers say. */
const EVIL = [
	'<img src=https://evil.example/b.png>',
	'<a href="https://evil.example/login">Your session has expired</a>',
	'&lt;b&gt;<script>alert(1)</script>',
];
const SITE = 'https://site.example/';

function expectNoTag(execution: Execution, name = NODE): string {
	const texts = execution.hints(name).map(({ message }) => message);
	const { error } = execution;
	const description = error && 'description' in error ? String(error.description ?? '') : '';
	const shown = [...texts, description].join('\n');
	expect(shown).not.toMatch(/<[a-z/!]/i);
	// What looks like an escape already is not one.
	expect(shown).not.toContain('&lt;');
	return shown;
}

const errors = (text: string, code = 'X') => [{ url: `${SITE}${text}`, error: text, code, timestamp: text }];

describe.each(EVIL)('%s', (evil) => {
	it.each<[string, PageServiceParts, INodeParameters]>([
		['a warning', { instead: () => ({ body: { success: true, warning: evil, data: scraped(SITE) } }) }, scrapeOf(SITE)],
		['a refusal', { instead: () => ({ status: 400, body: { success: false, error: evil } }) }, scrapeOf(SITE)],
		[
			'the error of a page',
			{ job: () => ({ pages: [{ ...scraped(SITE), metadata: { sourceURL: SITE, url: SITE, error: evil } }] }) },
			crawlStart(),
		],
		['a failed page', { job: () => ({ pages: [scraped(SITE)], errors: errors(evil) }) }, crawlStart()],
		[
			'a page that a rule leaves out',
			{ job: () => ({ pages: [scraped(SITE)], errors: errors(evil, 'EXCLUDE_PATTERN') }) },
			crawlStart(),
		],
		['a job without pages', { job: () => ({ pages: [], errors: errors(evil) }) }, crawlStart()],
		[
			'the state of a job',
			{ job: () => ({ pages: [], state: evil }) },
			crawlStart({ options: { waitOptions: { maxWait: 2 } } }),
		],
		[
			'addresses of a map',
			{
				instead: () => ({
					body: { success: true, links: [{ url: `${SITE}${evil}` }, { url: `http://site.example/${evil}` }] },
				}),
			},
			{ resource: 'map', operation: 'map', url: SITE },
		],
		[
			'a query without results',
			{ instead: () => ({ body: { success: true, data: { web: [] } } }) },
			{ resource: 'search', operation: 'search', query: evil },
		],
		['an entry of a list', {}, batchStart({ urlsFrom: 'list', urls: `${SITE}\nmailto:${evil.replaceAll(' ', '')}` })],
	])('is text where it stands in %s', async (_what, parts, parameters) => {
		await serve(parts);
		expect(expectNoTag(await runNode(service, parameters))).not.toBe('');
	});

	it('is text where it is the name of a file', async () => {
		await serve();
		const items = [itemWith({ data: binaryOf('note.html', '<p>x</p>'), other: binaryOf(`${evil}.exe`, 'x') })];
		expectNoTag(await runParse(service, items, { ...PARSE, filesFrom: 'all' }));
		expectNoTag(await runParse(service, [itemWith({ data: binaryOf(`${evil}.exe`, 'x') })], PARSE));
	});

	it('is text where a research says what the service answered', async () => {
		const sandbox = await startSandbox({ seed: 1 });
		const refusal = { kind: 'body', httpStatus: 400, body: { success: false, error: evil } } as const;
		sandbox.faults.add({ ...refusal, step: 'scrape', times: 1 });
		sandbox.faults.add({ ...refusal, step: 'search', times: 1 });
		const one = await runResearch(sandbox);
		expect(expectNoTag(one, RESEARCH)).not.toBe('');
		sandbox.faults.add({ ...refusal, step: 'search' });
		expectNoTag(await runResearch(sandbox), RESEARCH);
	});

	it('is text where a page for a vector store is named', async () => {
		const pages = [scraped(SITE), { markdown: '', metadata: { url: `${SITE}${evil}`, sourceURL: `${SITE}${evil}` } }];
		await serve({ job: () => ({ pages }) });
		const { execution } = await runLoader(service, { source: 'crawl', url: SITE });
		expect(expectNoTag(execution, LOADER)).toContain('had no text');
	});
});

function scrapeOf(url: string): INodeParameters {
	return { resource: 'page', operation: 'scrape', url };
}
