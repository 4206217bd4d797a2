import type { INodeExecutionData } from 'n8n-workflow';
import type { ServiceClient } from '../../service/client';
import { ServiceFailure } from '../../service/http/failure';
import { statusRequest } from '../../service/jobs/jobKinds';
import type { JobOutcome } from '../../service/jobs/jobOutcome';
import { RunChanges } from '../changes/runChanges';
import type { RunContext } from '../connection/runContext';
import { itemFailureOf } from '../errors/jobErrors';
import { logStop, unexpectedError } from '../errors/unexpectedError';
import { isRetryComing, isToolCall, keepsFailedItems } from '../input/readFields';
import { cancelStopped, goesWithExecution } from './cancelOnStop';
import { itemsOf, jobCharge } from '../job/jobPlan';
import type { JobOperation, JobPlan } from '../job/jobPlan';
import { JobRecords, outcomesOf } from '../job/jobRecords';
import type { Job } from '../job/jobRecords';
import { totalsOf } from '../job/jobTotals';
import { planItems, prepareJobs } from './planJobs';
import { runJobs, startJobs } from './runJobs';
import type { HowToRun } from './runJobs';
import { CreditAccount } from '../ledger/creditAccount';
import { Ledger } from '../ledger/ledger';
import { noteUnclaimed } from '../ledger/namedJobs';
import { jobSummary } from '../output/hints';
import { errorItem, runError, withRefused } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';
import { Notes } from '../output/notes';
import { LinkedFiles } from '../output/outputItem';
import { noteOutput } from '../output/pageNotes';
import { readJobs } from '../pages/readJobs';
import type { JobsResults } from '../pages/readJobs';
import { Suspension } from '../suspension/suspension';

/**
 * Carries out a job operation for all input items: plans them, lets the jobs run side by side, turns
 * their ends into items in input order. Jobs are remembered as they are started, and forgotten when
 * their results are handed over.
 */
export async function runJobOperation(
	ctx: RunContext,
	operation: JobOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	return await new JobOperationRun(ctx, operation, client).run();
}

/** Jobs of one run at once where no item says how many: Max Jobs at Once. */
const DEFAULT_CONCURRENCY = 10;

/** Brings the jobs of one run from plan to output, in one go or with the execution suspended in between. */
class JobOperationRun {
	private readonly ledger: Ledger;

	private readonly account: CreditAccount;

	private readonly records: JobRecords;

	private readonly suspension: Suspension;

	private readonly notes: Notes;

	private readonly changes: RunChanges;

	/** Operation that messages advise; undefined for an agent, which may not have it for a tool. */
	private readonly advised: string | undefined;

	/** Whether an item that fails becomes an item with its error. */
	private readonly continues: boolean;

	/** By input item. */
	private readonly failures = new Map<number, ItemFailure>();

	/** Costs that Max Credits does not hold for. */
	private notCounted: string | undefined;

	/** Why Max Credits lets nothing through. */
	private overCap: string | undefined;

	constructor(
		private readonly ctx: RunContext,
		private readonly operation: JobOperation,
		private readonly client: ServiceClient,
	) {
		const { collectWith } = operation.result;
		this.ledger = new Ledger(ctx, client, operation.job.name, collectWith);
		this.account = new CreditAccount(ctx, operation.worstCase);
		this.records = new JobRecords(ctx, operation, this.ledger, this.account);
		this.suspension = new Suspension(ctx, operation, client);
		this.notes = new Notes(collectWith);
		this.changes = new RunChanges(ctx, client);
		this.advised = isToolCall(ctx) ? undefined : collectWith;
		this.continues = keepsFailedItems(ctx);
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
		const { suspension } = this;
		const isSuspended = await this.ledger.inTurn(async () => {
			// 1. What is asked for, with what earlier tries have started of it, under the caps of all.
			await this.plan();
			// 2. What is wrong with an item is said before anything is sent.
			this.throwItemFailure();
			// 3. To be suspended, all are started first; n8n ends the execution then, and wakes it when they have ended.
			if (suspension.isWanted(this.plans)) {
				await this.startAll();
				this.throwItemFailure();
				if (await this.suspend()) return true;
			}
			// 4. What is compared with, before anything is paid for.
			await this.changes.load(this.plans);
			// 5. Starts, and waits for the ends; of a woken execution only these.
			await this.runAll();
			return false;
		});
		if (isSuspended) return suspension.output;
		this.throwItemFailure();
		// 6. The pages.
		const reading = await this.read();
		this.throwItemFailure();
		// 7. Items in the order of the input.
		const output = this.toOutput(reading);
		noteOutput(this.notes, output);
		await this.rememberPages(output, reading);
		this.addHints(reading);
		// 8. Only now nothing is left to be taken up.
		this.forgetWhatIsHandedOver(output);
		return output;
	}

