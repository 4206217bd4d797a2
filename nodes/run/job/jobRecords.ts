import { named } from '../../operation/hint';
import type { JsonObject } from '../../service/http/transport';
import type { JobOutcome, KnownBy, KnownJob } from '../../service/jobs/jobOutcome';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import type { CreditAccount } from '../ledger/creditAccount';
import type { Entry, EntryState } from '../ledger/entries';
import { hasNoResult } from '../ledger/ledger';
import type { Ledger } from '../ledger/ledger';
import { StartedJobs, progressText } from '../ledger/namedJobs';
import type { JobProgress } from '../ledger/namedJobs';
import { logForItem, withArticle } from '../output/hints';
import type { ItemFailure, JobOnRecord } from '../output/itemError';
import { spanOf } from '../paid/sendPaid';
import type { Journal, Loss, Started } from '../paid/sendPaid';
import { isAfterKill, itemsOf, jobCharge } from './jobPlan';
import type { JobOperation, JobPlan } from './jobPlan';

/** One job, from its plan to its end: what is asked for, where it is, what came of it. There is one object for each. */
export interface Job {
	readonly plan: JobPlan;
	/** Undefined until it is known to run or to have run. */
	id?: string | undefined;
	/** The last that is known of it; `unknown` when nobody has looked yet. */
	state: string;
	/** The way in which its id is known, where no answer to its own start gave it. */
	evidence?: KnownBy | undefined;
	/** The service's answer to its start. */
	answer?: JsonObject;
	/** The time when its start was sent for the last time, in milliseconds since 1970. */
	sentMs?: number;
	isUnanswered?: boolean;
	/** Its start was sent once more, though it may have been paid twice. */
	isSentAgain?: boolean;
	/** Max Credits had no room for a start that was lost once more. */
	capBarsAgain?: boolean;
	/** It has ended by itself, well or not. */
	hasEnded?: boolean;
	/** It was cancelled because the execution was stopped. */
	isCancelled?: boolean;
	/** Its progress, as the latest check showed it. */
	progress?: JobProgress;
	/** This execution has started it, and is yet to watch it. */
	awaited?: KnownJob;
	outcome?: JobOutcome;
}

/** What happens to a job besides its start, which its journal is told of. */
type JobEvent =
	/** It is started, to be waited for later in this execution. */
	| { kind: 'awaited'; id: string }
	/** A check has shown its state, which goes into the custom data: n8n keeps that of a stopped execution. */
	| { kind: 'checked'; body: JsonObject }
	/** It has come to an outcome. Told at once, not only when all others have. */
	| { kind: 'ended'; outcome: JobOutcome }
	/** Another job must end before it can be started. */
	| { kind: 'held'; byId: string }
	/** It was found with all its options: today's key is of the account of the try that has sent it. */
	| { kind: 'accountProven' }
	/** One of an earlier try is proven to be gone, and another one is started in its place. */
	| { kind: 'gone'; id: string }
	/** The execution was stopped, and the service has cancelled the job, or says that it had ended. */
	| { kind: 'stopped'; id: string; state: 'cancelled' | 'ended' };

/** What hints say of the jobs of a run. */
interface JobHints {
	/** Jobs of starts with an unclear end that the service's lists had. */
	foundIds: readonly string[];
	/** Jobs that were running already, and were reused instead of starting another one. */
	joinedIds: readonly string[];
	/** Jobs of an earlier try that are gone, and that others were started in place of. */
	goneIds: string[];
	/** Of the jobs that this run works on: those that may be somebody else's. */
	unprovenIds: string[];
	/** Ids of jobs that were started after a kill, since the lists had none that was of it. */
	startedAfterKill: string[];
	/** The number of starts with an unclear end that were sent once more. */
	startedAgain: number;
	/** The starts without a clear answer that have no job, and what they may have cost together. */
	open: { starts: number; credits: number };
}

/** The jobs of a run, noted as they proceed: a run that ends early forgets none. */
export class JobRecords {
	private readonly byPlan = new Map<JobPlan, Job>();

	private readonly gone: JobOnRecord[] = [];

	private readonly foundIds: string[] = [];

	private readonly joinedIds: string[] = [];

