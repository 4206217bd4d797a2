/** What is tried at every point: each a way in which money is spent. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { AGENT_NODE, pollingTrigger, startWaitingHost, TOOL_NODE } from '../../../tools/n8n-engine/index.ts';
import type { Execution, WaitingHost } from '../../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { OWN_CALL_HEADER } from '../../../nodes/run/suspension/checks';
import { endsLater } from '../../helpers/lifetime';
import { startedJob, until } from '../../sandbox/client';
import { after, builtPackage, callTool, executionOptions, KEY, NODE } from '../run';
import { binaryOf, itemWith, PARSE } from '../uploads';
import { RESEARCH, retryResearch, runResearch } from '../webResearchRun';
import { inNewSession } from '../browserRun';
import { newAndChanged, newsOfResearch, newsOfTable } from './memoryScenarios';
import { attemptOf, nodeSettings, ofNode } from './scenario';
import type { Attempt, Scenario, Settings } from './scenario';

const SITE = 'https://example.com';
const PAGES = ['', '/costs', '/vans', '/rules', '/hubs', '/winter', '/batteries', '/safety', '/riders', '/maintenance'];
const pages = (count: number): INodeExecutionData[] =>
	PAGES.slice(0, count).map((path) => ({ json: { url: `${SITE}${path}` } }));

const SCRAPE = { resource: 'page', operation: 'scrape', url: '={{ $json.url }}' };
export const CRAWL = { resource: 'crawl', operation: 'start', url: SITE, pageLimit: 5, options: { maxCredits: 40 } };
const CAP = { scrapeOptions: { maxCredits: 40 } };

/** An agent that calls Crawl · Start as its tool, once. */
const agent: Scenario = {
	name: 'an agent’s tool',
	async run(settings) {
		const { baseUrl, apiKey, signal } = settings;
		let before = '';
		const onProgress = (node: string, stored: string) => void (node === 'Trigger' && (before = stored));
		const parameters = { resource: 'crawl', operation: 'start', url: "={{ $fromAI('url') }}", pageLimit: 3 };
		const called = await callTool(
			{ baseUrl },
			{
				parameters,
				args: { url: SITE },
				credential: { baseUrl, apiKey },
				tool: nodeSettings(settings),
				onProgress,
				...(signal && { signal }),
			},
		);
		const attempt = attemptOf(called.execution, before, AGENT_NODE, [AGENT_NODE, TOOL_NODE]);
		return { ...attempt, said: `${attempt.said}\n${called.text}` };
	},
	async retry(previous, settings) {
		const { baseUrl, apiKey } = settings;
		const parameters = { resource: 'crawl', operation: 'start', url: "={{ $fromAI('url') }}", pageLimit: 3 };
		const called = await callTool(
			{ baseUrl },
			{ parameters, args: { url: SITE }, credential: { baseUrl, apiKey }, retryOf: previous },
		);
		const attempt = attemptOf(called.execution, '', AGENT_NODE, [AGENT_NODE, TOOL_NODE]);
		return { ...attempt, said: `${attempt.said}\n${called.text}` };
	},
};

const FIRMS = ['Osterby Couriers', 'Nordhaven Cargo Cycles'];
const TABLE = {
	parameters: {
		operation: 'fillColumns',
		subject: '={{ $json.company }}',
		columnsFrom: 'json',
		columnsJson: '{ "riders": { "description": "Number of riders of the firm", "type": "number" } }',
		options: { maxUrls: 2, maxDepth: 1 },
	},
	items: FIRMS.map((company) => ({ company })),
};

/** A cited page, one beside it, and a sentence whose source is searched for. */
const CHECK = {
	parameters: {
		operation: 'checkText',
		text: 'A swap takes under 2 minutes [1]. Insurance costs 350 to 600 euros a year [2]. A trike costs 8,000 euros.\n\n1. https://example.com/batteries\n2. https://example.com/costs',
		withoutSource: 'search',
	},
};

/** A run of Web Research. */
function ofResearch(
	name: string,
	asked: Pick<Parameters<typeof runResearch>[1] & object, 'parameters' | 'items'>,
): Scenario {
	return {
		name,
		async run(settings, sandbox) {
			const { baseUrl, apiKey, signal } = settings;
			let before = '';
			const onProgress = (node: string, stored: string) => void (node === 'Items' && (before = stored));
			const node = nodeSettings(settings);
			const more = { ...asked, apiKey, node, onProgress, ...(signal && { signal }) };
			return attemptOf(await runResearch({ ...sandbox, baseUrl }, more), before, RESEARCH);
		},
		async retry(previous, { baseUrl, apiKey }, sandbox) {
			return attemptOf(await retryResearch({ ...sandbox, baseUrl }, previous, { ...asked, apiKey }), '', RESEARCH);
		},
	};
}

