import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import type { GetJobOperation, StartJobOperation } from '../../nodes/operation/operation';
import { resources } from '../../nodes/WebData/resources';
import type { ScriptAnswer } from '../helpers/script';
import { serve, service } from './pageService';
import { NODE, runNode } from './run';

const ID = 'job-of-the-test';

/** What the service says of its one job. */
let says: IDataObject;
beforeAll(async () => {
	await serve({
		instead: ({ method, path }): ScriptAnswer => {
			if (method === 'POST') return { body: { success: true, id: ID } };
			if (path.endsWith('/errors')) return { body: { errors: [], robotsBlocked: [] } };
			return { body: says };
		},
	});
});

/** A job without anything to show yet, and one with something. */
const BODIES: Record<string, IDataObject> = {
	'nothing so far': { total: 0, completed: 0, data: [] },
	'no field at all': {},
};

/** States, and how a user asks for the job to be put out all the same. */
const STATES: Array<{ status: string; waitOptions: INodeParameters }> = [
	{ status: 'scraping', waitOptions: { maxWait: 1, onTimeout: 'output' } },
	{ status: 'failed', waitOptions: { onFailure: 'output' } },
	{ status: 'cancelled', waitOptions: { onFailure: 'output' } },
	{ status: 'completed', waitOptions: {} },
];

interface Case {
	resource: string;
	operation: string;
	output: string;
	watched: boolean;
	status: string;
	body: string;
	parameters: INodeParameters;
}

/**
 * Only some operations can put a failed job out, and where pages are gathered, a job that ended well
 * without any is a matter of its own.
 */
function isPutOut(operation: GetJobOperation | StartJobOperation, status: string): boolean {
	if (status === 'completed') return 'toItems' in operation.result;
	return status === 'scraping' || JSON.stringify(operation.fields).includes('"onFailure"');
}

/** Every way to have a job of the operation put out, in every state. */
function casesOf(resource: string, operation: GetJobOperation | StartJobOperation): Case[] {
	const isGet = operation.kind === 'getJob';
	const field = operation.fields.find(({ name }) => name === 'output');
	const outputs = (field?.options ?? []) as INodePropertyOptions[];
	const states = STATES.filter(({ status }) => isPutOut(operation, status));
	return outputs.flatMap(({ value }) =>
		[true, ...(isGet ? [false] : [])].flatMap((watched) =>
			states.flatMap(({ status, waitOptions }) =>
				Object.keys(status === 'scraping' ? BODIES : { 'nothing so far': {} }).map((body) => ({
					resource,
					operation: operation.value,
					output: String(value),
					watched,
					status,
					body,
					parameters: {
						resource,
						operation: operation.value,
						output: String(value),
						waitForCompletion: watched,
						// A Get has the option for failed jobs beside the others, a start among them.
						options: isGet ? { ...waitOptions, waitOptions } : { waitOptions },
						...(isGet ? { jobId: ID } : { url: 'https://site.example/', query: 'What?', prompt: 'What?' }),
						monitorId: ID,
						threadId: ID,
						approvalId: ID,
					},
				})),
			),
		),
	);
}

const all = resources.flatMap(({ value, operations }) =>
	operations.flatMap((one) => (one.kind === 'startJob' || one.kind === 'getJob' ? casesOf(value, one) : [])),
);

it('is tried for every output of every job operation', () => {
	expect(all.length).toBeGreaterThan(60);
});

it.each(all)(
	'$resource $operation as $output, waiting: $watched, "$status", $body: gives at least the job itself',
	async ({ parameters, status, body }) => {
		says = { success: true, status, ...BODIES[body] };
		const execution = await runNode(service, parameters, { items: [{}] });
		expect(execution.error).toBeUndefined();
		const items = execution.items(NODE);
		expect(items).toHaveLength(1);
		expect([items[0]?.json.id, items[0]?.json.jobId]).toContain(ID);
		expect([items[0]?.json.status, items[0]?.json.jobStatus]).toContain(status);
	},
);
