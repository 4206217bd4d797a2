import { join } from 'node:path';
import type { INodeParameters, IRunExecutionData } from 'n8n-workflow';
import { loadBuiltPackage, readWorkflowFile, runWorkflow } from '../engine/index.ts';
import { liveJobs } from './liveJobs.ts';
import { watchProgress } from './progress.ts';
import { saveReports, shownReport } from './report.ts';
import type { Execution, RunOptions } from '../engine/index.ts';
import type { DemoOptions } from './options.ts';

/** What the demo needs to know of the world around it. */
export interface DemoSurroundings extends DemoOptions {
	/** The folder of the package. */
	root: string;
	service: { baseUrl: string; apiKey: string };
	/** Pause between two looks at a job, in milliseconds. */
	lookEveryMs: number;
	signal: AbortSignal;
	/** Writes a line of progress. */
	say: (line: string) => void;
	/** Writes the result. */
	print: (text: string) => void;
}

const RESEARCH_NODE = 'Research';
const QUESTIONS_NODE = 'One Item per Question';

const QUESTIONS = [
	'How do cargo bikes compare with vans for city deliveries?',
	'Which rules apply to cargo bikes in cities?',
	'How far does the battery of a cargo bike last in winter?',
	'What does a delivery by cargo bike cost?',
	'How much load may a cargo bike carry?',
];

/**
 * Runs an example workflow against the service, shows what the research is doing, prints the analyses
 * and saves each as a report. With `json`: prints the output items as a JSON array instead.
 * Throws an Error when the workflow fails or was cancelled.
 */
export async function runDemo(demo: DemoSurroundings): Promise<void> {
	const { items, json, say, print, service } = demo;
	const options = await exampleRun(demo);

	let live: IRunExecutionData | undefined;
	const progress = watchProgress({
		...service,
		everyMs: demo.lookEveryMs,
		jobs: () => (live === undefined ? [] : liveJobs(live, RESEARCH_NODE)),
		onActivity: ({ item }, activity) =>
			say(items > 1 ? `  ${item + 1}  ${activity}` : `  ${activity}`),
	});
	const execution = await runWorkflow({
		...options,
		onStarted: (data) => {
			live = data;
		},
	}).finally(() => progress.stop());
	assertSucceeded(execution);

	const found = execution.items(RESEARCH_NODE);
	if (json) {
		print(
			`${JSON.stringify(
				found.map((item) => item.json),
				null,
				2,
			)}\n`,
		);
		return;
	}
	for (const item of found) print(`\n${shownReport(item)}`);
	print('\n');
	for (const { message } of execution.hints(RESEARCH_NODE)) print(`${message}\n`);
	for (const path of await saveReports(join(demo.root, '.demo'), found)) {
		print(`Report saved: ${path}\n`);
	}
}

/** One question: the example for one, with its own question. More: the example for a list. */
async function exampleRun(demo: DemoSurroundings): Promise<RunOptions> {
	const { items, json, query, root, service, signal } = demo;
	const several = items > 1;
	const file = several ? 'research-list-of-questions.json' : 'research-by-hand.json';
	const parameters: INodeParameters = {
		// For people the report file: analysis and numbered sources, made by the node itself.
		...(!json && { output: 'reportFile' }),
		...(!several && query !== undefined && { query }),
	};
	demo.say(`Running examples/${file} in n8n's own engine.`);
	const run: RunOptions = {
		package: await loadBuiltPackage(root),
		workflow: await readWorkflowFile(join(root, 'examples', file)),
		credential: service,
		signal,
		nodeOverrides: { [RESEARCH_NODE]: { parameters } },
	};
	if (!several) return run;

	const questions = Array.from({ length: items }, (_, index) => ({
		json: { question: query ?? QUESTIONS[index % QUESTIONS.length] ?? '' },
	}));
	return { ...run, startNode: QUESTIONS_NODE, pinData: { [QUESTIONS_NODE]: questions } };
}

function assertSucceeded({ run, error }: Execution): void {
	if (run.status === 'canceled') throw new Error('Cancelled.');
	if (error !== undefined) throw new Error(error.message);
}
