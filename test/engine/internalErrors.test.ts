import { createRequire } from 'node:module';
import { join } from 'node:path';

import type * as n8n from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { runWorkflow } from '../../tools/n8n-engine/index.ts';
import { mistakes } from '../../tools/n8n-engine/mistakes.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import type * as jobKinds from '../../nodes/service/jobs/jobKinds';
import type * as crawlResults from '../../nodes/WebData/resources/crawl';
import type * as scrapes from '../../nodes/WebData/resources/page';
import type * as sessions from '../../nodes/WebData/resources/browser/code';
import type { Sandbox } from '../../sandbox/server.ts';
import { inNewSession, openIds } from './browserRun';
import { scraped, startPageService } from './pageService';
import { after, errorText, executionOptions, runNode, startedIds, startSandbox } from './run';
import type { RunSettings } from './run';

// Errors that are no word of the service's: n8n's own, and mistakes in this package.

const KEY = 'fc-3f9a1c7e5d2b';
const GONE = 'Credential with ID "1" does not exist for type "webDataApi".';

/** The package that n8n has loaded, not a second one. */
const load = createRequire(__filename);

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300, keys: [KEY, 'fc-sandbox'] });
});

/** What the built package exports from one of its files. */
function built<T>(file: string): T {
	return load(join(__dirname, '../../dist/nodes', file)) as T;
}

beforeAll(() => {
	mistakes.areRefused = false;
});
afterAll(() => {
	mistakes.areRefused = true;
});

/** A mistake as JavaScript finds it, in whose text the key happens to stand. */
function mistake(): never {
	throw new TypeError(`Cannot read properties of undefined (reading '${KEY}')`);
}

const crawl = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'crawl',
	operation: 'start',
	url: '={{ $json.url }}',
	...more,
});

const scrape: INodeParameters = { resource: 'page', operation: 'scrape', url: '={{ $json.url }}' };

const sites = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ url: `${sandbox.siteUrl}/?page=${index}` }));

/** Runs with a credential that n8n no longer finds once `isGone` says so. */
async function runWithoutCredential(parameters: INodeParameters, isGone: () => boolean): Promise<Execution> {
	const credential: ICredentialDataDecryptedObject = {
		get baseUrl() {
			if (isGone()) throw new UserError(GONE);
			return sandbox.baseUrl;
		},
		apiKey: KEY,
	};
	return await runWorkflow({
		...(await executionOptions(sandbox, parameters)),
		credential,
		pinData: { Items: sites(1).map((json) => ({ json })) },
	});
}

async function run(parameters: INodeParameters, items = sites(1), settings: RunSettings = {}): Promise<Execution> {
	const credential = { baseUrl: sandbox.baseUrl, apiKey: KEY };
	return await runNode(sandbox, parameters, { credential, items, ...settings });
}

describe('what n8n throws is the error of the node', () => {
	it('when the credential is gone before anything is sent', async () => {
		const { error } = await runWithoutCredential(crawl(), () => true);
		expect(error?.message).toBe(GONE);
		expect(sandbox.stats().requests).toBe(0);
	});

	it('when the credential is deleted while a job runs: the job is named', async () => {
		const execution = await runWithoutCredential(crawl(), () => startedIds(sandbox).length > 0);
		expect(execution.error?.message).toBe(GONE);
		expect(startedIds(sandbox)).toHaveLength(1);
		expect(errorText(execution)).toContain(startedIds(sandbox)[0]);
	});

	it('when the credential is deleted before the second of two steps in a browser: the session is named', async () => {
		const isUsed = () => (sandbox.stats().calls.browserExecute ?? 0) > 0;
		const execution = await runWithoutCredential(inNewSession(['1', '2']), isUsed);
		const [id = 'none'] = await openIds(sandbox);
		expect(execution.error?.message).toBe(GONE);
		expect(errorText(execution)).toContain(id);
	});
});

