import { recoveredFromCrash } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after, errorText, KEY, KEY_AFTERWARDS, startSandbox } from './run';
import { callsOf, RESEARCH, retryResearch, runResearch } from './webResearchRun';

/** A process that was started again knows nothing of this credential; in this one, another key has that. */
const AFTERWARDS = { apiKey: KEY_AFTERWARDS };

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({
		seed: 1,
		keys: [KEY, AFTERWARDS.apiKey],
	});
});

/** An execution as n8n's recovery leaves it: with nothing that the node has remembered. */
async function killed() {
	let stored = '';
	const { executionId } = await runResearch(sandbox, {
		onProgress: (name, data) => {
			if (name === 'Items') stored = data;
		},
	});
	return { executionId, stored: recoveredFromCrash(stored, RESEARCH) };
}

describe('n8n that was killed while the node ran', () => {
	it('pays for no page again in the Retry that the service still has', async () => {
		const execution = await killed();
		const before = callsOf(sandbox);
		await after(60_000);
		expect(before.scrape).toBeGreaterThan(1);
		const retried = await retryResearch(sandbox, execution, AFTERWARDS);
		expect(errorText(retried)).toBe('');
		expect(retried.items(RESEARCH)[0]?.json.status).toBe('completed');
		expect(callsOf(sandbox).scrape).toBe(before.scrape);
		const hints = retried.hints(RESEARCH).map(({ message }) => message);
		expect(hints.join()).toContain('n8n was killed while this node ran');
	});

	it('scrapes in the Retry where the service lists nothing', async () => {
		const execution = await killed();
		const before = callsOf(sandbox);
		await after(60_000);
		sandbox.faults.add({ step: 'activity', kind: 'status', httpStatus: 404 });
		const retried = await retryResearch(sandbox, execution, AFTERWARDS);
		expect(errorText(retried)).toBe('');
		expect(callsOf(sandbox).scrape).toBe(2 * before.scrape);
	});
});
