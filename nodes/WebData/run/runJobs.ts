import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { asFailure } from '../../service/failure';
import type { JobOutcome } from '../../service/outcome';
import { runJobs } from '../../service/wait';
import { runHints } from './hint';
import { errorItem, runError } from './itemError';
import type { ItemProblem, JobOnRecord } from './itemError';
import { planItem } from './jobPlan';
import type { JobOperation, JobPlan } from './jobPlan';
import { JobMemory } from './memory';
import { outcomeItems } from './outcomeItems';
import { problemOf } from './outcomeText';
import { isToolCall } from './parameters';

/**
 * Carries out a job operation for all input items: plans them, lets the jobs run side by side, turns
 * their ends into items in input order. Jobs are remembered as they are started, and forgotten when
 * their results are handed over. `collectWith` names the operation that collects a job later.
 */
export async function runJobOperation(
	ctx: IExecuteFunctions,
	operation: JobOperation,
	collectWith: string,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	return await new JobOperationRun(ctx, operation, collectWith, client).run();
}

class JobOperationRun {
	private readonly memory: JobMemory;

	private readonly plans: JobPlan[] = [];

	private readonly outcomes = new Map<number, JobOutcome>();

	private readonly problems = new Map<number, ItemProblem>();

	/** Every job that is known to run or to have run, by item. */
	private readonly jobs = new Map<number, JobOnRecord>();

	private readonly goneIds: string[] = [];

	private readonly continues: boolean;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: JobOperation,
		private readonly collectWith: string,
		private readonly client: ServiceClient,
	) {
		this.memory = new JobMemory(ctx, client.baseUrl, operation.job.name);
		this.continues = ctx.continueOnFail();
	}

	async run(): Promise<INodeExecutionData[]> {
		this.plan();
		this.throwProblem();
		await this.bringToEnd();
		this.throwProblem();
		const output = await this.toOutput();
		this.forgetWhatIsHandedOver();
		this.addHints();
		return output;
	}

	/** Nothing is sent here: bad input of any item is known before the first job is paid for. */
	private plan(): void {
		const count = this.ctx.getInputData().length;
		for (let item = 0; item < count; item++) {
			const planned = planItem(this.ctx, this.operation, item, this.memory);
			if ('problem' in planned) {
				this.problems.set(item, planned.problem);
				continue;
			}
			this.plans.push(planned.plan);
			const { known } = planned.plan;
			if (known) this.jobs.set(item, { item, id: known.id, state: 'unknown' });
		}
	}

	private async bringToEnd(): Promise<void> {
		const { plans, memory } = this;
		try {
			const outcomes = await runJobs(
				plans,
				{
					kind: this.operation.job,
					atOnce: plans[0]?.jobsAtOnce ?? 1,
					stopsTheRun: (outcome, plan) =>
						!this.continues && this.problemOf(plan, outcome) !== undefined,
					events: {
						onStarted: ({ item, key }, id) => {
							this.jobs.set(item, { item, id, state: 'started' });
							if (key !== undefined) memory.remember(key, item, id);
						},
						onUncertain: ({ item, key }) => {
							if (key !== undefined) memory.remember(key, item);
						},
						onGone: ({ item, key }, id) => {
							this.goneIds.push(id);
							this.jobs.delete(item);
							if (key !== undefined) memory.forget(key);
						},
					},
				},
				this.client,
			);
			plans.forEach((plan, index) => this.note(plan, outcomes[index]));
		} catch (error) {
			const { kind, message } = asFailure(error);
			const ids = [...this.jobs.values()].map(({ id }) => id);
			const runOn =
				ids.length === 0 ? '' : ` What it started runs on at the service: ${ids.join(', ')}.`;
			throw runError(this.ctx, { item: 0, kind, message: message + runOn }, [
				...this.jobs.values(),
			]);
		}
	}

	private note(plan: JobPlan, outcome: JobOutcome | undefined): void {
		if (!outcome) return;
		const { item, key } = plan;
		this.outcomes.set(item, outcome);
		const job = this.jobs.get(item);
		if (job && 'state' in outcome && outcome.state !== undefined) job.state = outcome.state;
		// A job that failed at the service has no result to attach to: a retry must start it anew.
		if (outcome.kind === 'failed' && key !== undefined) this.memory.forget(key);
		const problem = this.problemOf(plan, outcome);
		if (problem) this.problems.set(item, problem);
	}

	private problemOf(plan: JobPlan, outcome: JobOutcome): ItemProblem | undefined {
		return problemOf(outcome, plan, this.operation.job, this.collectWith);
	}

	/** Without "continue on error" the first item with a problem of its own stops the run. */
	private throwProblem(): void {
		if (this.continues || this.problems.size === 0) return;
		const inOrder = [...this.problems.values()].sort((left, right) => left.item - right.item);
		const first = inOrder.find(({ item }) => this.outcomes.get(item)?.kind !== 'notStarted');
		if (first) throw runError(this.ctx, first, [...this.jobs.values()]);
	}

	private async toOutput(): Promise<INodeExecutionData[]> {
		const asText = isToolCall(this.ctx);
		const byItem = new Map<number, INodeExecutionData[]>();
		for (const problem of this.problems.values()) {
			byItem.set(problem.item, [errorItem(problem, [...this.jobs.values()])]);
		}
		for (const plan of this.plans) {
			const outcome = this.outcomes.get(plan.item);
			if (!outcome || byItem.has(plan.item)) continue;
			const items = await outcomeItems(this.ctx, this.operation, plan, outcome, asText);
			byItem.set(plan.item, items);
		}
		return [...byItem.keys()]
			.sort((left, right) => left - right)
			.flatMap((item) => byItem.get(item) ?? []);
	}

	private forgetWhatIsHandedOver(): void {
		if (this.memory.isRetryComing(this.problems.has(0))) return;
		for (const { key } of this.plans) if (key !== undefined) this.memory.forget(key);
	}

	private addHints(): void {
		const { usage, usageUnit } = this.operation.result;
		const ended = [...this.outcomes.values()];
		const used = ended.flatMap((outcome) => (outcome.kind === 'done' ? [usage(outcome.body)] : []));
		const attached = this.plans.filter(({ key, known }) => key !== undefined && known).length;
		const expiries = used.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt]));
		this.ctx.addExecutionHints(
			...runHints({
				started: ended.filter(({ kind }) => kind === 'started').length,
				finished: used.length,
				attached: attached - this.goneIds.length,
				startedAnew: this.goneIds,
				used: used.reduce((sum, { amount }) => sum + amount, 0),
				usageUnit,
				expiresAt: expiries.sort()[0],
				heldSeconds: this.client.held.seconds,
				collectWith: this.collectWith,
			}),
		);
	}
}