	private get plans(): JobPlan[] {
		return this.records.list.map(({ plan }) => plan);
	}

	/** Reads the items, and takes up what earlier tries have started, or this execution before n8n suspended it. */
	private async plan(): Promise<void> {
		const { ctx, operation, ledger, account, client, suspension, records } = this;
		const read = planItems(ctx, operation, ledger.startedBefore);
		const isWoken = suspension.woken !== undefined;
		const planned = await prepareJobs(
			read,
			operation,
			{ ledger, account, isWoken },
			{
				lookUp: async (id) => await client.lookUp(statusRequest(operation.job, id)),
				orStopped: async () => await client.pauseOrStop(),
			},
		);
		const { plans, failures } = planned;
		this.fail(failures);
		records.take(plans, isWoken);
		// An execution that n8n suspended and woke is one try: what it has paid for is what is counted.
		this.overCap = planned.overCap;
		this.notCounted = isWoken ? account.notCounted(plans.map(jobCharge)) : planned.notCounted;
		suspension.noteWoken();
	}

	private fail(itemFailures: ItemFailure[]): void {
		for (const itemFailure of itemFailures) this.failures.set(itemFailure.item, itemFailure);
	}

	private hasFailed(plan: JobPlan): boolean {
		return itemsOf(plan).some((item) => this.failures.has(item));
	}

	/**
	 * Suspends the execution until its jobs have ended; false without such jobs. Throws a ServiceFailure when the
	 * execution was stopped.
	 */
	private async suspend(): Promise<boolean> {
		const { suspension, records } = this;
		const awaited = records.list.filter((job) => job.awaited);
		if (awaited.length === 0) return false;
		// The service may call somebody else when it ends.
		const isUnproven = awaited.some(({ evidence }) => evidence === 'addressAndTime');
		if (isUnproven) suspension.hold('a job was found by its address and time only');
		const others = records.list.filter((job) => this.isSuspendedWithoutWait(job));
		try {
			if (!(await suspension.isPossible(awaited))) return false;
			// Of what was only to be started nothing more is wanted; what has an end by now is read when it is woken.
			const isStarted = ({ outcome }: Job) => outcome?.kind === 'started';
			const watched = [...awaited, ...others.filter((job) => !isStarted(job))];
			records.noteSuspended(watched, this.failures);
			await suspension.suspend(watched, others.filter(isStarted), [...this.failures.values()]);
			return true;
		} finally {
			await this.cancelIfStopped();
		}
	}

	/** If the execution is stopped between its starts and its suspension, no loop is at work that would cancel them. */
	private async cancelIfStopped(): Promise<void> {
		const { client, records } = this;
		if (!client.stopped) return;
		const jobs = records.list.filter((job) => job.awaited && goesWithExecution(job));
		await cancelStopped(
			jobs.map((job) => ({ job, id: Promise.resolve(job.id) })),
			records,
			client,
		);
	}

	/** A job that is not waited for any more, and whose items have no error: what is known of that goes no further. */
	private isSuspendedWithoutWait({ plan, outcome }: Job): boolean {
		if (outcome?.kind === 'started') return true;
		const isOver = outcome?.kind === 'failed' || outcome?.kind === 'unfinished';
		return isOver && this.itemFailureOf(plan, outcome) === undefined;
	}

	/** Starts all jobs, to be waited for later. Throws a ServiceFailure when the execution was stopped. */
	private async startAll(): Promise<void> {
		const { suspension, records, client } = this;
		const { along } = suspension;
		const jobs = this.withoutOutcome;
		const isOver = (job: Job, outcome: JobOutcome) =>
			awaitedId(job, outcome) === undefined && !suspension.isRefused(job.plan, outcome);
		const outcomes = await startJobs(
			jobs,
			{
				...this.howToRun(jobs),
				along,
				// Every outcome is checked first, because the check notes that calls are refused.
				stopsTheRun: (job, outcome) => isOver(job, outcome) && this.failsTheRun(job.plan, outcome),
				// One refusal is enough: no further start asks for a call that the service does not make.
				beginsNoMore: () => suspension.held !== undefined,
			},
			client,
		);
		for (const [index, outcome] of outcomes.entries()) {
			const job = jobs[index];
			if (!job) continue;
			// The rest is to be started in another way.
			const isCutShort = suspension.held !== undefined && outcome.kind === 'notStarted';
			const id = awaitedId(job, outcome);
			if (id !== undefined) records.note(job, { kind: 'awaited', id });
			else if (isOver(job, outcome) && !isCutShort) this.note(job.plan, outcome);
		}
	}

