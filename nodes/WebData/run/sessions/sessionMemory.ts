import type { IExecuteFunctions } from 'n8n-workflow';

import { leftOpen, SessionLedger } from '../../../service/sessions/sessionLedger';
import type { NamedEntry } from '../../../service/sessions/sessionLedger';
import type { SessionRegister } from '../../../service/sessions/sessionRegister';
import { logForItem } from '../output/itemLog';
import { executionIdOf, runIndexOf, sessionStore } from '../jobs/crashRecovery';

/** Tells the openings of one process apart, also where an agent calls a tool twice at the same moment. */
let openings = 0;

/**
 * The sessions of this execution that are not closed yet, kept where Retry On Fail and n8n's Retry of a
 * failed execution find them again: in the execution's own data (N8N fact 3).
 */
export class SessionMemory {
	private readonly ledger: SessionLedger;

	private readonly runIndex: number;

	private readonly execution: string;

	/** Names of the openings of this try. */
	private readonly own = new Set<string>();

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly register: SessionRegister,
	) {
		this.ledger = new SessionLedger(sessionStore(ctx));
		this.runIndex = runIndexOf(ctx);
		this.execution = executionIdOf(ctx);
	}

	/** What an earlier try has left open. */
	get left(): NamedEntry[] {
		const { ledger, runIndex, register } = this;
		return leftOpen(ledger.all, runIndex, (key) => register.inWork.has(key));
	}

	/** Openings of this try with an end that nobody knows. */
	get unclear(): NamedEntry[] {
		return this.ledger.all.filter(({ key, entry }) => this.own.has(key) && entry.id === undefined);
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
		const key = `${execution}:${runIndex}:${item}:${Date.now().toString(36)}-${openings}`;
		this.own.add(key);
		this.register.inWork.add(key);
		this.ledger.remember(key, { runIndex, sentAt: Date.now() });
		logForItem(this.ctx, item, 'opening a browser session');
		return key;
	}

	opened(key: string, item: number, id: string): void {
		logForItem(this.ctx, item, `browser session ${id} opened`);
		this.change(key, { id });
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
		for (const key of this.own) this.register.inWork.delete(key);
	}

	private change(key: string, more: { id?: string; isPutOut?: boolean }): void {
		const entry = this.ledger.find(key);
		if (entry) this.ledger.remember(key, { ...entry, ...more });
	}
}
