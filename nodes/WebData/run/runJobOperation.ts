import type { INodeExecutionData } from 'n8n-workflow';
import type { ServiceClient } from '../../service/limits/client';
import { ServiceFailure } from '../../service/http/failure';
import type { RunContext } from './connection/runContext';
import { joinedText, plainHints, runHints, unprovenText } from './output/hints';
import { logStop, unexpectedError } from './ending/unexpectedError';
import { LinkedFiles } from './output/outputItem';
import { errorItem, runError } from './output/itemError';
import { RunNotes } from './output/runNotes';
import { RunChanges } from './changes/runChanges';
import { readJobs } from './pages/readJobs';
import type { JobReading } from './pages/readJobs';
import { planItems, takeUpJobs } from './jobs/planJobs';
import { JobProgress } from './jobProgress';
import { JobRecords } from './jobs/jobRecords';
import { CreditAccount } from './ledger/creditAccount';
import { Ledger } from './ledger/ledger';
import { Suspension } from './suspension/suspension';
import { leftHints, stoppedSentences } from './ledger/namedJobs';
import type { StoppedRun } from './ledger/namedJobs';
import { isToolCall } from './input/readFields';
import { totalsOf } from './outcomes/outcomeText';
import { itemsOf } from './jobs/jobPlan';
import type { JobOperation, JobPlan } from './jobs/jobPlan';

/**
 * Carries out a job operation for all input items: plans them, lets the jobs run side by side, turns
 * their ends into items in input order. Jobs are remembered as they are started, and forgotten when
 * their results are handed over. `collectWith` names the operation that collects a job later.
 */
export async function runJobOperation(
	ctx: RunContext,
	operation: JobOperation,
	collectWith: string,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	return await new JobOperationRun(ctx, operation, collectWith, client).run();
}

class JobOperationRun {
	private readonly ledger: Ledger;

	private readonly account: CreditAccount;

	private readonly records: JobRecords;

	private readonly suspension: Suspension;

	private readonly progress: JobProgress;

	private readonly notes: RunNotes;

	private readonly changes: RunChanges;

	/** Operation that messages advise; undefined for an agent, which may not have it for a tool. */
	private readonly advised: string | undefined;

	constructor(
		private readonly ctx: RunContext,
		private readonly operation: JobOperation,
		private readonly collectWith: string,
		private readonly client: ServiceClient,
	) {
		this.ledger = new Ledger(ctx, client.baseUrl, operation.job.name, collectWith);
		this.account = new CreditAccount(ctx, operation.worstCase);
		this.records = new JobRecords(ctx, operation, this.ledger, this.account, collectWith);
		this.suspension = new Suspension(ctx, operation, client, collectWith);
		this.notes = new RunNotes(`${collectWith} Errors`);
		this.changes = new RunChanges(ctx, client);
		this.advised = isToolCall(ctx) ? undefined : collectWith;
		const { ledger, account, records, suspension, advised } = this;
		const parts = { ctx, client, ledger, account, records, suspension, advised };
		this.progress = new JobProgress(parts);
	}

	async run(): Promise<INodeExecutionData[]> {
		try {
			return await this.carryOut();
		} catch (error) {
			throw this.endOf(error);
		} finally {
			this.account.release();
		}
	}

	private async carryOut(): Promise<INodeExecutionData[]> {
		const { progress, suspension } = this;
		await this.plan();
		try {
			progress.throwItemFailure();
			await progress.startAll();
			progress.throwItemFailure();
			if (await progress.suspend()) return suspension.output;
			await progress.bringToEnd();
		} finally {
			this.ledger.endTurn();
		}
		progress.throwItemFailure();
		const reading = await this.read();
		progress.throwItemFailure();
		const output = this.toOutput(reading);
		this.notes.noteOutput(output);
		this.rememberPages(output, reading);
		this.addHints(reading);
		this.forgetWhatIsHandedOver(output);
		return output;
	}

	private async plan(): Promise<void> {
		const { ctx, operation, ledger, client } = this;
		const planned = planItems(ctx, operation, ledger);
		const starts = planned.plans.flatMap(({ item, start }) => (start ? [{ item, start }] : []));
		await ledger.takeTurn(starts, async () => await client.pauseOrStop());
		this.progress.take(takeUpJobs(planned, operation, ledger, this.account));
	}