describe('a mistake in this package is told as one', () => {
	const expectMistake = (execution: Execution, ...ids: string[]) => {
		const { error } = execution;
		expect(errorText(execution)).toContain('Cannot read properties of undefined');
		expect(error?.name).toBe('TypeError');
		expect(error?.stack).toMatch(/\bmistake \(/);
		expect(execution.stored + String(error?.stack)).not.toContain(KEY);
		for (const id of ids) expect(errorText(execution)).toContain(id);
	};

	it('when it is made with the pages of a job: all jobs of the run are named', async () => {
		const { crawlResult } = built<typeof crawlResults>('WebData/resources/crawl.js');
		jest.spyOn(crawlResult, 'toPageItem').mockImplementation(mistake);
		const execution = await run(crawl(), sites(2), { node: { onError: 'continueRegularOutput' } });
		expect(startedIds(sandbox)).toHaveLength(2);
		const [{ json } = { json: {} }] = execution.items('Web Data');
		for (const id of startedIds(sandbox)) expect(JSON.stringify(json)).toContain(id);
		expectMistake(await run(crawl(), sites(2)), ...startedIds(sandbox).slice(2));
	});

	it('when it is made with the pages of a job while those of another are tried again: nothing more is asked for', async () => {
		const { crawlResult } = built<typeof crawlResults>('WebData/resources/crawl.js');
		const { toPageItem } = crawlResult;
		jest
			.spyOn(crawlResult, 'toPageItem')
			.mockImplementation((...given) => (JSON.stringify(given).includes('page=0') ? mistake() : toPageItem(...given)));
		const service = await startPageService({
			sliceSize: 1,
			job: ({ url }) => ({ pages: [scraped(String(url)), scraped('https://example.com/')] }),
			instead: ({ query }) => (query.skip === '1' ? { status: 503, body: {} } : undefined),
		});
		const execution = await run(crawl(), sites(2), {
			credential: { baseUrl: service.baseUrl, apiKey: KEY },
		});
		expectMistake(execution, 'job-0', 'job-1');
		// What was on its way arrives.
		await after(100);
		const { length } = service.requests;
		await after(60_000);
		expect(service.requests).toHaveLength(length);
	});

	it('when it is made as a start is answered: no further job is started', async () => {
		const { crawlResult } = built<typeof crawlResults>('WebData/resources/crawl.js');
		jest.spyOn(crawlResult, 'toStartedItem').mockImplementation(mistake);
		const execution = await run(crawl({ options: { waitOptions: { maxJobsAtOnce: 1 } } }), sites(5));
		expect(startedIds(sandbox)).toHaveLength(1);
		expectMistake(execution, ...startedIds(sandbox));
	});

	it('when it is made as a job is watched: all jobs of the run are named', async () => {
		jest.spyOn(built<typeof jobKinds>('service/jobs/jobKinds.js'), 'readJob').mockImplementation(mistake);
		const execution = await run(crawl(), sites(3));
		expectMistake(execution, ...startedIds(sandbox));
		expect(startedIds(sandbox)).toHaveLength(3);
	});

	it('when it is made with an answer: nothing more is sent', async () => {
		const { scrape: operation } = built<typeof scrapes>('WebData/resources/page.js');
		jest.spyOn(operation, 'toItems').mockImplementation(mistake);
		expectMistake(await run(scrape, sites(200)));
		const { length } = sandbox.stats().scrapes;
		expect(length).toBeLessThan(200);
		await after(500);
		expect(sandbox.stats().scrapes).toHaveLength(length);
	});

	it('when it puts the key into the details of an error: they are shown without it', async () => {
		const { crawlResult } = built<typeof crawlResults>('WebData/resources/crawl.js');
		const { NodeOperationError } = load('n8n-workflow') as typeof n8n;
		const node = { id: '1', name: 'Web Data', type: '', typeVersion: 1, position: [0, 0], parameters: {} } as n8n.INode;
		jest.spyOn(crawlResult, 'toPageItem').mockImplementation(() => {
			const error = new NodeOperationError(node, 'Not a page.');
			error.context.details = { sent: { authorization: `Bearer ${KEY}` } };
			throw error;
		});
		const { stored } = await run(crawl());
		expect(stored).toContain('authorization');
		expect(stored).not.toContain(KEY);
	});

	it('when it is made in a browser session: the session is closed', async () => {
		const { runInNewSession } = built<typeof sessions>('WebData/resources/browser/code.js');
		const { steps } = runInNewSession;
		if (!steps) throw new Error('It has steps.');
		jest.spyOn(steps, 'toOutput').mockImplementation(mistake);
		expectMistake(await run(inNewSession(['1'])));
		expect(await openIds(sandbox)).toEqual([]);
	});
});