	private readonly startedJobs: StartedJobs;

	constructor(
		private readonly ctx: RunContext,
		private readonly operation: JobOperation,
		private readonly ledger: Ledger,
		private readonly account: CreditAccount,
	) {
		this.startedJobs = new StartedJobs(ctx, operation.result.collectWith);
	}

	/**
	 * Begins the records of these plans, with what is known of jobs that were started before this run. `isWoken`: by n8n,
	 * so that all starts are over, and what the hints say of them is said now.
	 */
	take(plans: JobPlan[], isWoken: boolean): void {
		if (isWoken) this.takeWoken(plans);
		else this.begin(plans);
	}

	private begin(plans: readonly JobPlan[]): void {
		for (const plan of plans) {
			const { key, known, entry } = plan;
			const { id, evidence } = known ?? {};
			const answer = entry?.answer ?? entry?.started;
			this.byPlan.set(plan, { plan, id, state: 'unknown', evidence, ...(answer && { answer }) });
			if (id !== undefined && key !== undefined) this.startedJobs.add(id);
		}
	}

	private takeWoken(plans: readonly JobPlan[]): void {
		// A suspended job is waited for, whatever an expression says of that by now.
		this.begin(plans.map((plan) => (plan.entry?.watched ? { ...plan, watched: true } : plan)));
		for (const record of this.list) {
			const { known, entry, watched } = record.plan;
			if (!known) continue;
			record.state = 'started';
			if (watched) record.awaited = known;
			// Nothing more is wanted of it than its start, which this execution knows.
			else record.outcome = { kind: 'started', id: known.id };
			if (known.evidence) this.noteEvidence(known.id, known.evidence);
			record.isSentAgain = entry?.sentAgain === true;
		}
	}

	/** Notes what has happened to a job. */
	note({ plan }: Job, event: JobEvent): void {
		const job = this.of(plan);
		const { item, key, kind } = plan;
		switch (event.kind) {
			case 'awaited':
				job.awaited = { id: event.id, ageMs: 0, ...(job.evidence && { evidence: job.evidence }) };
				return;
			case 'checked':
				return this.checked(job, event.body);
			case 'ended':
				return this.ended(job, event.outcome);
			case 'held':
				return logForItem(
					this.ctx,
					item,
					`waiting for the end of the ${kind.label} ${event.byId}, which has to come first`,
				);
			case 'accountProven':
				this.ledger.change(key, { kind: 'accountProven' });
				return;
			case 'gone':
				this.gone.push({ item, id: event.id, state: 'gone' });
				Object.assign(job, { id: undefined, evidence: undefined });
				this.ledger.change(key, { kind: 'superseded', state: 'gone' });
				return;
			case 'stopped':
				if (event.state === 'ended') job.hasEnded = true;
				else {
					Object.assign(job, { id: event.id, state: 'cancelled', isCancelled: true });
					this.forget(plan);
				}
		}
	}

	/** What is told of its start as it is sent, and noted at once. */
	journalOf(job: Job): Journal {
		return {
			sending: () => this.sending(job),
			refused: (earlier) => this.refused(job, earlier),
			started: (id = '', answer, how) => this.started(job, id, answer, how),
			lost: (loss) => this.unconfirmed(job, loss),
			repeated: () => (job.isSentAgain = true),
		};
	}

	/** The execution is being suspended until these jobs have ended. `failures`: of items whose jobs have not begun. */
	noteSuspended(watched: readonly Job[], failures: ReadonlyMap<number, ItemFailure>): void {
		for (const { plan } of watched) this.ledger.change(plan.key, { kind: 'watched' });
		for (const { plan } of this.list) {
			const { item, start, key, shared } = plan;
			const failure = failures.get(item);
			if (!start || !failure || this.ledger.change(key, { kind: 'withoutResult', failure })) continue;
			this.ledger.note({ item, start }, 'refused', { failure, ...(shared && { shared }) });
		}
	}

	/** In the order of the plans. */
	get list(): Job[] {
		return [...this.byPlan.values()];
	}

	of(plan: JobPlan): Job {
		const record = this.byPlan.get(plan);
		if (!record) throw new Error('A plan has no record.');
		return record;
	}

