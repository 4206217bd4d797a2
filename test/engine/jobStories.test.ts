import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { n8nLog } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectGoldenFile } from '../helpers/goldenFile';
import { after, batchStart, crawlStart, errorText, hintsIn, NODE, retryNode, runNode, startSandbox } from './run';
import type { RunSettings } from './run';

type Fault = Parameters<Sandbox['faults']['add']>[0];

const SITE = 'https://example.com';
const SHOWN = 8;

const crawl = (more: INodeParameters = {}) => crawlStart({ url: SITE, pageLimit: 3, ...more });
const agent = { resource: 'agent', operation: 'start', prompt: 'Who builds cargo bikes?', maxCredits: 50 };
const scrape = (more: INodeParameters = {}) => ({
	resource: 'page',
	operation: 'scrape',
	url: `${SITE}/costs`,
	...more,
});
const search = { resource: 'search', operation: 'search', query: 'cargo bikes', limit: 3 };
const retryOnFail = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
const three = ['costs', 'safety', 'batteries'].map((name) => ({ url: `${SITE}/${name}` }));

/** What happens to calls and jobs: what was set, the troubles, how it runs, and whether n8n's Retry follows. */
interface Story {
	parameters: INodeParameters;
	faults?: Fault[];
	settings?: RunSettings;
	/** With or without the troubles. */
	retry?: 'mended' | 'still';
}

const lost = (step: Fault['step'], more: object = {}): Fault =>
	({ step, kind: 'reset', when: 'after', times: 1, ...more }) as Fault;
const never = (step: Fault['step']): Fault => ({ step, kind: 'reset', when: 'before', times: 1 }) as Fault;
const status = (step: Fault['step'], httpStatus: number, times?: number): Fault =>
	({ step, kind: 'status', httpStatus, ...(times !== undefined && { times }) }) as Fault;

const STORIES: Record<string, Story> = {
	'a crawl': { parameters: crawl() },
	'a crawl whose start is lost': { parameters: crawl(), faults: [lost('crawlStart')] },
	'a crawl whose start never arrived': { parameters: crawl(), faults: [never('crawlStart')], retry: 'mended' },
	'a crawl that is refused': { parameters: crawl(), faults: [status('crawlStart', 402)], retry: 'mended' },
	'a crawl whose checks are refused': { parameters: crawl(), faults: [status('crawlStatus', 403)], retry: 'mended' },
	'a crawl whose checks fail for a while': { parameters: crawl(), faults: [status('crawlStatus', 502, 3)] },
	'a crawl that is unknown': { parameters: crawl(), faults: [status('crawlStatus', 404)], retry: 'mended' },
	'a crawl that takes longer than Max Wait': {
		parameters: crawl({ options: { waitOptions: { maxWait: 2 } } }),
		faults: [{ step: 'crawlStatus', kind: 'slow', ms: 10_000 }],
		retry: 'mended',
	},
	'a crawl that is only started': { parameters: crawl({ waitForCompletion: false }) },
	'three crawls, one refused': {
		parameters: crawl({ url: '={{ $json.url }}' }),
		faults: [{ step: 'crawlStart', kind: 'status', httpStatus: 403, query: 'safety' }],
		settings: { items: three, node: { onError: 'continueErrorOutput' } },
	},
	'three crawls, one refused, all stop': {
		parameters: crawl({ url: '={{ $json.url }}' }),
		faults: [{ step: 'crawlStart', kind: 'status', httpStatus: 403, query: 'safety' }],
		settings: { items: three },
		retry: 'mended',
	},
	'a crawl under a cap': { parameters: crawl({ options: { maxCredits: 2 } }) },
	'a crawl that Retry On Fail collects': {
		parameters: crawl(),
		faults: [status('crawlStatus', 403, 1)],
		settings: { node: retryOnFail },
	},
	'a batch': { parameters: batchStart({ url: '={{ $json.url }}' }), settings: { items: three } },
	'a batch whose start is lost': {
		parameters: batchStart({ url: '={{ $json.url }}' }),
		faults: [lost('batchStart')],
		settings: { items: three },
	},
	'an agent': { parameters: agent },
	'an agent whose start is lost': { parameters: agent, faults: [lost('agentStart')] },
	'an agent that is refused': { parameters: agent, faults: [status('agentStart', 500, 1)], retry: 'mended' },
	'a page': { parameters: scrape() },
	'a page whose answer is lost': { parameters: scrape(), faults: [lost('scrape')] },
	'a page that never arrived': { parameters: scrape(), faults: [never('scrape')], retry: 'mended' },
	'a dear page whose answer is lost': {
		parameters: scrape({ scrapeOptions: { redactPII: true, parsers: { parser: [{ type: 'pdf', maxPages: 20 }] } } }),
		faults: [lost('scrape'), { step: 'activity', kind: 'status', httpStatus: 500 } as Fault],
		retry: 'mended',
	},
	'three pages, one refused': {
		parameters: scrape({ url: '={{ $json.url }}' }),
		faults: [{ step: 'scrape', kind: 'status', httpStatus: 403, query: 'safety' }],
		settings: { items: three },
		retry: 'mended',
	},
	'a page that Retry On Fail scrapes': {
		parameters: scrape(),
		faults: [status('scrape', 402, 1)],
		settings: { node: retryOnFail },
	},
	'a search': { parameters: search },
	'a search whose answer is lost': { parameters: search, faults: [lost('search')], retry: 'mended' },
	'a search that breaks off again and again': {
		parameters: search,
		faults: [lost('search', { times: 9 })],
		retry: 'still',
	},
	'a map whose answer is lost': { parameters: { resource: 'map', operation: 'map', url: SITE }, faults: [lost('map')] },
};

