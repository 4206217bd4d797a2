import type { JobOutcome } from '../../../service/jobs/jobTask';
import type { JobResult } from '../../operation/operation';
import type { RunTotals } from '../output/hints';
import type { JobPlan } from './jobPlan';

/** What the jobs of a run came to: those that ended well, and failed ones whose pages are put out. */
export function totalsOf(
	{ usage, usageUnit }: JobResult,
	outcomes: Map<JobPlan, JobOutcome>,
): Pick<RunTotals, 'started' | 'finished' | 'used' | 'usageUnit' | 'credits' | 'expiresAt'> {
	const ended = [...outcomes];
	const used = ended.flatMap(([plan, outcome]) => {
		const isPutOut = outcome.kind === 'done' || (outcome.kind === 'failed' && !plan.failOnFailure);
		return isPutOut ? [usage(outcome.body)] : [];
	});
	const expiries = used.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt]));
	return {
		started: ended.filter(([, { kind }]) => kind === 'started').length,
		finished: used.length,
		used: used.reduce((sum, { amount }) => sum + amount, 0),
		credits: used.reduce((sum, { amount, credits = amount }) => sum + credits, 0),
		usageUnit,
		expiresAt: expiries.sort()[0],
	};
}