	/** The jobs of this try. */
	private get jobs(): JobOnRecord[] {
		return this.list.flatMap(({ plan: { item }, id, state }) => (id === undefined ? [] : [{ item, id, state }]));
	}

	/** Every job that is known to run or to have run, in this try or in one before it. */
	get all(): JobOnRecord[] {
		const left = this.ledger.unclaimed.map((entry) => {
			const { item, id = '', state } = entry;
			return { item, id, state: hasNoResult(entry) ? state : 'unknown' };
		});
		return [...this.jobs, ...this.gone, ...left];
	}

	get hints(): JobHints {
		const { foundIds, joinedIds } = this;
		const open = this.list.filter(({ outcome }) => outcome?.kind === 'error' && outcome.uncertain);
		return {
			foundIds,
			joinedIds,
			goneIds: this.gone.map(({ id }) => id),
			unprovenIds: this.idsWhere(({ evidence }) => evidence === 'addressAndTime'),
			startedAfterKill: this.idsWhere(({ plan, evidence }) => isAfterKill(plan) && evidence === undefined),
			startedAgain: this.list.filter(({ isSentAgain }) => isSentAgain).length,
			open: {
				starts: open.length,
				credits: open.reduce((sum, { plan }) => sum + this.worstCaseOf(plan), 0),
			},
		};
	}

	/**
	 * The jobs of an execution that ends early, a sentence each; empty when it had none. `shown`: those whose ids are
	 * not said elsewhere.
	 */
	leftSentences(shown: readonly Job[]): string[] {
		const { operation } = this;
		const { label } = operation.job;
		const { collectWith } = operation.result;
		const cancelled = this.idsWhere(({ isCancelled }) => isCancelled === true);
		const ended = idsOf(shown.filter(({ hasEnded }) => hasEnded));
		const running = idsOf(shown.filter(({ hasEnded, isCancelled }) => !hasEnded && !isCancelled));
		const unanswered = this.list.flatMap(({ plan, isUnanswered }) => (isUnanswered ? itemsOf(plan) : []));
		const one = unanswered.length === 1;
		const done = progressText(this.progress, operation.result.usageUnit);
		const option = cancelled.length > 0 ? ' with the option On Failure' : '';
		const sentences = [
			listed('Cancelled at the service', cancelled),
			listed(`Had ended before (${collectWith} collects them)`, ended),
			listed('Still running at the service', running),
			done === '' ? '' : `${done}: ${collectWith}${option} returns them.`,
			unanswered.length === 0
				? ''
				: `The start was under way for ${one ? 'item' : 'items'} ${named(unanswered)}: ${one ? `its ${label}` : `their ${label}s`} may have been started, and may be paid for. Look in the account's activity.`,
		];
		return sentences.filter((sentence) => sentence !== '');
	}

	/** The progress of the jobs that are known to have done something. */
	private get progress(): JobProgress[] {
		return this.list.flatMap(({ progress }) => (progress && progress.done > 0 ? [progress] : []));
	}

	private checked(job: Job, body: JsonObject): void {
		const { amount: done, credits } = this.operation.result.usage(body);
		const { total } = body;
		job.progress = {
			done,
			...(typeof total === 'number' && { total: Math.max(total, done) }),
			// A status that is asked for in part may tell the price of that part.
			...(credits !== undefined && credits >= done && { credits }),
		};
		this.startedJobs.tell(progressText(this.progress, this.operation.result.usageUnit));
	}

	private idsWhere(isMeant: (record: Job) => boolean): string[] {
		return idsOf(this.list.filter(isMeant));
	}

	private ended(record: Job, outcome: JobOutcome): void {
		const { plan } = record;
		if (outcome.kind === 'done' || outcome.kind === 'failed') {
			record.hasEnded = true;
			// A status that is asked for in part may tell the cost of that part only.
			const isWhole = plan.kind.statusQuery === undefined;
			if (isWhole) this.settleCost(plan, outcome.id, this.operation.result.usage(outcome.body).credits);
		}
		if (record.id !== undefined && 'state' in outcome && outcome.state !== undefined) record.state = outcome.state;
	}

