import { wantsFresh } from '../../../service/jobs/ledger';
import type { Ledger, LedgerEntry } from '../../../service/jobs/ledger';
import type { InFlightStarts } from './inFlightStarts';
import type { Kept } from './leftJobs';
import type { AskedStart, StartNames } from './startNames';
import type { WrittenPlace } from './writtenPlace';

/** The run of the node that looks for earlier starts. */
export interface Run {
	/** Id of the execution. */
	execution: string;
	kind: string;
	runIndex: number;
	/** The node is an AI agent's tool. */
	isTool: boolean;
}

interface EarlierParts {
	ledger: Ledger;
	names: StartNames;
	written: WrittenPlace;
	inFlight: InFlightStarts;
}

/** Decides which start of an earlier try, or of an agent's earlier call, stands for one that is asked for now. */
export class EarlierStarts {
	constructor(
		private readonly run: Run,
		private readonly parts: EarlierParts,
	) {}

	/** The start that stands for this one; undefined when it is to be sent. */
	find(asked: AskedStart): Kept | undefined {
		const { run, parts } = this;
		const key = parts.names.keyOf(asked);
		if (run.isTool) return this.findForAgent(asked, key);
		const entry = parts.ledger.find(key);
		const isTheSame = entry && (this.isOwn(entry) || this.isSameOrUnedited(asked, entry));
		return isTheSame ? { key, entry } : undefined;
	}

	/**
	 * The job that was started for an item before anything was edited; undefined for an agent, whose calls
	 * share the items.
	 */
	startedFor(item: number): LedgerEntry | undefined {
		if (this.run.isTool) return undefined;
		const entry = this.parts.ledger.find(this.parts.names.slotOf(item));
		return entry && (this.isOwn(entry) || this.isUnedited(entry)) ? entry : undefined;
	}

	/** The jobs of several items each that earlier tries have started before anything was edited. */
	get shared(): LedgerEntry[] {
		if (this.run.isTool) return [];
		return this.ofRun.flatMap(({ entry }) => {
			const isOpen = entry.shared && !entry.ended;
			return isOpen && (this.isOwn(entry) || this.isUnedited(entry)) ? [entry] : [];
		});
	}

	/** All starts that stand in this run of the node. */
	get ofRun(): Kept[] {
		const { kind, runIndex } = this.run;
		return this.parts.ledger.all.filter(({ entry }) => {
			return entry.kind === kind && entry.runIndex === runIndex;
		});
	}

	/** What stands for these items in the node and its input. An agent's parameters do not show what it asks for. */
	writtenFor({ item, shared }: Pick<LedgerEntry, 'item' | 'shared'>): string | undefined {
		if (this.run.isTool) return undefined;
		return this.parts.written.fingerprintFor(shared?.map((one) => one.item) ?? [item]);
	}

	private isOwn({ execution }: LedgerEntry): boolean {
		return execution === this.run.execution;
	}

	private isSameOrUnedited(asked: AskedStart, entry: LedgerEntry): boolean {
		if (this.parts.names.isSame(asked, entry)) return true;
		// What the input says of a file is no proof that it is the same file.
		if (asked.start.form) return false;
		const isSamePart = (entry.part ?? 0) === (asked.part ?? 0);
		return isSamePart && this.isUnedited(entry);
	}

	/** True where the parameters and the input items of a start are as they were: only expressions may differ. */
	private isUnedited(entry: LedgerEntry): boolean {
		return entry.written !== undefined && entry.written === this.writtenFor(entry);
	}

	private findForAgent(asked: AskedStart, key: string): Kept | undefined {
		const earlier = this.findAskedBefore(asked, key);
		return earlier && !this.mustBeNew(asked, earlier.entry) ? earlier : undefined;
	}

	/** The newest start that asked for the same, in any execution of the chain of retries. */
	private findAskedBefore(asked: AskedStart, key: string): Kept | undefined {
		const { ledger, names } = this.parts;
		const newest = ledger.find(key);
		if (newest) return { key, entry: newest };
		return ledger.all.findLast(({ entry }) => {
			return entry.ended === undefined && names.isSame(asked, entry);
		});
	}

	/** An answer that this execution's agent has had is none to a call that asks for a fresh one. */
	private mustBeNew(asked: AskedStart, entry: LedgerEntry): boolean {
		const { names, inFlight } = this.parts;
		if (!entry.isAnswered || !this.isOwn(entry)) return false;
		return wantsFresh(asked.start.body ?? {}) && !inFlight.hasWaitedFor(names.nameOf(asked));
	}
}