/** Without what differs from run to run. */
function plain(text: string, sandbox: Sandbox): string {
	const ids = new Map<string, string>();
	const numbered = (id: string) => ids.get(id) ?? ids.set(id, `ID-${ids.size + 1}`).get(id) ?? id;
	return (
		text
			.replaceAll(sandbox.baseUrl, 'SERVICE')
			.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, numbered)
			.replace(/127\.0\.0\.1:\d+/g, 'HOST')
			.replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
			// Pauses are a little longer by chance.
			.replace(/for \d+ s\b/g, 'for N s')
			.replace(/Execution \d+/g, 'Execution N')
			.replace(/execution \d+/g, 'execution N')
	);
}

const logged: string[] = [];
beforeEach(() => {
	for (const level of ['info', 'warn', 'error'] as const)
		jest.spyOn(n8nLog(), level).mockImplementation((...args) => void logged.push(`${level}: ${args[0]}`));
});

function told(execution: Execution, sandbox: Sandbox): string[] {
	const { calls, creditsUsed } = sandbox.stats();
	const items = execution.items(NODE).map(({ json, pairedItem }) => {
		const shown = Object.entries(json).map(([name, value]) => {
			const text = typeof value === 'string' ? value : JSON.stringify(value);
			return `${name}=${(text ?? '').replace(/\s+/g, ' ').slice(0, 60)}`;
		});
		return `item ${JSON.stringify(pairedItem)}: ${shown.slice(0, SHOWN).join(' | ')}`;
	});
	const counts = Object.entries(calls).filter(([, count]) => count > 0);
	return [
		`error: ${errorText(execution)}`,
		...hintsIn(execution)
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => `hint: ${line}`),
		...items,
		...logged.splice(0).map((line) => `log ${line}`),
		`requests: ${counts.map(([step, count]) => `${step} ${count < 10 ? count : 'many'}`).join(', ')}; credits: ${creditsUsed}`,
	];
}

it('tells each story of a call and of a job as it did', async () => {
	const all: string[] = [];
	for (const [name, { parameters, faults = [], settings = {}, retry }] of Object.entries(STORIES)) {
		const sandbox = await startSandbox({ lightWork: true, seed: 1 });
		for (const fault of faults) sandbox.faults.add(fault);
		const first = await runNode(sandbox, parameters, settings);
		const lines = [`# ${name}`, ...told(first, sandbox)];
		if (retry !== undefined) {
			if (retry === 'mended') sandbox.faults.clear();
			await after(120_000);
			const again = await retryNode(sandbox, first, parameters, settings);
			lines.push('then, in a Retry:', ...told(again, sandbox));
		}
		all.push(plain(lines.join('\n'), sandbox));
		await sandbox.stop();
	}
	expectGoldenFile(join(__dirname, '../golden/jobStories.txt'), `${all.join('\n\n')}\n`);
});
