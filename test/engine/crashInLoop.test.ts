import { flowNodes, recoveredFromCrash, retryFromStored, runWorkflow } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { fromStored, toStored } from '../../tools/n8n-engine/stored.ts';
import { AGAIN, builtPackage, crawlStart, errorText, inLoop, KEY, NODE, workflowWith } from './run';
import { serve, service } from './pageService';

beforeEach(async () => {
	await serve();
});

const ROUNDS = 3;
const LOOPED = crawlStart({ url: '=https://site.example/{{ $runIndex }}-{{ $itemIndex }}' });
const DIED = /may have been started.*n8n's log.*retry this execution/;

async function options() {
	return {
		package: await builtPackage(),
		workflow: inLoop(workflowWith(LOOPED), ROUNDS),
		credential: { baseUrl: service.baseUrl, apiKey: KEY },
		otherNodeTypes: flowNodes,
	};
}

type Stored = Pick<Execution, 'executionId' | 'stored'>;

/** Runs to the end, and gives what n8n had stored, with "Save execution progress", after this node. */
async function storedAfter(nodeName: string, round: number): Promise<Stored> {
	let stored = '';
	let rounds = 0;
	const { executionId, error } = await runWorkflow({
		...(await options()),
		pinData: { Items: [{ json: {} }, { json: {} }] },
		onProgress: (name, data) => {
			if (name === nodeName && rounds++ === round) stored = data;
		},
	});
	expect(error).toBeUndefined();
	expect(service.count('POST')).toBe(2 * ROUNDS);
	return { executionId, stored };
}

/** The same a minute later, when n8n was killed in the meantime and was started again. */
function killed({ executionId, stored }: Stored, nodeName: string): Stored {
	const data = fromStored(recoveredFromCrash(stored, nodeName));
	for (const run of Object.values(data.resultData.runData).flat()) run.startTime -= 60_000;
	return { executionId, stored: toStored(data) };
}

const retry = async (previous: Stored) => await retryFromStored(previous, await options());

it.each([1, 2])('starts nothing of round %i again when n8n died while the node ran it', async (round) => {
	const retried = await retry(killed(await storedAfter(AGAIN, round - 1), NODE));
	expect(errorText(retried)).toMatch(DIED);
	expect(service.count('POST')).toBe(2 * ROUNDS);
});

it('goes on when n8n died in another node of the loop', async () => {
	const retried = await retry(killed(await storedAfter(NODE, 0), AGAIN));
	expect(retried.error).toBeUndefined();
	expect(service.count('POST')).toBe(2 * ROUNDS + 2 * (ROUNDS - 1));
});

it('goes on when n8n takes its time between two nodes of a retried loop', async () => {
	let ago: () => void = () => undefined;
	const retried = await retryFromStored(killed(await storedAfter(NODE, 0), AGAIN), {
		...(await options()),
		onStarted: ({ resultData }) => {
			ago = () => {
				for (const run of Object.values(resultData.runData).flat()) run.startTime -= 60_000;
			};
		},
		onProgress: () => ago(),
	});
	expect(errorText(retried)).toBe('');
	expect(service.count('POST')).toBe(2 * ROUNDS + 2 * (ROUNDS - 1));
});

it('takes up the jobs of a later round that failed', async () => {
	let refusals = 1;
	service.instead = ({ method, path }) =>
		method === 'GET' && path.endsWith('job-3') && refusals-- > 0
			? { status: 403, body: { error: 'Forbidden' } }
			: undefined;
	const failed = await runWorkflow({
		...(await options()),
		pinData: { Items: [{ json: {} }, { json: {} }] },
	});
	expect(errorText(failed)).toContain('job-3');
	const retried = await retry(killed(failed, NODE));
	expect(retried.error).toBeUndefined();
	expect(service.count('POST')).toBe(2 * ROUNDS);
});