/** A crawl that is stopped while it runs: what cancels it may be cut off as well. */
function stoppedCrawl(): Scenario {
	const crawl = ofNode('a crawl that is cancelled by Stop', CRAWL, undefined, { jobDurationMs: 60_000 });
	return {
		...crawl,
		isStopped: true,
		modes: ['kill', 'lost, Retry'],
		at: /^DELETE/,
		async run(settings, sandbox) {
			const stop = new AbortController();
			setTimeout(() => stop.abort(), 10_000);
			return await crawl.run({ ...settings, signal: stop.signal }, sandbox);
		},
	};
}

/** Stopped half a minute after its start, of which the answer is lost, while a job runs that only looks like its own. */
function beside(
	name: string,
	parameters: INodeParameters,
	others: NonNullable<Scenario['others']>,
	at: RegExp,
): Scenario {
	const own = ofNode(name, parameters, undefined, { jobDurationMs: 120_000 });
	return {
		...own,
		others,
		isStopped: true,
		breaksBefore: true,
		modes: ['lost, Retry'],
		at,
		async run(settings, sandbox) {
			const stop = new AbortController();
			setTimeout(() => stop.abort(), 30_000);
			return await own.run({ ...settings, signal: stop.signal }, sandbox);
		},
	};
}

const AGENT = { resource: 'agent', operation: 'start', prompt: 'What does a cargo bike cost?' };

/** Somebody else of the account starts the same. */
const byAnother: Scenario['others'] = async (_settings, sandbox) => [
	await startedJob(sandbox, '/v2/agent', { prompt: AGENT.prompt }),
];

/** Another execution of this n8n starts the same. */
const byAnotherExecution: Scenario['others'] = async (settings, sandbox) => {
	void ofNode('', CRAWL).run(settings, sandbox);
	await until('the other crawl', () => sandbox.stats().starts.total === 1);
	return sandbox.stats().starts.list.map(({ id }) => id);
};

/** The polls of a trigger, before and after a job that it is to tell. What n8n stores of them is their static data. */
const poll: Scenario = {
	name: 'a poll trigger, Job Finished',
	modes: ['kill', 'lost, Retry'],
	async run(settings, sandbox) {
		return await pollUntilTold({}, settings, sandbox);
	},
	async retry({ stored }, settings, sandbox) {
		return await pollUntilTold(JSON.parse(stored) as IDataObject, settings, sandbox);
	},
};

/** Polls; starts the job where there is none; polls until it is told. A poll that fails is made again, as n8n does. */
async function pollUntilTold(
	staticData: IDataObject,
	{ baseUrl, signal }: Settings,
	sandbox: Sandbox,
): Promise<Attempt> {
	const trigger = pollingTrigger({
		package: await builtPackage(),
		// Its static data names the server and the account: they are those of before.
		credential: { baseUrl, apiKey: KEY },
		nodeName: 'webDataPollTrigger',
		parameters: { event: 'jobFinished' },
		staticData: structuredClone(staticData),
	});
	let stored = JSON.stringify(staticData);
	let said = '';
	let items: IDataObject[] = [];
	for (let polls = 0; polls < 4 && items.length === 0 && !signal?.aborted; polls += 1) {
		const isMarked = stored !== '{}';
		if (isMarked && sandbox.stats().starts.total === 0) {
			await startedJob(sandbox, '/v2/crawl', { url: SITE, limit: 2 });
			await after(60_000);
		}
		try {
			items = ((await trigger.poll()) ?? []).map(({ json }) => json);
			if (!signal?.aborted) stored = JSON.stringify(trigger.staticData());
		} catch (error) {
			said += String(error);
		}
		await after(60_000);
	}
	return {
		executionId: '',
		stored,
		killed: stored,
		isOk: items.length > 0,
		items,
		said,
		traces: `${said}${stored}${JSON.stringify(items)}`,
	};
}

const BACKGROUND = { ...CRAWL, waitForCompletion: 'free' };
/** Longer than Max Wait, at the end of which n8n wakes what nobody has called. */
const DEADLINE_MS = 61 * 60_000;

/** The n8n of each service, in which executions wait, and which of them waited when it was killed. */
const hosts = new WeakMap<Sandbox, { host: WaitingHost; wasWaiting?: string }>();

async function hostFor(sandbox: Sandbox): Promise<{ host: WaitingHost; wasWaiting?: string }> {
	const known = hosts.get(sandbox) ?? { host: endsLater(await startWaitingHost()) };
	hosts.set(sandbox, known);
	return known;
}

