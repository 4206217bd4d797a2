import { leftOpen, SessionLedger } from '../../../service/sessions/sessionLedger';
import type { NamedEntry, SessionEntry } from '../../../service/sessions/sessionLedger';
import type { SessionRegister } from '../../../service/sessions/sessionRegister';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { logForItem } from '../output/itemLog';
import { executionIdOf, runIndexOf, sessionStore } from '../memory/crashRecovery';

/** Tells the openings of one process apart, also where an agent calls a tool twice at the same moment. */
let openings = 0;

/** A session that is open, by its name in the ledger. */
export interface OpenEntry {
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