	/** What ended the run, with what has become of its jobs: it was stopped, or something unexpected was thrown. */
	private endOf(error: unknown): Error {
		const { all: jobs, stopped } = this.records;
		const sentencesOf = (run: StoppedRun) => stoppedSentences(run, this.operation.job.label, this.collectWith);
		if (error instanceof ServiceFailure) {
			const { kind, message } = error;
			const sentences = sentencesOf(stopped);
			if (kind === 'aborted') logStop(this.ctx, sentences);
			const told = [message, ...sentences].join(' ');
			return runError(this.ctx, { item: 0, kind, message: told }, jobs);
		}
		const text = sentencesOf({ ...stopped, jobs: [] }).join(' ');
		return unexpectedError(this.ctx.getNode(), error, { jobs, text });
	}

	private async read(): Promise<JobReading> {
		const { ctx, operation, client, records, advised: collectWith } = this;
		const { outcomes, failures } = this.progress;
		const readable = new Map([...outcomes].filter(([plan]) => !itemsOf(plan).every((item) => failures.has(item))));
		const { changes } = this;
		const files = new LinkedFiles(ctx, client);
		const reading = await readJobs(
			{ ctx, operation, client, collectWith, notes: this.notes, changes, files },
			readable,
			records.answers,
		);
		for (const itemFailure of reading.failures) failures.set(itemFailure.item, itemFailure);
		for (const [plan, { credits }] of reading.told) {
			records.settleRead(plan, outcomes.get(plan), credits);
		}
		// Nothing was paid for a job without a page, and nothing is in it: a retry starts it again.
		for (const [{ key }, { isUnpaid }] of reading.told) {
			if (isUnpaid && key !== undefined) this.ledger.forget(key);
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
		return [...byItem.keys()].sort((left, right) => left - right).flatMap((item) => byItem.get(item) ?? []);
	}

	/** What a job that ended well has returned is compared with by the next run. */
	private rememberPages(output: INodeExecutionData[], { told }: JobReading): void {
		if (this.ledger.isRetryComing(output)) return;
		const { outcomes } = this.progress;
		this.changes.store([...told.keys()].filter((plan) => outcomes.get(plan)?.kind === 'done'));
	}

	private forgetWhatIsHandedOver(output: INodeExecutionData[]): void {
		if (this.ledger.isRetryComing(output)) return;
		this.suspension.forget();
		const { plans } = this.progress;
		const answered = plans.filter((plan) => this.progress.hasResult(plan));
		this.ledger.handOver(keysOf(plans), keysOf(answered));
		this.ledger.forgetLeft();
	}

	private addHints({ told }: JobReading): void {
		const { operation, client, suspension, collectWith, notes } = this;
		const { outcomes, plans, failures, notCounted } = this.progress;
		const { goneIds, foundIds, joinedIds, unprovenIds, startedAgain } = this.records;
		const { left } = this.ledger;
		const goneBefore = left.flatMap(({ id, state }) => (id && state === 'gone' ? [id] : []));
		const taken = plans.filter(({ key, known }) => key !== undefined && known).length;
		// What n8n suspended and woke is one try.
		const attached = suspension.woken ? 0 : taken - goneIds.length;
		this.ctx.addExecutionHints(
			...runHints({
				...totalsOf(operation.result, outcomes, told),
				items: this.ctx.getInputData().length,
				failed: failures.size,
				attached,
				found: foundIds,
				startedAgain,
				startedAnew: [...goneBefore, ...goneIds],
				throttledSeconds: client.throttled.seconds + (suspension.woken?.throttledSeconds ?? 0),
				collectWith,
				timeZone: this.ctx.getTimezone(),
			}),
			...this.changes.hints(),
			...notes.hints(),
			...plainHints(notCounted, suspension.hint, joinedText(joinedIds), unprovenText(unprovenIds, operation.job)),
			...leftHints(left.filter(({ state }) => state !== 'gone')),
		);
	}
}

function keysOf(plans: JobPlan[]): string[] {
	return plans.flatMap(({ key }) => (key === undefined ? [] : [key]));
}
