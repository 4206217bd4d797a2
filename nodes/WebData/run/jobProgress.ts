import { cancelStopped, isCancelledOnStop } from '../../service/jobs/cancelOnStop';
import type { JobOutcome, JobSettings, KnownJob } from '../../service/jobs/jobTask';
import { ServiceFailure } from '../../service/http/failure';
import { runJobs } from '../../service/jobs/runJobs';
import type { ServiceClient } from '../../service/limits/client';
import { recoverStart } from '../../service/startRecovery/recoverStart';
import type { RunContext } from './connection/runContext';
import { keepsFailedItems } from './input/readFields';
import type { Ledger } from './ledger/ledger';
import { chargeOf, itemsOf } from './jobs/jobPlan';
import type { JobPlan, Planned } from './jobs/jobPlan';
import type { CreditAccount } from './ledger/creditAccount';
import type { JobRecords } from './jobs/jobRecords';
import { itemFailureOf } from './outcomes/outcomeText';
import { runError } from './output/itemError';
import type { ItemFailure } from './output/itemError';
import type { Suspension, StartedJob } from './suspension/suspension';

/** How jobs are brought on: to their start, or to their end. */
type How = Pick<JobSettings<JobPlan>, 'startsOnly' | 'along' | 'started'>;

/** Jobs of one run at once where no item says how many: Max Jobs at Once. */
const DEFAULT_CONCURRENCY = 10;

interface ProgressParts {
	ctx: RunContext;
	client: ServiceClient;
	ledger: Ledger;
	account: CreditAccount;
	records: JobRecords;
	suspension: Suspension;
	/** Operation that messages advise; undefined for an agent. */
	advised: string | undefined;
}

/** Brings the jobs of one run from plan to outcome, in one go or with the execution suspended in between. */
export class JobProgress {
	plans: JobPlan[] = [];

	/** What Max Credits does not hold for. */
	notCounted: string | undefined;

	readonly outcomes = new Map<JobPlan, JobOutcome>();

	/** By input item. */
	readonly failures = new Map<number, ItemFailure>();

	/** Jobs that this execution has started and that are yet to be watched. */
	private readonly started = new Map<JobPlan, KnownJob>();

	private readonly continues: boolean;

	constructor(private readonly parts: ProgressParts) {
		this.continues = keepsFailedItems(parts.ctx);
	}

	/** To be called first. */
	take({ plans, failures, notCounted }: Planned): void {
		this.plans = plans.map((plan) => this.asSuspended(plan));
		this.notCounted = notCounted;
		for (const itemFailure of failures) this.failures.set(itemFailure.item, itemFailure);
		for (const plan of this.plans) this.parts.records.noteAttached(plan);
		this.takeUpSuspended();
	}

	/**
	 * Starts all jobs where the execution is to be suspended; does nothing where it is held. Throws a
	 * ServiceFailure when the execution was stopped.
	 */
	async startAll(): Promise<void> {
		const { suspension } = this.parts;
		if (suspension.isWanted(this.plans)) await this.bringOn({ startsOnly: true, along: suspension.along });
	}

	/** Suspends the execution until its jobs have ended; false without such jobs. Throws as above. */
	async suspend(): Promise<boolean> {
		const { started, notCounted } = this;
		const { suspension, records } = this.parts;
		// The service may call somebody else when it ends.
		const isUnproven = [...started.values()].some(({ evidence }) => evidence === 'addressAndTime');
		if (isUnproven) suspension.hold('a job was found by its address and time only');
		const awaited = [...started].map(([plan, { id }]) => ({ plan, id, wait: 'open' as const }));
		const jobs = [...awaited, ...this.othersToSuspend()].map((job) => {
			return { ...job, sentMs: records.sentMs.get(job.plan) ?? 0 };
		});
		const failures = [...this.failures.values()];
		return await suspension
			.suspend(jobs, { ...records.told, failures, notCounted })
			.finally(async () => await this.cancelIfStopped());
	}

	/** Where the execution is stopped between its starts and its suspension, no loop is at work that would cancel them. */
	private async cancelIfStopped(): Promise<void> {
		const { client, records } = this.parts;
		if (!client.stopped) return;
		const toCancel = [...this.started].filter(
			([plan, { evidence }]) => evidence !== 'addressAndTime' && isCancelledOnStop(plan),
		);
		const jobs = toCancel.map(([task, { id }]) => {
			const left = { kind: 'left' as const, id, state: 'started' };
			return { task, ended: Promise.resolve(left) };
		});
		await cancelStopped(jobs, { events: records.events() }, client);
	}

	/** Jobs that are not waited for any more, and whose items have no error: what is known of them goes no further. */
	private othersToSuspend(): Array<Pick<StartedJob, 'plan' | 'id' | 'wait'>> {
		return [...this.outcomes].flatMap(([plan, outcome]) => {
			const isOver = outcome.kind === 'failed' || outcome.kind === 'unfinished';
			if (!isOver && outcome.kind !== 'started') return [];
			if (isOver && this.itemFailureOf(plan, outcome)) return [];
			return [{ plan, id: outcome.id, wait: isOver ? ('over' as const) : ('none' as const) }];
		});
	}

	/** Brings all jobs to their end. Throws a ServiceFailure when the execution was stopped. */
	async bringToEnd(): Promise<void> {
		await this.bringOn({ started: this.started });
	}