	/** Starts what was not started, and waits for all. Throws a ServiceFailure when the execution was stopped. */
	private async runAll(): Promise<void> {
		const { client } = this;
		const jobs = this.withoutOutcome;
		const outcomes = await runJobs(jobs, this.howToRun(jobs), client);
		for (const [index, outcome] of outcomes.entries()) {
			const job = jobs[index];
			if (job) this.note(job.plan, outcome);
		}
	}

	private get withoutOutcome(): Job[] {
		return this.records.list.filter(({ outcome }) => !outcome);
	}

	private howToRun(jobs: readonly Job[]): HowToRun {
		const { client, records, ledger } = this;
		for (const id of ledger.idsOf('execution')) client.register.own(id, client.time.now());
		return {
			records,
			concurrency: atOnce(jobs.map(({ plan }) => plan)),
			stopsTheRun: ({ plan }, outcome) => this.failsTheRun(plan, outcome),
			beginsNoMore: () => false,
			refusesStart: (job) => this.refusesStart(job),
		};
	}

	private failsTheRun(plan: JobPlan, outcome: JobOutcome): boolean {
		return !this.continues && this.itemFailureOf(plan, outcome) !== undefined;
	}

	private note(plan: JobPlan, outcome: JobOutcome): void {
		const { key } = plan;
		const job = this.records.of(plan);
		job.outcome = outcome;
		this.records.note(job, { kind: 'ended', outcome });
		const itemFailure = this.itemFailureOf(plan, outcome);
		if (!itemFailure) return;
		// A job that failed at the service has no result to attach to: a retry must start it again.
		if (outcome.kind === 'failed') this.ledger.change(key, { kind: 'superseded', state: 'failed' });
		const isAbsent = outcome.kind === 'error' && (outcome.uncertain || outcome.isGone === true);
		if (isAbsent) this.ledger.change(key, { kind: 'told' });
		this.fail(itemsOf(plan).map((item) => ({ ...itemFailure, item })));
	}

	/** Asked before a start that was not planned: of a job that is gone, or once more. */
	private refusesStart(job: Job): ServiceFailure | undefined {
		const tooMuch = this.account.refusal(jobCharge(job.plan), this.ledger.idsOf('run'));
		if (tooMuch === undefined) return undefined;
		job.capBarsAgain = true;
		return new ServiceFailure({ kind: 'badInput', mayHaveExecuted: false, message: tooMuch });
	}

	private itemFailureOf(plan: JobPlan, outcome: JobOutcome): ItemFailure | undefined {
		const { capBarsAgain = false } = this.records.of(plan);
		return itemFailureOf(outcome, plan, { collectWith: this.advised, capBarsAgain });
	}

	/** Without "continue on error" the first item with a failure of its own stops the run. */
	private throwItemFailure(): void {
		if (this.continues || this.failures.size === 0) return;
		const { list, all } = this.records;
		const notTried = new Set(
			[...outcomesOf(list)].flatMap(([plan, { kind }]) => (kind === 'notStarted' ? itemsOf(plan) : [])),
		);
		const inOrder = [...this.failures.values()].sort((left, right) => left.item - right.item);
		const first = inOrder.find(({ item }) => !notTried.has(item));
		if (first) throw runError(this.ctx, withRefused(first, inOrder, this.ctx.getInputData().length), all);
	}

	/** The error that ended the run, with the state of its jobs: it was stopped, or something unexpected was thrown. */
	private endOf(error: unknown): Error {
		const { records } = this;
		const { all: jobs } = records;
		if (error instanceof ServiceFailure) {
			const { kind, message } = error;
			const sentences = records.leftSentences(records.list);
			if (kind === 'aborted') logStop(this.ctx, sentences);
			const told = [message, ...sentences].join(' ');
			return runError(this.ctx, { item: 0, kind, message: told }, jobs);
		}
		// The jobs are named beside it.
		const text = records.leftSentences([]).join(' ');
		return unexpectedError(this.ctx.getNode(), error, { jobs, text });
	}

	private async read(): Promise<JobsResults> {
		const { ctx, operation, client, records, failures, notes, changes, advised: collectWith } = this;
		const readable = new Map(
			[...outcomesOf(records.list)].filter(([plan]) => !itemsOf(plan).every((item) => failures.has(item))),
		);
		const files = new LinkedFiles(ctx, client);
		const reading = await readJobs(
			{ ctx, operation, client, collectWith, notes, changes, files },
			readable,
			(plan) => records.of(plan).answer ?? {},
		);
		this.fail(reading.failures);
		for (const [plan, { credits }] of reading.counts) records.settleRead(plan, credits);
		// Nothing was paid for a job without a page, and nothing is in it: a retry starts it again.
		for (const [{ key }, { isUnpaid }] of reading.counts) {
			if (isUnpaid) this.ledger.change(key, { kind: 'forgotten' });
		}
		return reading;
	}

