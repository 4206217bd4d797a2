/**
 * The API key is another one at the Retry: a new key of the same account loses nothing, and what another account does
 * not have proves nothing.
 */
import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import {
	after,
	crawlStart,
	errorText,
	hintsIn,
	KEY,
	killedInNode,
	questions,
	retryNode,
	runNode,
	startedIds,
	startParameters,
	startSandbox,
} from './run';
import { ask } from '../sandbox/client';
import { inNewSession } from './browserRun';
import type { RunSettings, Stored } from './run';

const KEYS = { same: KEY, new: 'fc-new', other: 'fc-other' };
type Whose = keyof typeof KEYS;

const PAGE = 'https://example.com/costs';
const CRAWL = crawlStart({ url: 'https://example.com', pageLimit: 3 });
const SCRAPE = { resource: 'page', operation: 'scrape', url: PAGE };
const TOOL = {
	resource: 'dataTool',
	operation: 'run',
	provider: 'open-registry',
	capability: 'company-profile',
	inputsAs: 'json',
	inputsJson: '{ "name": "Kestrel" }',
};
const KINDS = { 'a crawl': CRAWL, 'a scrape': SCRAPE, 'a data tool': TOOL } as const;
type Kind = keyof typeof KINDS;

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ seed: 1, keys: [KEYS.same, KEYS.new], otherAccounts: [[KEYS.other]] });
});

const keyed = (whose: Whose, more: RunSettings = {}): RunSettings => ({
	credential: { baseUrl: sandbox.baseUrl, apiKey: KEYS[whose] },
	...more,
});

async function retry(previous: Stored, parameters: INodeParameters, whose: Whose): Promise<Execution> {
	await after(120_000);
	return await retryNode(sandbox, previous, parameters, keyed(whose));
}

/** What a person reads of it: the error, or the hints. */
const saidBy = (execution: Execution) => errorText(execution) || hintsIn(execution);

/** Credits of the account, and of the other one, when all jobs have ended. */
async function credits(): Promise<[mine: number, theirs: number]> {
	await after(120_000);
	return [sandbox.stats().creditsUsed, sandbox.others[0]?.stats().creditsUsed ?? 0];
}

const STEPS = { 'a crawl': 'start', 'a scrape': 'scrape', 'a data tool': 'dataTool' } as const;

/** A first try that ends in this trouble. `never`: what was sent has not arrived. */
async function firstTry(kind: Kind, trouble: string): Promise<Stored> {
	const step = STEPS[kind];
	const parameters = KINDS[kind];
	if (trouble === 'killed') return await killedInNode(sandbox, parameters, keyed('same'));
	if (trouble.startsWith('killed in a Retry')) {
		const { stored } = await firstTry(kind, 'refused');
		if (trouble.endsWith('never sent')) sandbox.faults.add({ step, kind: 'status', httpStatus: 402, times: 1 });
		const { executionId } = await retry({ executionId: '', stored }, parameters, 'same');
		// n8n stores a Retry with what it begins with.
		return { executionId, stored };
	}
	if (trouble === 'killed, never sent') {
		sandbox.faults.add({ step, kind: 'status', httpStatus: 402, times: 1 });
		return await killedInNode(sandbox, parameters, keyed('same'));
	}
	if (trouble === 'read') {
		sandbox.faults.add({ step: 'status', kind: 'status', httpStatus: 403 });
	} else if (trouble === 'refused') sandbox.faults.add({ step, kind: 'status', httpStatus: 402, times: 1 });
	else {
		// A data tool is sent again with its id, until that is given up.
		sandbox.faults.add({ step, kind: 'reset', when: trouble === 'lost, never sent' ? 'before' : 'after', times: 6 });
	}
	sandbox.faults.add({ step: 'activity', kind: 'status', httpStatus: 403 });
	sandbox.faults.add({ step: 'active', kind: 'status', httpStatus: 403 });
	const failed = await runNode(sandbox, parameters, keyed('same'));
	expect(errorText(failed)).not.toBe('');
	sandbox.faults.clear();
	return failed;
}

