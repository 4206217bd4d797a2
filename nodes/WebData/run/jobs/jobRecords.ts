import type { Evidence, JobEvents, JobOutcome } from '../../../service/jobs/jobTask';
import type { JsonObject } from '../../../service/http/transport';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { logForItem, withArticle } from '../output/hints';
import type { JobOnRecord } from '../output/itemError';
import type { CreditAccount } from '../ledger/creditAccount';
import { StartedJobs } from '../ledger/namedJobs';
import type { StoppedRun } from '../ledger/namedJobs';
import type { Entry, EntryState } from '../ledger/entries';
import { hasNoResult } from '../ledger/ledger';
import type { Ledger } from '../ledger/ledger';
import { chargeOf, itemsOf } from './jobPlan';
import type { JobOperation, JobPlan } from './jobPlan';

/** What the service said to the starts, by the first item of each, and what the hints tell of them. */
export interface StartsOnRecord {
	answers: Array<[item: number, answer: JsonObject]>;
	foundIds: string[];
	startedAgain: number;
}

/** What is known of the jobs of a run, noted as it happens: a run that ends early forgets none. */
export class JobRecords {
	/** What the service said to the starts of this run. */
	readonly answers = new Map<JobPlan, JsonObject>();

	/** Jobs of an earlier try that are gone, and that others were started in place of. */
	private readonly gone: JobOnRecord[] = [];

	readonly cancelledIds: string[] = [];

	/** Jobs of starts with an unclear end that the service's lists had. */
	readonly foundIds: string[] = [];

	/** How the ids of those are known, and of those that an earlier try has found. */
	private readonly evidence = new Map<string, Evidence>();

	/** Jobs that were running already, and were reused instead of starting another one. */
	readonly joinedIds: string[] = [];

	/** How many starts with an unclear end were sent once more. */
	startedAgain = 0;

	/** By the first item of each. */
	private readonly jobs = new Map<number, JobOnRecord>();

	/** Ids of jobs that have ended, well or not. */
	private readonly endedIds = new Set<string>();

	/** When the start of each was sent for the last time, in milliseconds since 1970. */
	readonly sentMs = new Map<JobPlan, number>();

	/** First items whose start was sent. */
	private readonly sent = new Set<number>();

	/** Those of them that are not answered. */
	private readonly unanswered = new Set<JobPlan>();

	private readonly startedJobs: StartedJobs;

	/** `collectWith` names the operation that collects a job later: `Crawl · Get`. */
	constructor(
		private readonly ctx: RunContext,
		private readonly operation: JobOperation,
		private readonly ledger: Ledger,
		private readonly account: CreditAccount,
		collectWith: string,
	) {
		this.startedJobs = new StartedJobs(ctx, collectWith);
	}

	/** Every job that is known to run or to have run, in this try or in one before it. */
	get all(): JobOnRecord[] {
		const left = this.ledger.left.map((entry) => {
			const { item, id = '', state } = entry;
			return { item, id, state: hasNoResult(entry) ? state : 'unknown' };
		});
		return [...this.jobs.values(), ...this.gone, ...left];
	}

	get goneIds(): string[] {
		return this.gone.map(({ id }) => id);
	}

	/** Notes a job that was started before this run, if the plan has one. */
	noteAttached(plan: JobPlan): void {
		const { item, key, known, started } = plan;
		if (known) this.jobs.set(item, { item, id: known.id, state: 'unknown' });
		if (known && key !== undefined) this.startedJobs.add(known.id);
		if (known?.evidence) this.evidence.set(known.id, known.evidence);
		if (started) this.answers.set(plan, started);
	}

	/** How the id of a job is known, where no answer gave it. */
	evidenceOf(id: string): Evidence | undefined {
		return this.evidence.get(id);
	}

	/** Of the jobs that this run works on: those that may be somebody else's. */
	get unprovenIds(): string[] {
		return [...this.evidence].flatMap(([id, evidence]) => (evidence === 'addressAndTime' ? [id] : []));
	}

	/** What is known of the starts, for an execution that is suspended. */
	get told(): StartsOnRecord {
		const answers = [...this.answers].map(([{ item }, answer]): [number, JsonObject] => [item, answer]);
		return { answers, foundIds: this.foundIds, startedAgain: this.startedAgain };
	}

	/** The same again when it is woken. */
	takeUp(plans: JobPlan[], { answers, foundIds, startedAgain }: StartsOnRecord): void {
		const byItem = new Map(answers);
		for (const plan of plans) {
			const answer = byItem.get(plan.item);
			if (answer) this.answers.set(plan, answer);
			const job = this.jobs.get(plan.item);
			if (job) job.state = 'started';
		}
		this.foundIds.push(...foundIds);
		this.startedAgain = startedAgain;
	}

	/** What a stopped run leaves behind. */
	get stopped(): StoppedRun {
		const { endedIds, cancelledIds } = this;
		const jobs = [...this.jobs.values()];
		return { jobs, endedIds, cancelledIds, unansweredItems: [...this.unanswered].flatMap(itemsOf) };
	}

