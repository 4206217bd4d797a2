import type { SessionOperation, SessionStep } from '../../operation/operation';
import { addCredits } from '../../operation/webPage';
import type { ServiceClient } from '../../service/client';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import type { Lease } from '../../service/limits/limits';
import { closeSession } from '../../service/sessions';
import type { Closing } from '../../service/sessions';
import { count } from '../../text/amounts';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { executionIdOf, runIndexOf } from '../connection/runContext';
import { entryStore } from '../ledger/crash';
import type { Charge, CreditAccount } from '../ledger/creditAccount';
import { Entries, SESSION } from '../ledger/entries';
import type { Kept } from '../ledger/entries';
import { costText, logForItem, summaryText } from '../output/hints';
import type { Notes } from '../output/notes';

/** One session, from its plan to its closing. There is one object for each. */
export interface Session {
	readonly plan: SessionPlan;
	/** Its name in the ledger, from the moment its opening is sent. */
	key?: string | undefined;
	/** While it is open, and this execution's to close. */
	id?: string | undefined;
	/** The place of the plan that it holds while it is open. */
	lease?: Lease | undefined;
	closing?: Promise<Closing>;
}

/** The plan for one input item. */
export interface SessionPlan {
	item: number;
	/** Opens the session. */
	open: ServiceRequest;
	/** Its body. */
	sent: JsonObject;
	steps: SessionStep[];
	/** Most sessions of the run that are open side by side. */
	atOnce: number;
	/** Longest wait for a free browser, in milliseconds. */
	maxWaitMs: number;
	maxCredits: number | undefined;
}

/** The state that the sessions of a run share. */
export interface SessionRun {
	operation: SessionOperation;
	client: ServiceClient;
	records: SessionRecords;
	totals: SessionTotals;
	account: CreditAccount;
	/** Aborted when nothing more is wanted: the execution was stopped, or another item has failed. */
	abandoned: AbortSignal;
}

/** Tells the openings of one process apart, also where an agent calls a tool twice at the same moment. */
let openings = 0;

/** Names in the ledger of what runs in this process now: an earlier try has not left these behind. */
const inWork = new Set<string>();

/**
 * The sessions of a run, noted as they proceed. Those that are not closed yet stand in the ledger, where Retry On Fail
 * and n8n's Retry of a failed execution find them again.
 */
export class SessionRecords {
	private readonly entries: Entries;

	private readonly runIndex: number;

	private readonly execution: string;

	/** Names of the openings of this try. */
	private readonly own = new Set<string>();

	/** Openings of this try whose answer was lost. */
	private lost = 0;

	constructor(
		private readonly ctx: RunContext,
		private readonly account: CreditAccount,
		/** Tells today's key apart from others. */
		private readonly key: string,
	) {
		this.entries = new Entries(entryStore(ctx));
		this.runIndex = runIndexOf(ctx);
		this.execution = executionIdOf(ctx);
	}

	/**
	 * Sessions that an earlier try has left open, with their names. Not what is in work: an agent may call a tool
	 * twice at the same moment. Nor what an earlier round of a loop has returned, which others may still use.
	 */
	get openSessions(): Array<[key: string, id: string, isOfOther: boolean]> {
		const others = this.sessions.filter(({ key, entry: { state, runIndex } }) => {
			return !inWork.has(key) && (state !== 'done' || runIndex === this.runIndex);
		});
		return others.flatMap(({ key, entry: { id, account = this.key } }) =>
			id === undefined ? [] : [[key, id, account !== this.key]],
		);
	}

	/** How many openings of this try may have opened a session whose id nobody has. */
	get unconfirmedOpenings(): number {
		return this.lost + this.ofTry.filter(({ entry: { id } }) => id === undefined).length;
	}

	/** Ids of the sessions of this try that are not closed. */
	get openIds(): string[] {
		return this.ofTry.flatMap(({ entry: { id } }) => (id === undefined ? [] : [id]));
	}

	/** Its opening is sent next. Noted before: what n8n stores of a stopped execution is what stands there by then. */
	sending(session: Session): void {
		openings += 1;
		const { runIndex, execution } = this;
		const { item } = session.plan;
		const startedAt = processClock.wallClock();
		const key = `${SESSION}:${execution}:${runIndex}:${item}:${startedAt.toString(36)}-${openings}`;
		session.key = key;
		this.own.add(key);
		inWork.add(key);
		const place = { kind: SESSION, item, runIndex, execution, account: this.key, asked: '' };
		this.entries.put(key, { ...place, state: 'sent', startedAt });
		logForItem(this.ctx, item, 'opening a browser session');
		this.account.send(sessionCharge(session.plan));
	}