/** A crawl whose execution waits in n8n's database. Killed there, it goes on by the service's call, or at its deadline. */
const inTheBackground: Scenario = {
	name: 'a crawl in the background',
	service: { jobDurationMs: 20_000 },
	async run(settings, sandbox) {
		const known = await hostFor(sandbox);
		const { host } = known;
		let before = '';
		const onProgress = (node: string, stored: string) => void (node === 'Items' && (before = stored));
		const options = { ...(await backgroundOptions(settings)), onProgress };
		const first = await host.run(options);
		const { executionId, run } = first;
		if (run.status !== 'waiting') return attemptOf(first, before, NODE);
		const { signal } = settings;
		const stopped = new Promise<'stopped'>((resolve) => signal?.addEventListener('abort', () => resolve('stopped')));
		const ended = signal?.aborted ? 'stopped' : await Promise.race([endOf(host, executionId), stopped]);
		if (ended !== 'stopped') return backgroundAttempt(ended, first.stored);
		// What n8n has stored of an execution that it has woken is what it had stored when that began to wait.
		if (!host.waiting(executionId)) return { ...attemptOf(first, first.stored, NODE), isOk: false };
		if (settings.isKilled) known.wasWaiting = executionId;
		else host.stopWaiting(executionId);
		return { ...attemptOf(first, '', NODE), isOk: false };
	},
	async retry(previous, settings, sandbox) {
		const known = await hostFor(sandbox);
		const { host, wasWaiting } = known;
		const options = await backgroundOptions(settings);
		if (wasWaiting === undefined) {
			const again = await host.retry(previous, options);
			return backgroundAttempt(await endOf(host, again.executionId));
		}
		delete known.wasWaiting;
		host.restarted(wasWaiting, options, OWN_CALL_HEADER);
		return backgroundAttempt(await endOf(host, wasWaiting));
	},
};

/** The execution when nobody waits for it any more: n8n looks at the deadline of each that it has. */
async function endOf(host: WaitingHost, executionId: string): Promise<Execution> {
	const atDeadline = after(DEADLINE_MS).then(async () => {
		if (host.waiting(executionId)) await host.timeIsUp(executionId);
		return await host.ended(executionId);
	});
	return await Promise.race([host.ended(executionId), atDeadline]);
}

/** What n8n passes on at the deadline is the input, in which each item says which job is its own. */
function backgroundAttempt(execution: Execution, before = ''): Attempt {
	const attempt = attemptOf(execution, before, NODE);
	return { ...attempt, said: `${attempt.said}\n${JSON.stringify(attempt.items)}` };
}

async function backgroundOptions(settings: Settings) {
	const { baseUrl, apiKey, signal } = settings;
	const run = { credential: { baseUrl, apiKey }, node: nodeSettings(settings), ...(signal && { signal }) };
	return { ...(await executionOptions({ baseUrl }, BACKGROUND, run)), pinData: { Items: [{ json: {} }] } };
}

export const CRAWL_SCENARIO = ofNode('a crawl', CRAWL);

export const SCENARIOS: readonly Scenario[] = [
	ofNode('a scrape', { ...SCRAPE, ...CAP }, pages(1)),
	ofNode('ten scrapes', { ...SCRAPE, ...CAP }, pages(10)),
	{
		...ofNode('a search', {
			resource: 'search',
			operation: 'search',
			query: 'cargo bikes',
			maxResults: 5,
			options: { maxCredits: 2 },
		}),
		cap: 2,
	},
	CRAWL_SCENARIO,
	inTheBackground,
	stoppedCrawl(),
	beside('a crawl beside the same one of another execution', CRAWL, byAnotherExecution, /^POST \/v2\/crawl #2/),
	beside('an agent job beside the same one of somebody else', AGENT, byAnother, /^POST \/v2\/agent/),
	ofNode(
		'a batch in two jobs',
		{
			resource: 'batchScrape',
			operation: 'start',
			url: '={{ $json.url }}',
			options: { maxCredits: 40, maxConcurrency: '={{ $json.url.length % 2 + 1 }}' },
		},
		pages(6),
	),
	ofNode(
		'a batch where the service lists nothing',
		{ resource: 'batchScrape', operation: 'start', url: '={{ $json.url }}' },
		pages(2),
		{ database: false },
	),
	ofNode('an agent job', AGENT),
	{
		...ofNode('a browser session', inNewSession(['1 + 1', '2 + 2'])),
		mayCostAgain: 'a step whose answer is lost',
	},
	ofNode('a parsed file', PARSE, [itemWith({ data: binaryOf('birds.csv') })]),
	ofNode('a monitor', {
		resource: 'monitor',
		operation: 'create',
		name: 'prices',
		targets: { target: [{ type: 'scrape', urls: `${SITE}/costs` }] },
		scheduleBy: 'words',
		scheduleText: 'daily at 9:00',
	}),
	{
		...ofNode(
			'three runs of a data tool',
			{
				resource: 'dataTool',
				operation: 'run',
				provider: 'open-registry',
				capability: 'company-profile',
				inputsAs: 'json',
				inputsJson: '={{ { name: $json.name } }}',
				options: { maxCredits: 15 },
			},
			['Kestrel', 'Tern', 'Oriole'].map((name) => ({ json: { name } })),
		),
		cap: 15,
		isPaidOnce: true,
	},
	agent,
	ofResearch('a research', { parameters: { options: { maxUrls: 3 } } }),
	// Several at once, which need the same pages.
	ofResearch('rows of a table', TABLE),
	ofResearch('a check of a text', CHECK),
	newsOfResearch,
	newsOfTable,
	newAndChanged,
	poll,
];