	/** The pages of a job were read. `pagesCost`: what they say that they cost, where all were read and all say it. */
	settleRead(plan: JobPlan, pagesCost: number | undefined): void {
		const { outcome } = this.of(plan);
		if (outcome?.kind !== 'done' && outcome?.kind !== 'failed') return;
		const { credits = 0, amount } = this.operation.result.usage(outcome.body);
		// A price that is too low for the job's pages is that of a part.
		const isOfAll = amount > 0 && credits >= amount;
		if (pagesCost !== undefined || isOfAll) {
			this.settleCost(plan, outcome.id, Math.max(pagesCost ?? 0, credits));
		}
	}

	/** Its start is sent next. Noted before: what n8n stores of a stopped execution is what stands there by then. */
	private sending(job: Job): void {
		const { plan } = job;
		if (job.sentMs === undefined) logForItem(this.ctx, plan.item, `starting ${withArticle(this.operation.job.label)}`);
		job.sentMs = processClock.wallClock();
		job.isUnanswered = true;
		this.account.send(jobCharge(plan));
		this.write(plan, 'sent');
	}

	/** This start has provably begun nothing. `earlier`: one that was sent before it for the same is lost, and stays. */
	private refused(job: Job, earlier: Loss | undefined): void {
		this.account.refund(job.plan);
		if (earlier) {
			this.unconfirmed(job, earlier);
			return;
		}
		job.isUnanswered = false;
		this.forget(job.plan);
	}

	/** Its id is known. Called before anything else is done with it. */
	private started(job: Job, id: string, answer: JsonObject, how: Started['how']): void {
		const { plan } = job;
		const { item, sent = {} } = plan;
		const { operation, ctx } = this;
		const evidence = how === 'answered' ? undefined : how;
		if (evidence) this.noteEvidence(id, evidence);
		Object.assign(job, { id, answer, state: 'started', isUnanswered: false, evidence });
		logForItem(ctx, item, `${operation.job.label} ${id} started`);
		this.startedJobs.add(id);
		// A start that n8n was killed over was counted nowhere.
		if (isAfterKill(plan) && job.sentMs === undefined) this.account.send(jobCharge(plan));
		const started = operation.result.toStartedItem(id, sent, answer);
		const sentAgain = job.isSentAgain && { sentAgain: true as const };
		this.write(plan, 'running', { id, started, answer, ...sentAgain, ...(evidence && { evidence }) });
	}

	/** The answer to its start is lost. */
	private unconfirmed({ plan }: Job, loss: Loss): void {
		this.write(plan, 'unconfirmed', spanOf(loss, processClock));
	}

	/** The ledger knows what is counted for a job that an earlier try has started, or an agent's other call. */
	private settleCost(plan: JobPlan, id: string, credits: number | undefined): void {
		const entry = this.ledger.change(plan.key, { kind: 'cost', id, credits });
		this.account.settle(plan, credits, entry?.id === id ? entry.credits : undefined);
	}

	/** In credits; Infinity without a bound. */
	private worstCaseOf(plan: JobPlan): number {
		return this.operation.worstCase?.(plan.sent ?? {}).credits ?? Infinity;
	}

	private noteEvidence(id: string, evidence: KnownBy): void {
		(evidence === 'joined' ? this.joinedIds : this.foundIds).push(id);
	}

	private write(plan: JobPlan, state: EntryState, note: Partial<Entry> = {}): void {
		const { item, start, shared: shared } = plan;
		if (!start) return;
		const credits = this.account.countedFor(plan);
		const more = { ...note, ...(shared && { shared }), ...(credits !== undefined && { credits }) };
		this.ledger.note({ item, start }, state, more);
	}

	private forget({ key }: JobPlan): void {
		this.ledger.change(key, { kind: 'forgotten' });
	}
}

function listed(what: string, ids: string[]): string {
	return ids.length === 0 ? '' : `${what}: ${named(ids)}.`;
}

function idsOf(jobs: readonly Job[]): string[] {
	return jobs.flatMap(({ id }) => id ?? []);
}

/** The ends of all jobs that have come to one. */
export function outcomesOf(jobs: readonly Job[]): Map<JobPlan, JobOutcome> {
	return new Map(jobs.flatMap(({ plan, outcome }) => (outcome ? [[plan, outcome]] : [])));
}
