import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../service/limits/client';
import { asFailure } from '../../service/http/failure';
import type { JobOutcome } from '../../service/jobs/jobTask';
import { runJobs } from '../../service/jobs/runJobs';
import { findLostStart } from '../../service/lostStarts/findLostStart';
import { joinedText, leftHints, plainHints, runHints } from './output/hints';
import { LinkedFiles } from './output/linkedFiles';
import { errorItem, runError } from './output/itemError';
import type { ItemFailure } from './output/itemError';
import { RunNotes } from './output/runNotes';
import { readJobs } from './pages/readJobs';
import type { JobReading } from './pages/readJobs';
import { planItems, takeUpJobs } from './jobs/planJobs';
import { JobRecords } from './jobs/jobRecords';
import { JobMemory } from './jobs/jobMemory';
import { itemFailureOf } from './outcomes/outcomeText';
import { stoppedText } from './jobs/stoppedText';
import { isToolCall, keepsFailedItems } from './input/parameters';
import { totalsOf } from './outcomes/runTotals';
import { itemsOf } from './jobs/jobPlan';
import type { JobOperation, JobPlan } from './jobs/jobPlan';

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

	/** What Max Credits does not hold for. */
	private notCounted: string | undefined;

	private readonly outcomes = new Map<JobPlan, JobOutcome>();

	private readonly failures = new Map<number, ItemFailure>();

	private readonly records: JobRecords;

	private readonly notes: RunNotes;

	private readonly continues: boolean;

	/** Operation that messages advise; undefined for an agent, which may not have it for a tool. */
	private readonly advised: string | undefined;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: JobOperation,
		private readonly collectWith: string,
		private readonly client: ServiceClient,
	) {
		this.memory = new JobMemory(ctx, client.baseUrl, operation.job.name, collectWith);
		this.records = new JobRecords(ctx, operation, this.memory);
		this.notes = new RunNotes(`${collectWith} Errors`);
		this.continues = keepsFailedItems(ctx);
		this.advised = isToolCall(ctx) ? undefined : collectWith;
	}

	async run(): Promise<INodeExecutionData[]> {
		await this.untilStopped(async () => await this.plan());
		try {
			this.throwItemFailure();
			await this.untilStopped(async () => await this.bringToEnd());
		} finally {
			this.memory.endTurn();
		}
		this.throwItemFailure();
		const reading = await this.untilStopped(async () => await this.read());
		this.throwItemFailure();
		const output = this.toOutput(reading);
		this.notes.noteOutput(output);
		this.addHints(reading);
		this.forgetWhatIsHandedOver(output);
		return output;
	}

	private async plan(): Promise<void> {
		const { ctx, operation, memory, client } = this;
		const planned = planItems(ctx, operation, memory);
		const starts = planned.plans.flatMap(({ item, start }) => (start ? [{ item, start }] : []));
		await memory.takeTurn(starts, async () => await client.pauseOrStop());
		const { plans, failures, notCounted } = takeUpJobs(planned, operation, memory);
		this.plans = plans;
		this.notCounted = notCounted;
		for (const itemFailure of failures) this.failures.set(itemFailure.item, itemFailure);
		for (const plan of plans) this.records.noteAttached(plan);
	}

	private async bringToEnd(): Promise<void> {
		const { plans, client } = this;
		for (const id of this.memory.allIds) client.limits.register.know(id);
		const outcomes = await runJobs(
			plans,
			{
				concurrency: plans[0]?.concurrency ?? 1,
				stopsTheRun: (outcome, plan) =>
					!this.continues && this.itemFailureOf(plan, outcome) !== undefined,
				events: this.records.events(),
				findLost: async (lost) => await findLostStart(lost, client),
			},
			client,
		);
		plans.forEach((plan, index) => this.note(plan, outcomes[index]));
	}

	/** Tells a stopped execution what has become of its jobs. */
	private async untilStopped<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			const { kind, message } = asFailure(error);
			const { all, stopped } = this.records;
			const text = stoppedText(stopped, this.operation.job.label, this.collectWith);
			throw runError(this.ctx, { item: 0, kind, message: message + text }, all);
		}
	}

	private note(plan: JobPlan, outcome: JobOutcome | undefined): void {
		if (!outcome) return;
		const { key } = plan;
		this.outcomes.set(plan, outcome);
		this.records.noteEnd(plan, outcome);
		const itemFailure = this.itemFailureOf(plan, outcome);
		// A job that failed at the service has no result to attach to: a retry must start it anew.
		if (outcome.kind === 'failed' && itemFailure && key !== undefined) {
			this.memory.retire(key, 'failed');
		}
		if (!itemFailure) return;
		for (const item of itemsOf(plan)) this.failures.set(item, { ...itemFailure, item });
	}

	private itemFailureOf(plan: JobPlan, outcome: JobOutcome): ItemFailure | undefined {
		return itemFailureOf(outcome, plan, this.advised);
	}

	/** Without "continue on error" the first item with a failure of its own stops the run. */
	private throwItemFailure(): void {
		if (this.continues || this.failures.size === 0) return;
		const notTried = new Set(
			[...this.outcomes].flatMap(([plan, { kind }]) =>
				kind === 'notStarted' ? itemsOf(plan) : [],
			),
		);
		const inOrder = [...this.failures.values()].sort((left, right) => left.item - right.item);
		const first = inOrder.find(({ item }) => !notTried.has(item));
		if (first) throw runError(this.ctx, first, this.records.all);
	}

	private async read(): Promise<JobReading> {
		const { ctx, operation, client, outcomes, records, advised: collectWith } = this;
		const readable = new Map(
			[...outcomes].filter(([plan]) => !itemsOf(plan).every((item) => this.failures.has(item))),
		);
		const files = new LinkedFiles(ctx, client);
		const reading = await readJobs(
			{ ctx, operation, client, collectWith, notes: this.notes, files },
			readable,
			records.answers,
		);
		for (const itemFailure of reading.failures) this.failures.set(itemFailure.item, itemFailure);
		// Nothing was paid for a job without a page, and nothing is in it: a retry starts it anew.
		for (const [{ key }, { isEmpty }] of reading.told) {
			if (isEmpty && key !== undefined) this.memory.forget(key);
		}
		return reading;
	}

	private toOutput({ items }: JobReading): INodeExecutionData[] {
		const byItem = new Map(items);
		const firstFailed = Math.min(...this.failures.keys());
		for (const itemFailure of this.failures.values()) {
			const { item } = itemFailure;
			const jobs = item === firstFailed ? this.records.all : [];
			byItem.set(item, [...(items.get(item) ?? []), errorItem(this.ctx, itemFailure, jobs)]);
		}
		return [...byItem.keys()]
			.sort((left, right) => left - right)
			.flatMap((item) => byItem.get(item) ?? []);
	}

	private forgetWhatIsHandedOver(output: INodeExecutionData[]): void {
		if (this.memory.isRetryComing(output)) return;
		this.memory.handOver(this.plans.flatMap(({ key }) => (key === undefined ? [] : [key])));
		this.memory.forgetLeft();
	}

	private addHints({ told }: JobReading): void {
		const { operation, outcomes, client, collectWith, notes } = this;
		const { goneIds, foundIds, joinedIds, startedAgain } = this.records;
		const { left } = this.memory;
		const goneBefore = left.flatMap(({ id, ended }) => (id && ended === 'gone' ? [id] : []));
		const attached = this.plans.filter(({ key, known }) => key !== undefined && known).length;
		this.ctx.addExecutionHints(
			...runHints({
				...totalsOf(operation.result, outcomes, told),
				items: this.ctx.getInputData().length,
				failed: this.failures.size,
				attached: attached - goneIds.length,
				found: foundIds,
				startedAgain,
				startedAnew: [...goneBefore, ...goneIds],
				throttledSeconds: client.throttled.seconds,
				collectWith,
			}),
			...notes.hints(),
			...plainHints(this.notCounted, joinedText(joinedIds)),
			...leftHints(left.filter(({ ended }) => ended !== 'gone')),
		);
	}
}