	/** This opening has provably opened nothing. */
	refused(session: Session): void {
		this.forget(session);
		this.account.refund(session.plan);
	}

	/** Its id is known. Called before anything else is done with it. */
	opened(session: Session, id: string): void {
		session.id = id;
		logForItem(this.ctx, session.plan.item, `browser session ${id} opened`);
		if (session.key !== undefined) this.entries.change(session.key, { state: 'running', id });
	}

	/** The answer to its opening was lost: what it may have opened has no id. */
	unconfirmed(session: Session): void {
		logForItem(this.ctx, session.plan.item, 'the answer to the opening of a browser session was lost');
		this.lost += 1;
		this.forget(session);
	}

	/** It is returned open, and belongs to others from now on. `isRepeated`: the next try of the node closes it. */
	handedOver(session: Session, isRepeated: boolean): void {
		session.id = undefined;
		if (!isRepeated || session.key === undefined) this.forget(session);
		else this.entries.change(session.key, { state: 'done' });
	}

	/** It is closed, was never opened, or belongs to others now. */
	forget(session: Session): void {
		if (session.key !== undefined) this.drop(session.key);
		session.key = undefined;
	}

	/** One of an earlier try is closed. */
	drop(key: string): void {
		this.entries.forget(key);
		inWork.delete(key);
	}

	/** This try is over: what it could not close is for the next one. */
	endTry(): void {
		for (const key of this.own) inWork.delete(key);
	}

	private get sessions(): Kept[] {
		return this.entries.all.filter(({ entry }) => entry.kind === SESSION);
	}

	private get ofTry(): Kept[] {
		return this.sessions.filter(({ key }) => this.own.has(key));
	}
}

/** The totals of the sessions of a run, noted as they proceed. */
export class SessionTotals {
	/** Ids of those that this run has opened and closed. */
	readonly closedIds: string[] = [];

	/** Of those that could not be closed. */
	readonly openIds: string[] = [];

	/** Of those that an earlier try had left open and this one has closed. */
	readonly earlierIds: string[] = [];

	/** Sessions that are returned open. */
	putOut = 0;

	/** Openings whose answer was lost, and in whose place another session was opened. */
	replaced = 0;

	private seconds = 0;

	private credits: number | undefined = 0;

	constructor(private readonly usage: SessionOperation['usage']) {}

	/** `answer` is what the service said to the closing. */
	noteClosed(id: string, answer: JsonObject, ids: string[] = this.closedIds): void {
		ids.push(id);
		const { seconds, credits } = this.usage(answer);
		this.seconds += seconds;
		this.credits = addCredits(this.credits, credits);
	}

	/** `counts`: input items, those of them that failed, and what held the run up. */
	tell(notes: Notes, counts: { items: number; failed: number; throttledSeconds: number }): void {
		const { closedIds, openIds, earlierIds, putOut } = this;
		const ended = closedIds.length + earlierIds.length;
		const opened =
			putOut > 0
				? `${count(putOut, 'session')} opened. ${putOut === 1 ? 'It costs' : 'They cost'} until Browser · Close Session ends ${putOut === 1 ? 'it' : 'them'}.`
				: '';
		const closed =
			ended > 0 && this.seconds > 0
				? `${count(ended, 'session')} closed, ${count(this.seconds, 'browser second')}${costText(this.credits)}.`
				: '';
		notes.say('summary', summaryText([opened, closed], counts));
		notes.add('replacedSessions', { amount: this.replaced });
		for (const name of earlierIds) notes.add('closedSessions', { name });
		for (const name of openIds) notes.add('openSessions', { name });
	}
}

/** Closes the sessions with an id that an earlier try has left open, before this one opens others. Throws no ServiceFailure. */
export async function closeEarlier({ records, client, totals }: SessionRun): Promise<void> {
	await Promise.all(
		records.openSessions.map(async ([key, id, isOfOther]) => {
			const closing = await closeSession(id, client);
			// Another account has no session of that id, whether it is closed or not.
			if (closing.kind === 'closed' && !(isOfOther && closing.isUnknown)) {
				totals.noteClosed(id, closing.answer, totals.earlierIds);
				records.drop(key);
			} else {
				totals.openIds.push(id);
			}
		}),
	);
}

/** The charge of the session of a plan against Max Credits. */
export function sessionCharge(plan: SessionPlan): Charge {
	const { item, sent, maxCredits } = plan;
	return { by: plan, item, items: 1, sent, maxCredits };
}
