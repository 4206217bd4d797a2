import type { IExecuteFunctions } from 'n8n-workflow';

import {
	executionIdOf,
	isAfterCrash,
	jobStore,
	noteCrash,
	runIndexOf,
} from '../../nodes/WebData/run/memory/crashRecovery';

interface Parts {
	context?: Record<string, unknown> | undefined;
	id?: string | undefined;
	mode?: string;
	run?: number;
	/** n8n's recovery has put down that the node had begun. */
	hasBegun?: boolean;
	/** How many nodes n8n has begun to run in this execution, this one included. */
	nodesRun?: number;
	isTool?: boolean;
	/** The execution that this one retries, where n8n tells it. */
	retryOf?: string;
	/** What n8n knows of the runs of all nodes. */
	runData?: object;
}

/** What of n8n's context the notes are made from. */
function contextWith({
	context,
	id,
	mode = 'retry',
	run = 0,
	hasBegun = true,
	nodesRun,
	isTool = false,
	retryOf,
	runData = {},
}: Parts): IExecuteFunctions {
	return {
		getContext: () => {
			if (context === undefined) throw new Error('The request data has to be set!');
			return context;
		},
		getExecutionId: () => id,
		getMode: () => mode,
		getNode: () => ({
			name: 'Web Data',
			type: `n8n-nodes-web-data.webData${isTool ? 'Tool' : ''}`,
		}),
		getWorkflowDataProxy: () => ({ $runIndex: run, $: () => ({ isExecuted: hasBegun }) }),
		additionalData: {
			...(nodesRun !== undefined && { currentNodeExecutionIndex: nodesRun }),
			...(retryOf !== undefined && { hooks: { retryOf } }),
		},
		runExecutionData: { resultData: { runData } },
	} as unknown as IExecuteFunctions;
}

function isCrash(parts: Parts): boolean {
	const ctx = contextWith({ context: {}, id: '7', ...parts });
	noteCrash(ctx);
	return isAfterCrash(ctx);
}

it('takes a first run that had begun, and left no note, for a crash', () => {
	expect(isCrash({})).toBe(true);
	expect(isCrash({ hasBegun: false })).toBe(false);
	expect(isCrash({ mode: 'trigger' })).toBe(false);
	expect(isCrash({ context: { webDataJobs: {} } })).toBe(false);
});

it('takes a later run for a crash only when the retry begins with it', () => {
	const context = () => ({ webDataJobs: {} });
	expect(isCrash({ context: context(), run: 2, nodesRun: 1 })).toBe(true);
	expect(isCrash({ context: context(), run: 2, nodesRun: 2 })).toBe(false);
	// An n8n that does not count: what may be paid is not started again.
	expect(isCrash({ context: context(), run: 2 })).toBe(true);
	expect(isCrash({ context: { ...context(), webDataRun: 1 }, run: 2, nodesRun: 1 })).toBe(true);
	expect(isCrash({ context: { ...context(), webDataRun: 2 }, run: 2, nodesRun: 1 })).toBe(false);
});

const crashed = { startTime: 1, executionTime: 0, executionStatus: 'crashed' };

it('takes the first call of a tool for one after a crash when n8n has put down any', () => {
	const isTool = true;
	expect(isCrash({ isTool })).toBe(false);
	expect(isCrash({ isTool, runData: { Agent: [crashed], Tool: [] } })).toBe(true);
	expect(isCrash({ isTool, runData: { Agent: [], Tool: [crashed] } })).toBe(true);
	expect(isCrash({ isTool, runData: { Agent: [crashed] }, mode: 'trigger' })).toBe(false);
	// It has run since, and left a note.
	const context = { webDataJobs: {}, webDataExecution: '6' };
	expect(isCrash({ isTool, context, runData: { Agent: [crashed] }, retryOf: '6' })).toBe(false);
});

it('takes a retry of a retry that left no note for one after a crash', () => {
	const context = () => ({ webDataJobs: {}, webDataExecution: '5' });
	expect(isCrash({ context: context(), retryOf: '6', nodesRun: 1 })).toBe(true);
	expect(isCrash({ context: context(), retryOf: '5', nodesRun: 1 })).toBe(false);
	// Another node was before it, which may have failed.
	expect(isCrash({ context: context(), retryOf: '6', nodesRun: 2 })).toBe(false);
	expect(isCrash({ context: context(), nodesRun: 1 })).toBe(false);
	expect(isCrash({ isTool: true, context: context(), retryOf: '6', nodesRun: 3 })).toBe(true);
	expect(isCrash({ isTool: true, context: context(), retryOf: '5', nodesRun: 3 })).toBe(false);
	expect(isCrash({ isTool: true, context: context(), nodesRun: 3 })).toBe(false);
});

it('holds for all calls of a tool in that execution, and for no other', () => {
	const context = {};
	const runData = { Agent: [crashed] };
	noteCrash(contextWith({ context, id: '7', isTool: true, runData }));
	const second = contextWith({ context, id: '7', isTool: true, runData, run: 1 });
	noteCrash(second);
	expect(isAfterCrash(second)).toBe(true);
	const next = contextWith({ context, id: '8', isTool: true, runData, retryOf: '7' });
	noteCrash(next);
	expect(isAfterCrash(next)).toBe(false);
});

it('is over in the next run, in the next retry, and not in a second try of the same', () => {
	const context = {};
	noteCrash(contextWith({ context, id: '7' }));
	const second = contextWith({ context, id: '7' });
	noteCrash(second);
	expect(isAfterCrash(second)).toBe(true);
	const nextRun = contextWith({ context, id: '7', run: 1, nodesRun: 3 });
	noteCrash(nextRun);
	expect(isAfterCrash(nextRun)).toBe(false);
	const nextRetry = contextWith({ context, id: '8' });
	noteCrash(nextRetry);
	expect(isAfterCrash(nextRetry)).toBe(false);
});

it('takes no execution without an id for a crash', () => {
	expect(isCrash({ id: undefined })).toBe(false);
	expect(isCrash({ id: undefined, context: { webDataDeath: undefined } })).toBe(false);
	expect(executionIdOf(contextWith({ id: undefined }))).toBe('');
});

it('gives a book for the run where n8n has no context for the node', () => {
	const ctx = contextWith({ id: '7' });
	noteCrash(ctx);
	expect(isAfterCrash(ctx)).toBe(false);
	expect(jobStore(ctx)).toEqual({});
});

it('takes a run index that is none for the first run', () => {
	expect(runIndexOf(contextWith({ run: Number.NaN }))).toBe(0);
});
