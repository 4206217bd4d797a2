import type { IExecuteFunctions } from 'n8n-workflow';

import type { ItemFailure } from '../output/itemError';
import { attach, planItem } from './planJob';
import { joinPlans } from './joinItems';
import type { JobMemory } from './jobMemory';
import { type JobOperation, type JobPlan, itemsOf } from './jobPlan';

/**
 * Plans the jobs of all input items, and takes up those that an earlier try has started. Nothing is sent
 * here: bad input of any item is known before the first job is paid for.
 */
export function planItems(
	ctx: IExecuteFunctions,
	operation: JobOperation,
	memory: JobMemory,
): { plans: JobPlan[]; failures: ItemFailure[] } {
	const failures: ItemFailure[] = [];
	const alone: JobPlan[] = [];
	for (let item = 0; item < ctx.getInputData().length; item++) {
		const planned = planItem(ctx, operation, item);
		if ('itemFailure' in planned) failures.push(planned.itemFailure);
		else alone.push(planned.plan);
	}
	const joinBy = operation.kind === 'startJob' ? operation.joinBy : undefined;
	const plans: JobPlan[] = [];
	for (const plan of joinBy ? joinPlans(alone, joinBy) : alone) {
		const attached = attach(plan, operation.job, memory);
		if ('plan' in attached) plans.push(attached.plan);
		else failures.push(...itemsOf(plan).map((item) => ({ ...attached.itemFailure, item })));
	}
	return { plans, failures };
}
