import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { asFailure } from '../../service/failure';
import type { JobEvents, JobOutcome } from '../../service/outcome';
import type { JsonObject } from '../../service/transport';
import { runJobs } from '../../service/wait';
import { runHints } from './hint';
import { errorItem, runError } from './itemError';
import type { ItemProblem, JobOnRecord } from './itemError';
import { readJobs } from './jobItems';
import type { JobReading } from './jobItems';
import type { JobOperation, JobPlan } from './jobPlan';
import { planItems } from './jobPlans';
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

	/** What the service said to the starts of this run. */
	private readonly answers = new Map<JobPlan, JsonObject>();

	private readonly problems = new Map<number, ItemProblem>();

	/** Every job that is known to run or to have run, by its first item. */
	private readonly jobs = new Map<number, JobOnRecord>();

	/** Items whose start was sent. */
	private readonly sent = new Set<number>();

	private readonly goneIds: string[] = [];

	private readonly cancelledIds: string[] = [];

	private readonly continues: boolean;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: JobOperation,
		private readonly collectWith: string,
		private readonly client: ServiceClient,
	) {
		this.memory = new JobMemory(ctx, client.baseUrl, operation.job.name);
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
		for (const { item, known } of plans) {
			if (known) this.jobs.set(item, { item, id: known.id, state: 'unknown' });
		}
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
				events: this.events(),
			},
			this.client,
		);
		plans.forEach((plan, index) => this.note(plan, outcomes[index]));
	}

	private events(): JobEvents<JobPlan> {
		const { memory } = this;
		return {
			onSending: ({ item }) => {
				if (this.sent.has(item)) return;
				this.sent.add(item);
				this.log(item, `starting a ${this.operation.job.label}`);
			},
			onStarted: (plan, id, answer) => {
				const { item, key } = plan;
				this.jobs.set(item, { item, id, state: 'started' });
				this.log(item, `${this.operation.job.label} ${id} started`);
				this.answers.set(plan, answer);
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
			onCancelled: ({ item, key }, id) => {
				this.cancelledIds.push(id);
				this.jobs.set(item, { item, id, state: 'cancelled' });
				if (key !== undefined) memory.forget(key);
			},
		};
	}

	/**
	 * When a worker is killed, n8n throws away all it knew about the execution (n8n 2.40, processError in
	 * workflow-runner.js). Its log is then the only place that names the job. A start that is sent stands
	 * there before its answer comes, so that no line means: nothing was started.
	 */
	private log(item: number, what: string): void {
		const { ctx } = this;
		const where = `Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}", item ${item}`;
		ctx.logger.info(`${where}: ${what}`);
	}

	/** Tells a stopped execution what has become of its jobs. */
	private async untilStopped<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			const { kind, message } = asFailure(error);
			const jobs = [...this.jobs.values()];
			const text = message + stoppedText(jobs, this.cancelledIds);
			throw runError(this.ctx, { item: 0, kind, message: text }, jobs);
		}
	}

	private note(plan: JobPlan, outcome: JobOutcome | undefined): void {
		if (!outcome) return;
		const { item: first, key } = plan;
		this.outcomes.set(plan, outcome);
		const job = this.jobs.get(first);
		if (job && 'state' in outcome && outcome.state !== undefined) job.state = outcome.state;
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
		if (first) throw runError(this.ctx, first, [...this.jobs.values()]);
	}

	private async read(): Promise<JobReading> {
		const { ctx, operation, client, collectWith, outcomes, answers } = this;
		const readable = new Map(
			[...outcomes].filter(([plan]) => !itemsOf(plan).every((item) => this.problems.has(item))),
		);
		const reading = await readJobs({ ctx, operation, client, collectWith }, readable, answers);
		for (const problem of reading.problems) this.problems.set(problem.item, problem);
		return reading;
	}

	private toOutput({ items }: JobReading): INodeExecutionData[] {
		const byItem = new Map(items);
		const jobs = [...this.jobs.values()];
		for (const problem of this.problems.values()) {
			byItem.set(problem.item, [...(items.get(problem.item) ?? []), errorItem(problem, jobs)]);
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
		const { operation, outcomes, goneIds, client, collectWith } = this;
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
