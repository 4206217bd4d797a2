import type { FaultRule } from './faultRule.ts';

/** An address among the pages of `sandbox/site/tryPages.ts`. */
const at = (name: string): { query: string } => ({ query: `example.com/try/${name}` });

/**
 * Addresses with which the service itself refuses or fails, for a person who tries the node in the editor and
 * has no wish to send fault rules. They stand always, behind the rules that a test sets.
 */
export const TRY_FAULTS: readonly FaultRule[] = [
	{ step: 'any', kind: 'status', httpStatus: 402, ...at('refuse-402') },
	{ step: 'any', kind: 'status', httpStatus: 503, ...at('refuse-503') },
	// Half of the requests, at random: the node waits and then gets its page.
	{ step: 'any', kind: 'rateLimit', retryAfter: 2, share: 0.5, ...at('refuse-429') },
	{
		step: 'start',
		kind: 'failJob',
		error: 'The sandbox was asked to fail this job',
		...at('fail-job'),
	},
];
