import type { JobResult } from '../../operation/operation';
import { addCredits } from '../../operation/webPage';
import type { JsonObject } from '../../service/http/transport';
import type { JobOutcome } from '../../service/jobs/jobOutcome';
import type { RunTotals } from '../output/hints';
import type { JobOperation, JobPlan } from './jobPlan';

/** The remarks of a well ended job, a sentence each. */
export function jobRemarks({ job, result }: JobOperation, id: string, body: JsonObject): string[] {
	return (result.remarks?.(body) ?? []).map((text) => `The ${job.label} ${id} ${text}.`);
}

/** The counts of the pages of a job: how many were returned, and what all of them say that they cost. */
interface ToldPages {
	pages?: number;
	credits?: number | undefined;
}

/**
 * The totals of the jobs of a run: those that ended well, and failed ones whose pages are returned. What they cost is
 * what the service says, else what their pages say if all of them were read.
 */
export function totalsOf(
	{ usage, usageUnit }: JobResult,
	outcomes: Map<JobPlan, JobOutcome>,
	counts: Map<JobPlan, ToldPages>,
): Pick<RunTotals, 'started' | 'finished' | 'ended' | 'used' | 'putOut' | 'usageUnit' | 'credits' | 'expiresAt'> {
	const all = [...outcomes];
	const used = all.flatMap(([plan, outcome]) => {
		const isPutOut = outcome.kind === 'done' || (outcome.kind === 'failed' && !plan.failOnFailure);
		if (!isPutOut) return [];
		const { pages, credits } = counts.get(plan) ?? {};
		const own = usage(outcome.body);
		return [
			{
				isDone: outcome.kind === 'done',
				amount: own.amount,
				putOut: pages ?? own.amount,
				credits: own.credits ?? credits,
				expiresAt: own.expiresAt,
			},
		];
	});
	const sum = (read: (one: (typeof used)[number]) => number) => used.reduce((total, one) => total + read(one), 0);
	const expiries = used.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt]));
	return {
		started: all.filter(([, { kind }]) => kind === 'started').length,
		finished: used.filter(({ isDone }) => isDone).length,
		ended: used.length,
		used: sum(({ amount }) => amount),
		putOut: sum(({ putOut }) => putOut),
		credits: used.reduce<number | undefined>((total, one) => addCredits(total, one.credits), 0),
		usageUnit,
		expiresAt: expiries.sort()[0],
	};
}
