import type { IExecuteFunctions } from 'n8n-workflow';

import type { ItemProblem } from './itemError';
import { attach, planItem } from './jobPlan';
import type { JobOperation, JobPlan } from './jobPlan';
import { itemsOf, joinPlans } from './joinItems';
import type { JobMemory } from './memory';

/**
 * Plans the jobs of all input items, and takes up those that an earlier try has started. Nothing is sent
 * here: bad input of any item is known before the first job is paid for.
 */
export function planItems(
	ctx: IExecuteFunctions,
	operation: JobOperation,
	memory: JobMemory,
): { plans: JobPlan[]; problems: ItemProblem[] } {
	const problems: ItemProblem[] = [];
	const alone: JobPlan[] = [];
	for (let item = 0; item < ctx.getInputData().length; item++) {
		const planned = planItem(ctx, operation, item);
		if ('problem' in planned) problems.push(planned.problem);
		else alone.push(planned.plan);
	}
	const joinBy = operation.kind === 'startJob' ? operation.joinBy : undefined;
	const plans: JobPlan[] = [];
	for (const plan of joinBy ? joinPlans(alone, joinBy) : alone) {
		const attached = attach(plan, operation.job, memory);
		if ('plan' in attached) plans.push(attached.plan);
		else problems.push(...itemsOf(plan).map((item) => ({ ...attached.problem, item })));
	}
	return { plans, problems };
}