/** `then`: credits of the account and of the other one after the Retry, and what it says. */
const CHANGED = /The API key has changed since then/;
const ROWS: Array<[kind: Kind, trouble: string, whose: Whose, then: [number, number, RegExp]]> = [
	['a crawl', 'refused', 'same', [3, 0, /1 job finished/]],
	['a crawl', 'refused', 'new', [3, 0, /1 job finished/]],
	['a crawl', 'refused', 'other', [0, 3, /1 job finished/]],
	['a crawl', 'lost', 'same', [3, 0, /Found 1 job again/]],
	['a crawl', 'lost', 'new', [3, 0, /Found 1 job again/]],
	['a crawl', 'lost', 'other', [3, 0, CHANGED]],
	['a crawl', 'killed', 'new', [3, 0, /Found 1 job again/]],
	['a crawl', 'killed', 'other', [3, 3, /read with today's API key, showed no job of that try.*started: /]],
	['a crawl', 'killed, never sent', 'new', [3, 0, /read with today's API key, showed no job of that try/]],
	['a crawl', 'killed in a Retry', 'new', [3, 0, /Found 1 job again/]],
	['a crawl', 'killed in a Retry', 'other', [3, 0, CHANGED]],
	['a crawl', 'killed in a Retry, never sent', 'new', [0, 0, CHANGED]],
	['a crawl', 'read', 'new', [3, 0, /Reused 1 job/]],
	['a crawl', 'read', 'other', [3, 0, /The API key has changed since the crawl/]],
	['a scrape', 'refused', 'other', [0, 1, /1 page/]],
	['a scrape', 'lost', 'same', [1, 0, /was lost, and found again/]],
	['a scrape', 'lost', 'new', [1, 0, /was lost, and found again/]],
	['a scrape', 'lost', 'other', [1, 0, CHANGED]],
	['a scrape', 'killed', 'new', [1, 0, /was lost, and found again/]],
	['a scrape', 'killed', 'other', [1, 1, /not found with today's API key and sent again/]],
	['a data tool', 'refused', 'other', [0, 5, /1 record \(= 5 credits/]],
	['a data tool', 'lost', 'same', [5, 0, /1 record \(= 5 credits/]],
	['a data tool', 'lost', 'new', [5, 0, CHANGED]],
	['a data tool', 'lost', 'other', [5, 0, CHANGED]],
	['a data tool', 'killed in a Retry', 'other', [5, 0, CHANGED]],
	[
		'a data tool',
		'killed',
		'new',
		[5, 0, /sent with the request ID of before, which Firecrawl charges once in an account/],
	],
	[
		'a data tool',
		'killed',
		'other',
		[5, 5, /sent with the request ID of before, which Firecrawl charges once in an account/],
	],
];

it.each(ROWS)('%s, %s, then retried with the %s key', async (kind, trouble, whose, [mine, theirs, says]) => {
	const first = await firstTry(kind, trouble);
	const retried = await retry(first, KINDS[kind], whose);
	expect([await credits(), saidBy(retried)]).toEqual([[mine, theirs], expect.stringMatching(says)]);
});

describe('one more Retry, when the user was told', () => {
	it.each<[Kind, string, Whose, [number, number]]>([
		['a crawl', 'killed in a Retry, never sent', 'new', [3, 0]],
		['a crawl', 'read', 'other', [3, 3]],
		['a scrape', 'lost', 'other', [1, 1]],
		// A new key of the same account is charged once for the same id.
		['a data tool', 'lost', 'new', [5, 0]],
		['a data tool', 'lost', 'other', [5, 5]],
	])('sends %s, %s, with the %s key', async (kind, trouble, whose, paid) => {
		const first = await firstTry(kind, trouble);
		const told = await retry(first, KINDS[kind], whose);
		expect(errorText(told)).toContain('One more retry of this execution');
		const sent = await retry(told, KINDS[kind], whose);
		expect([errorText(sent), await credits()]).toEqual(['', paid]);
	});

	it('starts a lost one again only as If Start Is Uncertain says', async () => {
		const again = { ...CRAWL, options: { onUnclearStart: 'startAgain' } };
		const first = await firstTry('a crawl', 'lost');
		const told = await retry(first, again, 'other');
		expect(errorText(told)).toMatch(
			/if the new one is of another account.* One more retry of this execution starts it/,
		);
		expect(await credits()).toEqual([3, 0]);
		const sent = await retry(told, again, 'other');
		expect([errorText(sent), await credits()]).toEqual(['', [3, 3]]);
	});
});

it('a job that answers proves the account for all others of the run', async () => {
	// The first item's crawl is known by its id, the second's was lost and never arrived.
	const parameters = { ...CRAWL, url: '={{ $json.url }}', options: { onUnclearStart: 'startAgain' } };
	const items = [{ url: 'https://example.com/one' }, { url: 'https://example.com/two' }];
	sandbox.faults.add({ step: 'start', kind: 'reset', when: 'before', query: 'https://example.com/two' });
	sandbox.faults.add({ step: 'status', kind: 'status', httpStatus: 403 });
	const first = await runNode(sandbox, parameters, keyed('same', { items }));
	expect(errorText(first)).not.toBe('');
	sandbox.faults.clear();
	const retried = await retry(first, parameters, 'new');
	expect(errorText(retried)).toBe('');
	expect(startedIds(sandbox)).toHaveLength(2);
});

it('a job that is found by its address and time only proves no account', async () => {
	const parameters = startParameters({ options: { onUnclearStart: 'startAgain' } });
	sandbox.faults.add({ step: 'start', kind: 'reset', when: 'before' });
	sandbox.faults.add({ step: 'activity', kind: 'status', httpStatus: 403 });
	// Somebody of the other account asks the first question in the same moment.
	const authorization = `Bearer ${KEYS.other}`;
	const theirs = ask(sandbox, 'POST', '/v1/deep-research', { body: { query: 'question 0' }, authorization });
	const first = await runNode(sandbox, parameters, keyed('same', { items: questions(2) }));
	expect([(await theirs).status, errorText(first)]).toEqual([200, expect.stringContaining('may have been started')]);
	sandbox.faults.clear();
	const retried = await retry(first, parameters, 'other');
	expect(errorText(retried)).toMatch(CHANGED);
	expect(sandbox.others[0]?.stats().starts.list).toHaveLength(1);
});

it.each<[whose: Whose, says: RegExp]>([
	['new', /Closed 1 session that an earlier try had left open/],
	['other', /1 session could not be closed: /],
])('a browser session is called closed where the %s key has closed it', async (whose, says) => {
	const parameters = inNewSession(["'done'"]);
	sandbox.faults.add({ step: 'browserDelete', kind: 'status', httpStatus: 400 });
	sandbox.faults.add({ step: 'browserExecute', kind: 'status', httpStatus: 400 });
	const first = await runNode(sandbox, parameters, keyed('same'));
	expect(errorText(first)).not.toBe('');
	sandbox.faults.clear();
	const retried = await retry(first, parameters, whose);
	expect(hintsIn(retried)).toMatch(says);
});

it('a page that an item has paid for with another account is scraped again only by one more Retry', async () => {
	const parameters = { ...SCRAPE, url: '={{ $json.url }}' };
	const items = [{ url: PAGE }, { url: 'https://example.com/safety' }];
	sandbox.faults.add({ step: 'scrape', kind: 'status', httpStatus: 403, query: 'safety' });
	const first = await runNode(sandbox, parameters, keyed('same', { items }));
	expect(errorText(first)).not.toBe('');
	sandbox.faults.clear();
	const told = await retry(first, parameters, 'other');
	expect(errorText(told)).toContain('No result for');
	expect(await credits()).toEqual([1, 0]);
	const sent = await retry(told, parameters, 'other');
	expect([errorText(sent), await credits()]).toEqual(['', [1, 2]]);
});
