import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../service/limits/client';
import { asFailure } from '../../service/http/failure';
import { joinedText, leftHints, plainHints, runHints } from './output/hints';
import { LinkedFiles } from './output/linkedFiles';
import { errorItem, runError } from './output/itemError';
import { RunNotes } from './output/runNotes';
import { readJobs } from './pages/readJobs';
import type { JobReading } from './pages/readJobs';
import { planItems, takeUpJobs } from './jobs/planJobs';
import { JobProgress } from './jobProgress';
import { JobRecords } from './jobs/jobRecords';
import { JobMemory } from './jobs/jobMemory';
import { Parking } from './parking/parking';
import { stoppedText } from './jobs/stoppedText';
import { isToolCall } from './input/parameters';
import { totalsOf } from './outcomes/runTotals';
import { itemsOf } from './jobs/jobPlan';
import type { JobOperation } from './jobs/jobPlan';

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

	private readonly records: JobRecords;

	private readonly parking: Parking;

	private readonly progress: JobProgress;

	private readonly notes: RunNotes;

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
		this.parking = new Parking(ctx, operation, client, collectWith);
		this.notes = new RunNotes(`${collectWith} Errors`);
		this.advised = isToolCall(ctx) ? undefined : collectWith;
		const { memory, records, parking, advised } = this;
		this.progress = new JobProgress({ ctx, client, memory, records, parking, advised });
	}

	async run(): Promise<INodeExecutionData[]> {
		const { progress, parking } = this;
		await this.untilStopped(async () => await this.plan());
		try {
			progress.throwItemFailure();
			await this.untilStopped(async () => await progress.startAll());
			progress.throwItemFailure();
			if (await this.untilStopped(async () => await progress.park())) return parking.output;
			await this.untilStopped(async () => await progress.bringToEnd());
		} finally {
			this.memory.endTurn();
		}
		progress.throwItemFailure();
		const reading = await this.untilStopped(async () => await this.read());
		progress.throwItemFailure();
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
		this.progress.take(takeUpJobs(planned, operation, memory));
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

	private async read(): Promise<JobReading> {
		const { ctx, operation, client, records, advised: collectWith } = this;
		const { outcomes, failures } = this.progress;
		const readable = new Map(
			[...outcomes].filter(([plan]) => !itemsOf(plan).every((item) => failures.has(item))),
		);
		const files = new LinkedFiles(ctx, client);
		const reading = await readJobs(
			{ ctx, operation, client, collectWith, notes: this.notes, files },
			readable,
			records.answers,
		);
		for (const itemFailure of reading.failures) failures.set(itemFailure.item, itemFailure);
		// Nothing was paid for a job without a page, and nothing is in it: a retry starts it anew.
		for (const [{ key }, { isEmpty }] of reading.told) {
			if (isEmpty && key !== undefined) this.memory.forget(key);
		}
		return reading;
	}

	private toOutput({ items }: JobReading): INodeExecutionData[] {
		const byItem = new Map(items);
		const { failures } = this.progress;
		const firstFailed = Math.min(...failures.keys());
		for (const itemFailure of failures.values()) {
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
		this.parking.forget();
		this.memory.handOver(
			this.progress.plans.flatMap(({ key }) => (key === undefined ? [] : [key])),
		);
		this.memory.forgetLeft();
	}

	private addHints({ told }: JobReading): void {
		const { operation, client, parking, collectWith, notes } = this;
		const { outcomes, plans, failures, notCounted } = this.progress;
		const { goneIds, foundIds, joinedIds, startedAgain } = this.records;
		const { left } = this.memory;
		const goneBefore = left.flatMap(({ id, ended }) => (id && ended === 'gone' ? [id] : []));
		const taken = plans.filter(({ key, known }) => key !== undefined && known).length;
		// What n8n parked and woke is one try.
		const attached = parking.woken ? 0 : taken - goneIds.length;
		this.ctx.addExecutionHints(
			...runHints({
				...totalsOf(operation.result, outcomes, told),
				items: this.ctx.getInputData().length,
				failed: failures.size,
				attached,
				found: foundIds,
				startedAgain,
				startedAnew: [...goneBefore, ...goneIds],
				throttledSeconds: client.throttled.seconds + (parking.woken?.throttledSeconds ?? 0),
				collectWith,
			}),
			...notes.hints(),
			...plainHints(notCounted, parking.hint, joinedText(joinedIds)),
			...leftHints(left.filter(({ ended }) => ended !== 'gone')),
		);
	}
}
