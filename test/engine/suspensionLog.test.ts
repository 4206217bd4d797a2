/** Where a person finds the jobs of a suspended execution, whatever becomes of the wait. */
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { n8nLog } from '../../tools/n8n-engine/index.ts';
import { suspendingCrawl, openWaitingSetup } from './suspension';
import type { WaitingSetup } from './suspension';
import { executionOptions, NODE, startedIds } from './run';

let setup: WaitingSetup;
const logged: string[] = [];

beforeEach(async () => {
	setup = await openWaitingSetup({ jobDurationMs: 60_000, lightWork: true });
	jest.spyOn(n8nLog(), 'info').mockImplementation((text) => void logged.push(text));
});
afterEach(async () => {
	logged.length = 0;
});

/** Suspends a node of this name. */
async function parkAs(name: string): Promise<Execution> {
	const options = await executionOptions(setup.sandbox, suspendingCrawl(setup.sandbox));
	const renamed = JSON.stringify(options.workflow).replaceAll(`"${NODE}"`, JSON.stringify(name));
	const workflow = JSON.parse(renamed) as typeof options.workflow;
	const pinData = { Items: [{ json: {} }] };
	return await setup.host.run({ ...options, workflow, nodeOverrides: {}, pinData });
}

it('the log says what it waits for, and until when', async () => {
	const { executionId, run } = await setup.run(suspendingCrawl(setup.sandbox));
	const until = new Date(Number(run.waitTill)).toISOString();
	expect(logged).toContain(
		`Execution ${executionId}, node "${NODE}": suspended until the service calls or it is ${until}, for 1 crawl: ${startedIds(setup.sandbox)[0]}`,
	);
});

it.each([
	['Web Data', 'webData_Web_Data'],
	['Läden – Preise (täglich)!', 'webData_Läden_Preise_täglich_'],
	['店舗', 'webData_店舗'],
	[`${'x'.repeat(45)} and more`, `webData_${'x'.repeat(42)}`],
	// The fiftieth place would cut this letter in two, which n8n refuses.
	[`${'x'.repeat(41)}𠮷`, `webData_${'x'.repeat(41)}_`],
])('the custom data of a node called %j have its job at %s', async (name, key) => {
	const { run } = await parkAs(name);
	expect(run.data.resultData.metadata).toEqual({ [key]: `Crawl · Get: ${startedIds(setup.sandbox)[0]}` });
});
