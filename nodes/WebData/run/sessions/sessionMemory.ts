import type { NodeExecutionHint } from 'n8n-workflow';
import { shorten } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import type { ServiceClient } from '../../../service/limits/client';
import { closeSession } from '../../../service/sessions/closeSession';
import type { SessionRegister } from '../../../service/sessions/openSession';
import { SessionLedger, leftOpen } from '../../../service/sessions/sessionLedger';
import type { NamedEntry, SessionEntry } from '../../../service/sessions/sessionLedger';
import { addCredits } from '../../operation/operation';
import type { SessionOperation } from '../../operation/operation';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import type { CreditAccount } from '../jobs/creditAccount';
import { executionIdOf, runIndexOf, sessionStore } from '../memory/crashRecovery';
import { costText, count, hint, logForItem, named, summaryText } from '../output/hints';

/** What the sessions of a run share. */
export interface SessionRun {
	operation: SessionOperation;
	client: ServiceClient;
	register: SessionRegister;
	memory: SessionMemory;
	totals: SessionTotals;
	account: CreditAccount;
	/** Aborted when nothing more is wanted: the execution was stopped, or another item has failed. */
	abandoned: AbortSignal;
}

/** Tells the openings of one process apart, also where an agent calls a tool twice at the same moment. */
let openings = 0;

/** A session that is open, by its name in the ledger. */
interface OpenEntry {
	key: string;
	id: string;
}

/** An opening that may have opened a session. `item`: whose it is; undefined for one of an earlier try. */
export interface LostEntry extends NamedEntry {
	item: number | undefined;
}

/**
 * The sessions of this execution that are not closed yet, kept where Retry On Fail and n8n's Retry of a
 * failed execution find them again: in the execution's own data.
 */
export class SessionMemory {
	private readonly ledger: SessionLedger;

	private readonly runIndex: number;

	private readonly execution: string;

	/** Names of the openings of this try, each with its item. */
	private readonly own = new Map<string, number>();

	constructor(
		private readonly ctx: RunContext,
		private readonly register: SessionRegister,
	) {
		this.ledger = new SessionLedger(sessionStore(ctx));
		this.runIndex = runIndexOf(ctx);
		this.execution = executionIdOf(ctx);
	}

	/** Sessions with an id that an earlier try has left open. */
	get left(): OpenEntry[] {
		return this.others.flatMap(({ key, entry: { id } }) => (id === undefined ? [] : [{ key, id }]));
	}

	/** Openings of this try and of earlier ones with an end that nobody knows. */
	get lost(): LostEntry[] {
		const own = this.ledger.all.filter(({ key }) => this.own.has(key));
		return [...this.others, ...own].flatMap(({ key, entry }) => {
			if (entry.id !== undefined) return [];
			return [{ key, entry, item: this.own.get(key) }];
		});
	}

	private get others(): NamedEntry[] {
		const { ledger, runIndex, register } = this;
		return leftOpen(ledger.all, runIndex, (key) => register.inWork.has(key));
	}

	/** Ids of the sessions of this try that are not closed. */
	get openIds(): string[] {
		return this.ledger.all.flatMap(({ key, entry: { id } }) =>
			this.own.has(key) && id !== undefined ? [id] : [],
		);
	}

	/** Noted before it is sent: what n8n stores of a stopped execution is what stands there by then. */
	sending(item: number): string {
		openings += 1;
		const { runIndex, execution } = this;
		const key = `${execution}:${runIndex}:${item}:${processClock.wallClock().toString(36)}-${openings}`;
		this.own.set(key, item);
		this.register.inWork.add(key);
		this.ledger.remember(key, { runIndex, sentAt: processClock.wallClock() });
		logForItem(this.ctx, item, 'opening a browser session');
		return key;
	}

	opened(key: string, item: number, id: string): void {
		logForItem(this.ctx, item, `browser session ${id} opened`);
		this.change(key, { id });
	}

	/** Its answer was lost: what it may have opened has no id. */
	openingLost(key: string, item: number): void {
		logForItem(this.ctx, item, 'the answer to the opening of a browser session was lost');
		this.change(key, { lostAt: processClock.wallClock() });
	}

	putOut(key: string): void {
		this.change(key, { isPutOut: true });
	}

	/** It is closed, was never opened, or belongs to others now. */
	forget(key: string): void {
		this.ledger.forget(key);
		this.register.inWork.delete(key);
	}

	/** This try is over: what it could not close is for the next one. */
	endTry(): void {
		for (const key of this.own.keys()) this.register.inWork.delete(key);
	}

	private change(key: string, more: Partial<SessionEntry>): void {
		const entry = this.ledger.find(key);
		if (entry) this.ledger.remember(key, { ...entry, ...more });
	}
}

/** What the sessions of a run came to, noted as it happens. */
export class SessionTotals {
	/** Ids of those that this run has opened and closed. */
	readonly closedIds: string[] = [];

	/** Of those that could not be closed. */
	readonly openIds: string[] = [];

	/** Of those that an earlier try had left open and this one has closed. */
	readonly earlierIds: string[] = [];

	/** Sessions that are returned open. */
	putOut = 0;

	/** What else a person should know, each once. */
	readonly remarks = new Set<string>();

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

	hints(ctx: RunContext, failed: number, throttledSeconds: number): NodeExecutionHint[] {
		const { closedIds, openIds, earlierIds, putOut, remarks } = this;
		const ended = closedIds.length + earlierIds.length;
		const opened =
			putOut > 0
				? `${count(putOut, 'session')} opened. ${putOut === 1 ? 'It costs' : 'They cost'} until Browser · Close Session ends ${putOut === 1 ? 'it' : 'them'}.`
				: '';
		const closed =
			ended > 0 && this.seconds > 0
				? `${count(ended, 'session')} closed, ${count(this.seconds, 'browser second')}${costText(this.credits)}.`
				: '';
		const items = ctx.getInputData().length;
		const summary = summaryText([opened, closed], { failed, items, throttledSeconds });
		const warnings = [
			earlierIds.length > 0
				? `Closed what an earlier try of this execution had left open: ${count(earlierIds.length, 'session')} (${named(earlierIds)}).`
				: '',
			openIds.length > 0
				? `${count(openIds.length, 'session')} could not be closed: ${named(openIds)}. They cost until their Idle Limit is over; Browser · Close Session closes them.`
				: '',
			...[...remarks].map((remark) => shorten(remark, 1000)),
		];
		return [
			...(summary === '' ? [] : [hint(summary)]),
			...warnings.filter((text) => text !== '').map((text) => hint(text, 'warning')),
		];
	}
}

/** Closes the sessions with an id that an earlier try has left open, before this one opens others. Throws no ServiceFailure. */
export async function closeEarlier({
	memory,
	register,
	client,
	totals,
}: SessionRun): Promise<void> {
	await Promise.all(
		memory.left.map(async ({ key, id }) => {
			register.know(id, client.time.now());
			const closing = await closeSession(id, client);
			if (closing.kind === 'closed') {
				totals.noteClosed(id, closing.answer, totals.earlierIds);
				memory.forget(key);
			} else {
				totals.openIds.push(id);
			}
		}),
	);
}
