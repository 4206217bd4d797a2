import type { IExecuteFunctions } from 'n8n-workflow';

import {
	executionIdOf,
	isAfterCrash,
	jobStore,
	noteCrash,
	runIndexOf,
} from '../../nodes/WebData/run/jobs/crashRecovery';

interface Parts {
	context?: Record<string, unknown> | undefined;
	id?: string | undefined;
	mode?: string;
	run?: number;
	/** n8n's recovery has put down that the node had begun. */
	hasBegun?: boolean;
	/** How many nodes n8n has begun to run in this execution, this one included. */
	nodesRun?: number;
}

/** What of n8n's context the notes are made from. */
function contextWith({
	context,
	id,
	mode = 'retry',
	run = 0,
	hasBegun = true,
	nodesRun,
}: Parts): IExecuteFunctions {
	return {
		getContext: () => {
			if (context === undefined) throw new Error('The request data has to be set!');
			return context;
		},
		getExecutionId: () => id,
		getMode: () => mode,
		getNode: () => ({ name: 'Web Data', type: 'n8n-nodes-web-data.webData' }),
		getWorkflowDataProxy: () => ({ $runIndex: run, $: () => ({ isExecuted: hasBegun }) }),
		...(nodesRun !== undefined && { additionalData: { currentNodeExecutionIndex: nodesRun } }),
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
