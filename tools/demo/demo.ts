import type { INodeExecutionData } from 'n8n-workflow';
import { join } from 'node:path';
import {
	DataTables,
	CHAT_MODEL_TYPE,
	chatModelNode,
	dataNodes,
	flowNodes,
	loadBuiltPackage,
	readWorkflowFile,
	runWorkflow,
} from '../n8n-engine/index.ts';
import type { Execution } from '../n8n-engine/index.ts';
import { saveFiles } from './files.ts';
import type { DemoOptions } from './options.ts';
import { ownParameters, STEPS } from './steps.ts';
import type { DemoStep } from './steps.ts';
import { showWaiting, styled, wrapped } from './terminal.ts';
import { watchJobs } from './waits.ts';

/** What the demo needs to know of the world around it. */
interface DemoSurroundings extends DemoOptions {
	/** The folder of the package. */
	root: string;
	service: { baseUrl: string; apiKey: string };
	signal: AbortSignal;
	/** Begins the second week of the sandbox's site; left out with another service. */
	nextWeek?: () => Promise<unknown>;
	/** Writes a line of progress. */
	say: (line: string) => void;
	/** Writes the result. */
	print: (text: string) => void;
}

interface Ran {
	name: string;
	items: INodeExecutionData[];
	hints: string[];
	/** How each job was waited for. */
	waits: string[];
}

/**
 * Runs the examples one after the other in n8n's own engine against the service, prints what comes out
 * of each and saves its files. With `json`: prints the items of all of them as a JSON array instead.
 * Throws an Error when an example fails or was cancelled.
 */
export async function runDemo(demo: DemoSurroundings): Promise<void> {
	const { json, print, say, steps } = demo;
	const loaded = await loadBuiltPackage(demo.root);
	const results: object[] = [];
	for (const name of steps) {
		const step: DemoStep = STEPS[name];
		say(`\nRunning examples/${step.file} in n8n's own engine`);
		// What n8n keeps from one week to the next.
		const tables = new DataTables();
		const runs = [await runAndPrint(demo, step, loaded, tables)];
		if (step.isWeekly && demo.nextWeek) {
			await demo.nextWeek();
			say('\nA week later');
			runs.push(await runAndPrint(demo, step, loaded, tables));
		}
		results.push({ step: name, items: runs.flatMap(({ items }) => items.map((item) => item.json)) });
	}
	if (json) print(`${JSON.stringify(results, null, 2)}\n`);
}

async function runAndPrint(
	demo: DemoSurroundings,
	step: DemoStep,
	loaded: Awaited<ReturnType<typeof loadBuiltPackage>>,
	tables: DataTables,
): Promise<Ran> {
	const endWaiting = demo.json ? () => undefined : showWaiting(process.stderr, 'running');
	const ran = await runStep(demo, step, loaded, tables).finally(endWaiting);
	if (!demo.json) await printStep(demo, step, ran);
	return ran;
}

async function runStep(
	demo: DemoSurroundings,
	step: DemoStep,
	loaded: Awaited<ReturnType<typeof loadBuiltPackage>>,
	tables: DataTables,
): Promise<Ran> {
	const workflow = await readWorkflowFile(join(demo.root, 'examples', step.file));
	const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
	const endWatch = watchJobs(new URL(demo.service.baseUrl).host);
	const execution = await runWorkflow({
		package: loaded,
		// Times are told in the zone of this machine, and not in n8n's default.
		workflow: { ...workflow, settings: { ...workflow.settings, timezone } },
		// Some examples wait for minutes after it.
		destinationNode: step.result,
		credential: demo.service,
		signal: demo.signal,
		// n8n remembers nothing of test runs.
		...(step.isWeekly && { mode: 'trigger' as const }),
		tables,
		otherNodeTypes: { ...flowNodes, ...dataNodes, [CHAT_MODEL_TYPE]: chatModelNode },
		nodeOverrides: {
			[step.node]: { parameters: ownParameters(step, demo) },
			...(step.model !== undefined && {
				[step.model]: { parameters: { options: { baseURL: `${demo.service.baseUrl}/v1` } } },
			}),
		},
	});
	const waits = endWatch();
	assertSucceeded(execution);
	return {
		name: workflow.name,
		items: execution.items(step.result),
		hints: execution.hints(step.node).map(({ message }) => message),
		waits,
	};
}

async function printStep({ root, print }: DemoSurroundings, step: DemoStep, ran: Ran) {
	const { stdout } = process;
	const aside = (text: string) => print(`${styled(stdout, 'dim', wrapped(text))}\n`);
	print(`${styled(stdout, 'bold', `== ${ran.name}`)}\n`);
	for (const item of ran.items) print(`${wrapped(step.shown(item))}\n`);
	for (const wait of ran.waits) aside(wait);
	for (const hint of ran.hints) aside(`(${hint})`);
	const folder = await saveFiles(join(root, '.demo'), ran.items);
	if (folder !== undefined) print(`Files saved: ${folder}\n`);
}

function assertSucceeded({ run, error }: Execution): void {
	if (run.status === 'canceled') throw new Error('Cancelled.');
	if (error !== undefined) throw new Error(error.message);
}
