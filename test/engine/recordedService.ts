import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../../tools/n8n-engine/index.ts';
import type { Execution, NodeOverride } from '../../tools/n8n-engine/index.ts';
import { startScript } from '../helpers/script';
import recorded from '../fixtures/recorded/2026/newResources.json';
import { builtPackage, KEY, NODE, workflowWith } from './run';

/** One exchange with a real server of August 2026. */
export interface Recorded {
	name: string;
	request?: { method: string; path: string; body?: unknown };
	response: { status: number; body: unknown };
}

/** The recording whose name begins so. Throws when there is none. */
export function recording(name: string): Recorded {
	const found = (recorded as Recorded[]).find((one) => one.name.startsWith(name));
	if (!found) throw new Error(`no recording ${name}`);
	return found;
}

/** A request as the service has seen it. */
export interface Seen {
	method: string;
	path: string;
	body: unknown;
}

/** What came of a run against recorded answers. */
interface RecordedRun {
	execution: Execution;
	seen: Seen[];
}

/**
 * Runs one operation in n8n's own engine against a server that gives these recorded answers, one after
 * the other, whatever is asked; the last is repeated.
 */
export async function runRecorded(
	names: Array<string | Recorded>,
	parameters: INodeParameters,
	node: NodeOverride = {},
	item: INodeExecutionData = { json: {} },
): Promise<RecordedRun> {
	const answers = names.map((one) => (typeof one === 'string' ? recording(one) : one));
	const seen: Seen[] = [];
	const server = await startScript(({ method, url: path, text, headers }) => {
		const { status, body } = (answers[seen.length] ?? answers.at(-1))?.response ?? { status: 500, body: {} };
		const isJson = headers['content-type']?.includes('json') === true;
		seen.push({
			method,
			path,
			body: isJson && text !== '' ? JSON.parse(text) : text || undefined,
		});
		return { status, body, headers: { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' } };
	});
	const execution = await runWorkflow({
		package: await builtPackage(),
		workflow: workflowWith(parameters),
		credential: { baseUrl: server.baseUrl, apiKey: KEY },
		nodeOverrides: { [NODE]: node },
		pinData: { Items: [item] },
	});
	return { execution, seen };
}