	noteEnd(plan: JobPlan, outcome: JobOutcome): void {
		const { item } = plan;
		if (outcome.kind === 'done' || outcome.kind === 'failed') {
			this.endedIds.add(outcome.id);
			this.settle(plan, outcome.id, outcome.body);
		}
		const job = this.jobs.get(item);
		if (job && 'state' in outcome && outcome.state !== undefined) job.state = outcome.state;
	}

	/** The pages of a job were read. `pagesCost`: what they say that they cost, where all were read and all say it. */
	settleRead(plan: JobPlan, outcome: JobOutcome | undefined, pagesCost: number | undefined): void {
		if (outcome?.kind !== 'done' && outcome?.kind !== 'failed') return;
		const { credits = 0, amount } = this.operation.result.usage(outcome.body);
		// A price that is too low for the job's pages is that of a part.
		const isOfAll = amount > 0 && credits >= amount;
		if (pagesCost !== undefined || isOfAll) {
			this.settleCost(plan, outcome.id, Math.max(pagesCost ?? 0, credits));
		}
	}

	/** What keeps the records, and the memory that outlives the run, up to date. */
	events(): JobEvents<JobPlan> {
		const { operation } = this;
		const { label } = operation.job;
		return {
			// Noted before it is sent: what n8n stores of a stopped execution is what stands there by then.
			onSending: (plan) => {
				const { item } = plan;
				this.sentMs.set(plan, processClock.wallClock());
				this.unanswered.add(plan);
				this.account.send(chargeOf(plan));
				this.note(plan, 'sent');
				if (this.sent.has(item)) return;
				this.sent.add(item);
				logForItem(this.ctx, item, `starting ${withArticle(label)}`);
			},
			onRefused: (plan) => {
				this.account.refund(plan);
				this.unanswered.delete(plan);
				this.forget(plan);
			},
			onEnded: (plan, outcome) => this.noteEnd(plan, outcome),
			onStarted: (plan, id, answer) => {
				const { item, sent = {} } = plan;
				this.unanswered.delete(plan);
				this.jobs.set(item, { item, id, state: 'started' });
				logForItem(this.ctx, item, `${label} ${id} started`);
				this.startedJobs.add(id);
				this.answers.set(plan, answer);
				// A start that n8n was killed over was counted nowhere.
				if (plan.afterCrash && !this.sentMs.has(plan)) this.account.send(chargeOf(plan));
				const started = operation.result.toStartedItem(id, sent, answer);
				const evidence = this.evidence.get(id);
				this.note(plan, 'running', { id, started, ...(evidence && { evidence }) });
			},
			onUncertain: (plan) => {
				const lostAt = processClock.wallClock();
				this.note(plan, 'unconfirmed', { startedAt: this.sentMs.get(plan) ?? lostAt, lostAt });
			},
			onFound: (_plan, id, evidence) => {
				this.foundIds.push(id);
				this.evidence.set(id, evidence);
			},
			onJoined: (_plan, id) => this.joinedIds.push(id),
			onStartedAgain: () => (this.startedAgain += 1),
			onGone: (plan, id) => {
				this.gone.push({ item: plan.item, id, state: 'gone' });
				this.jobs.delete(plan.item);
				if (plan.key !== undefined) this.ledger.retire(plan.key, 'gone');
			},
			onEndedBefore: (_plan, id) => this.endedIds.add(id),
			onCancelled: (plan, id) => {
				const { item } = plan;
				this.cancelledIds.push(id);
				this.jobs.set(item, { item, id, state: 'cancelled' });
				this.forget(plan);
			},
		};
	}

	/** A status that is asked for in part may tell the cost of that part only. */
	private settle(plan: JobPlan, id: string, body: JsonObject): void {
		if (plan.kind.statusQuery !== undefined) return;
		this.settleCost(plan, id, this.operation.result.usage(body).credits);
	}

	/** The ledger knows what is counted for a job that an earlier try has started, or an agent's other call. */
	private settleCost(plan: JobPlan, id: string, credits: number | undefined): void {
		const { key } = plan;
		const counted = key === undefined ? undefined : this.ledger.creditsOf(key, id);
		this.account.settle(plan, credits, counted);
		if (key !== undefined && counted !== undefined && credits !== undefined) this.ledger.noteCost(key, id, credits);
	}

	private note(plan: JobPlan, state: EntryState, note: Partial<Entry> = {}): void {
		const { item, start, joined: shared, key } = plan;
		if (!start) return;
		const before = key === undefined ? undefined : this.ledger.creditsOf(key);
		const credits = this.account.countedFor(plan) ?? before;
		const isBounded = credits !== undefined && Number.isFinite(credits);
		const more = { ...note, ...(shared && { shared }), ...(isBounded && { credits }) };
		this.ledger.note({ item, start }, state, more);
	}

	private forget({ key }: JobPlan): void {
		if (key !== undefined) this.ledger.forget(key);
	}
}
