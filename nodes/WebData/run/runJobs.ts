import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { asFailure } from '../../service/failure';
import type { JobOutcome } from '../../service/outcome';
import { runJobs } from '../../service/wait';
import { runHints } from './hint';
import { errorItem, runError } from './itemError';
import type { ItemProblem } from './itemError';
import { readJobs } from './jobItems';
import type { JobReading } from './jobItems';
import type { JobOperation, JobPlan } from './jobPlan';
import { planItems } from './jobPlans';
import { JobRecords } from './jobRecords';
import { itemsOf } from './joinItems';
import { JobMemory } from './memory';
import { problemOf, stoppedText } from './outcomeText';
import { keepsFailedItems } from './parameters';
import { totalsOf } from './totals';

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

	private plans: JobPlan[] = [];

	private readonly outcomes = new Map<JobPlan, JobOutcome>();

	private readonly problems = new Map<number, ItemProblem>();

	private readonly records: JobRecords;

	private readonly continues: boolean;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: JobOperation,
		private readonly collectWith: string,
		private readonly client: ServiceClient,
	) {
		this.memory = new JobMemory(ctx, client.baseUrl, operation.job.name);
		this.records = new JobRecords(ctx, operation.job.label, this.memory);
		this.continues = keepsFailedItems(ctx);
	}

	async run(): Promise<INodeExecutionData[]> {
		this.plan();
		this.throwProblem();
		await this.untilStopped(async () => await this.bringToEnd());
		this.throwProblem();
		const reading = await this.untilStopped(async () => await this.read());
		this.throwProblem();
		const output = this.toOutput(reading);
		this.forgetWhatIsHandedOver();
		this.addHints(reading);
		return output;
	}

	private plan(): void {
		const { plans, problems } = planItems(this.ctx, this.operation, this.memory);
		this.plans = plans;
		for (const problem of problems) this.problems.set(problem.item, problem);
		for (const plan of plans) this.records.takeUp(plan);
	}

	private async bringToEnd(): Promise<void> {
		const { plans } = this;
		const outcomes = await runJobs(
			plans,
			{
				kind: this.operation.job,
				atOnce: plans[0]?.jobsAtOnce ?? 1,
				stopsTheRun: (outcome, plan) =>
					!this.continues && this.problemOf(plan, outcome) !== undefined,
				events: this.records.events(),
			},
			this.client,
		);
		plans.forEach((plan, index) => this.note(plan, outcomes[index]));
	}

	/** Tells a stopped execution what has become of its jobs. */
	private async untilStopped<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			const { kind, message } = asFailure(error);
			const { all, cancelledIds } = this.records;
			const text = message + stoppedText(all, cancelledIds);
			throw runError(this.ctx, { item: 0, kind, message: text }, all);
		}
	}

	private note(plan: JobPlan, outcome: JobOutcome | undefined): void {
		if (!outcome) return;
		const { key } = plan;
		this.outcomes.set(plan, outcome);
		this.records.noteEnd(plan, outcome);
		const problem = this.problemOf(plan, outcome);
		// A job that failed at the service has no result to attach to: a retry must start it anew.
		if (outcome.kind === 'failed' && problem && key !== undefined) this.memory.forget(key);
		if (!problem) return;
		for (const item of itemsOf(plan)) this.problems.set(item, { ...problem, item });
	}

	private problemOf(plan: JobPlan, outcome: JobOutcome): ItemProblem | undefined {
		return problemOf(outcome, plan, this.operation.job, this.collectWith);
	}

	/** Without "continue on error" the first item with a problem of its own stops the run. */
	private throwProblem(): void {
		if (this.continues || this.problems.size === 0) return;
		const notTried = new Set(
			[...this.outcomes].flatMap(([plan, { kind }]) =>
				kind === 'notStarted' ? itemsOf(plan) : [],
			),
		);
		const inOrder = [...this.problems.values()].sort((left, right) => left.item - right.item);
		const first = inOrder.find(({ item }) => !notTried.has(item));
		if (first) throw runError(this.ctx, first, this.records.all);
	}

	private async read(): Promise<JobReading> {
		const { ctx, operation, client, collectWith, outcomes, records } = this;
		const readable = new Map(
			[...outcomes].filter(([plan]) => !itemsOf(plan).every((item) => this.problems.has(item))),
		);
		const reading = await readJobs(
			{ ctx, operation, client, collectWith },
			readable,
			records.answers,
		);
		for (const problem of reading.problems) this.problems.set(problem.item, problem);
		return reading;
	}

	private toOutput({ items }: JobReading): INodeExecutionData[] {
		const byItem = new Map(items);
		const jobs = this.records.all;
		for (const problem of this.problems.values()) {
			byItem.set(problem.item, [
				...(items.get(problem.item) ?? []),
				errorItem(this.ctx, problem, jobs),
			]);
		}
		return [...byItem.keys()]
			.sort((left, right) => left - right)
			.flatMap((item) => byItem.get(item) ?? []);
	}

	private forgetWhatIsHandedOver(): void {
		if (this.memory.isRetryComing(this.problems.has(0))) return;
		for (const { key } of this.plans) if (key !== undefined) this.memory.forget(key);
	}

	private addHints({ missingPages }: JobReading): void {
		const { operation, outcomes, client, collectWith } = this;
		const { goneIds } = this.records;
		const attached = this.plans.filter(({ key, known }) => key !== undefined && known).length;
		this.ctx.addExecutionHints(
			...runHints({
				...totalsOf(operation.result, outcomes),
				attached: attached - goneIds.length,
				startedAnew: goneIds,
				missingPages,
				heldSeconds: client.held.seconds,
				collectWith,
			}),
		);
	}
}