	private toOutput({ items }: JobsResults): INodeExecutionData[] {
		const byItem = new Map(items);
		const { failures } = this;
		const firstFailed = [...failures.keys()].reduce((first, item) => Math.min(first, item), Infinity);
		for (const itemFailure of failures.values()) {
			const { item } = itemFailure;
			const jobs = item === firstFailed ? this.records.all : [];
			byItem.set(item, [...(items.get(item) ?? []), errorItem(this.ctx, itemFailure, jobs)]);
		}
		return [...byItem.keys()].sort((left, right) => left - right).flatMap((item) => byItem.get(item) ?? []);
	}

	/** Stores the pages of a well ended job, with which the next run compares. */
	private async rememberPages(output: INodeExecutionData[], { counts }: JobsResults): Promise<void> {
		if (isRetryComing(this.ctx, output)) return;
		await this.changes.store([...counts.keys()].filter((plan) => this.records.of(plan).outcome?.kind === 'done'));
	}

	private forgetWhatIsHandedOver(output: INodeExecutionData[]): void {
		if (isRetryComing(this.ctx, output)) return;
		this.suspension.forget();
		const answered = this.records.list.filter((record) => this.hasResult(record));
		this.ledger.complete(keysOf(this.plans), keysOf(answered.map(({ plan }) => plan)));
	}

	/** True for a plan whose items get all that was wanted of it. */
	private hasResult({ plan, outcome }: Job): boolean {
		const isOver = outcome !== undefined && ['done', 'failed', 'started'].includes(outcome.kind);
		return isOver && !this.hasFailed(plan);
	}

	private addHints({ counts }: JobsResults): void {
		const { ctx, operation, client, suspension, notes, plans, failures, records } = this;
		const { unclaimed: left } = this.ledger;
		const { hints } = records;
		const goneBefore = left.flatMap(({ id, state }) => (id && state === 'gone' ? [id] : []));
		const startedAnew = [...goneBefore, ...hints.goneIds];
		const taken = plans.filter(({ key, known }) => key !== undefined && known).length;
		const summary = jobSummary({
			...totalsOf(operation.result, outcomesOf(records.list), counts),
			items: ctx.getInputData().length,
			failed: failures.size,
			open: hints.open,
			throttledSeconds: client.throttled.seconds + (suspension.woken?.throttledSeconds ?? 0),
			collectWith: operation.result.collectWith,
			timeZone: ctx.getTimezone(),
		});
		notes.say('summary', summary);
		// An execution that n8n suspended and woke is one try.
		if (!suspension.woken) notes.add('reusedJobs', { amount: taken - hints.goneIds.length });
		for (const name of hints.startedAfterKill) notes.add('startedAfterKill', { name });
		for (const name of hints.foundIds) notes.add('foundJobs', { name });
		notes.add('startedAgain', { amount: hints.startedAgain });
		for (const name of startedAnew) notes.add('startedAnew', { name });
		this.changes.tell(notes);
		notes.say('overCap', this.overCap);
		notes.say('notCounted', this.notCounted);
		notes.say('inForeground', suspension.held);
		for (const name of hints.joinedIds) notes.add('joinedJobs', { name });
		const detail = operation.job.listed?.shows ?? 'address';
		for (const name of hints.unprovenIds) notes.add('unprovenJobs', { name, detail });
		const unused = left.filter(({ state }) => state !== 'gone');
		noteUnclaimed(notes, unused);
		ctx.addExecutionHints(...notes.hints());
	}
}

/** The job that a start has begun, where it is to be waited for. */
function awaitedId({ plan }: Job, outcome: JobOutcome): string | undefined {
	const isStarted = outcome.kind === 'started' || outcome.kind === 'done';
	return isStarted && plan.watched ? outcome.id : undefined;
}

function keysOf(plans: JobPlan[]): string[] {
	return plans.flatMap(({ key }) => (key === undefined ? [] : [key]));
}

/** The number of jobs that may be at work at once: the least that an item says. */
function atOnce(plans: JobPlan[]): number {
	const said = plans.flatMap(({ concurrency = [] }) => concurrency);
	return said.length === 0 ? DEFAULT_CONCURRENCY : said.reduce((least, one) => Math.min(least, one));
}