	/** What was suspended is waited for, whatever an expression says of that by now. */
	private asSuspended(plan: JobPlan): JobPlan {
		const { known } = plan;
		const isSuspended = known && this.parts.suspension.woken?.ids.includes(known.id);
		return isSuspended ? { ...plan, watched: true } : plan;
	}

	/** In an execution that was woken: its starts are over, and what came of them is known. */
	private takeUpSuspended(): void {
		const woken = this.parts.suspension.takeUp();
		if (!woken) return;
		for (const itemFailure of woken.failures) this.failures.set(itemFailure.item, itemFailure);
		this.plans = this.plans.filter((plan) => !itemsOf(plan).some((item) => this.failures.has(item)));
		for (const plan of this.plans) {
			const { known } = plan;
			if (known && plan.watched) this.started.set(plan, known);
			// Nothing more is wanted of it than its start, which this execution knows.
			else if (known) this.outcomes.set(plan, { kind: 'started', id: known.id });
		}
		this.notCounted = woken.notCounted;
		this.parts.records.takeUp(this.plans, woken);
	}

	/** Brings the jobs on that have come to no end yet. */
	private async bringOn(how: How): Promise<void> {
		const { outcomes: known } = this;
		const { client, suspension } = this.parts;
		for (const id of this.parts.ledger.allIds) {
			client.limits.register.know(id, client.time.now());
		}
		const plans = this.plans.filter((plan) => !known.has(plan));
		const outcomes = await runJobs(
			plans,
			{
				concurrency: atOnce(plans),
				...how,
				// Every outcome is checked first, because the check notes that calls are refused.
				stopsTheRun: (outcome, plan) =>
					!this.willContinue(plan, outcome, how) && !this.continues && this.itemFailureOf(plan, outcome) !== undefined,
				// One refusal is enough: no further start asks for a call that the service does not make.
				beginsNoMore: () => how.along !== undefined && suspension.held !== undefined,
				refusesStart: (plan) => this.refusesStart(plan),
				events: this.parts.records.events(),
				findLost: async (lost) => await recoverStart(lost, client),
			},
			client,
		);
		plans.forEach((plan, index) => {
			const outcome = outcomes[index];
			if (outcome && !this.willContinue(plan, outcome, how)) this.note(plan, outcome);
		});
	}

	/** True for a job that was started to be waited for later, or is to be started in another way. */
	private willContinue(plan: JobPlan, outcome: JobOutcome, { startsOnly, along }: How): boolean {
		if (startsOnly && plan.watched && (outcome.kind === 'started' || outcome.kind === 'done')) {
			const { id } = outcome;
			const evidence = this.parts.records.evidenceOf(id);
			this.started.set(plan, { id, ageMs: 0, ...(evidence && { evidence }) });
			return true;
		}
		const { suspension } = this.parts;
		if (along === undefined) return false;
		const isCutShort = suspension.held !== undefined && outcome.kind === 'notStarted';
		return suspension.isRefused(plan, outcome) || isCutShort;
	}

	private note(plan: JobPlan, outcome: JobOutcome): void {
		const { key } = plan;
		this.outcomes.set(plan, outcome);
		this.parts.records.noteEnd(plan, outcome);
		const itemFailure = this.itemFailureOf(plan, outcome);
		// A job that failed at the service has no result to attach to: a retry must start it again.
		if (outcome.kind === 'failed' && itemFailure && key !== undefined) {
			this.parts.ledger.retire(key, 'failed');
		}
		if (!itemFailure) return;
		for (const item of itemsOf(plan)) this.failures.set(item, { ...itemFailure, item });
	}

	/** Asked before a start that was not planned: of a job that is gone, or once more. */
	private refusesStart(plan: JobPlan): ServiceFailure | undefined {
		const { account, ledger } = this.parts;
		const tooMuch = account.refusal(chargeOf(plan), ledger.startedIds);
		if (tooMuch === undefined) return undefined;
		plan.capBarsAgain = true;
		return new ServiceFailure({ kind: 'badInput', reached: 'no', message: tooMuch });
	}

	/** True for a plan whose items get all that was wanted of it. */
	hasResult(plan: JobPlan): boolean {
		const kind = this.outcomes.get(plan)?.kind;
		const isOver = kind === 'done' || kind === 'failed' || kind === 'started';
		return isOver && !itemsOf(plan).some((item) => this.failures.has(item));
	}

	private itemFailureOf(plan: JobPlan, outcome: JobOutcome): ItemFailure | undefined {
		return itemFailureOf(outcome, plan, this.parts.advised);
	}

	/** Without "continue on error" the first item with a failure of its own stops the run. */
	throwItemFailure(): void {
		if (this.continues || this.failures.size === 0) return;
		const notTried = new Set(
			[...this.outcomes].flatMap(([plan, { kind }]) => (kind === 'notStarted' ? itemsOf(plan) : [])),
		);
		const inOrder = [...this.failures.values()].sort((left, right) => left.item - right.item);
		const first = inOrder.find(({ item }) => !notTried.has(item));
		if (first) throw runError(this.parts.ctx, first, this.parts.records.all);
	}
}

/** How many jobs may be at work at once: the least that an item says. */
function atOnce(plans: JobPlan[]): number {
	const said = plans.flatMap(({ concurrency = [] }) => concurrency);
	return said.length === 0 ? DEFAULT_CONCURRENCY : said.reduce((least, one) => Math.min(least, one));
}
