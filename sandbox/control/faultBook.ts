import { meansStep, readFaultRule } from './faultRule.ts';
import type { Random } from '../runtime/random.ts';
import type { Fault, FaultRule, Step } from './faultRule.ts';

/** What tests and the control routes may do with faults. */
export interface Faults {
	/** Adds a fault and returns what takes it away again. Throws for a rule that makes no sense. */
	add(rule: FaultRule): () => void;
	clear(): void;
}

/** What the service's own code does with faults. */
export interface FaultBook extends Faults {
	/** As `add`, for a rule that came over HTTP. Returns the id to remove it by. */
	addUnknown(rule: unknown): number;
	/** Whether there was a fault of that id. */
	remove(id: number): boolean;
	/** The fault that strikes this request now, if one does; counts it. */
	strike(step: Step, query: string | undefined, phase: Phase): Fault | undefined;
}

/**
 * `job`: as soon as it is known which job is meant, that is before a status and after a start. `model`: while the
 * chat model makes its reply.
 */
export type Phase = 'before' | 'job' | 'model' | 'after';

interface BookedFault {
	fault: Fault;
	passesLeft: number;
	strikesLeft: number;
}

function phaseOf(fault: Fault): Phase {
	if (fault.kind === 'failJob' || fault.kind === 'expire') return 'job';
	if (fault.kind === 'model') return 'model';
	// There has to be a true answer to give it the wrong type.
	return fault.kind === 'wrongType' ? 'after' : fault.when;
}

function matches(fault: Fault, step: Step, query: string | undefined): boolean {
	if (!meansStep(fault.step, step)) return false;
	return fault.query === undefined || (query?.includes(fault.query) ?? false);
}

function toBooked(rule: unknown): BookedFault {
	const fault = readFaultRule(rule);
	return { fault, passesLeft: fault.skip ?? 0, strikesLeft: fault.times ?? Infinity };
}

/** Holds the faults that are set, and those of `always` behind them; the first that matches a request strikes it. */
export function faultBook(random: Random, always: readonly FaultRule[] = []): FaultBook {
	const booked = new Map<number, BookedFault>();
	const standing = always.map(toBooked);
	let lastId = 0;

	const addUnknown = (rule: unknown): number => {
		const added = toBooked(rule);
		lastId += 1;
		booked.set(lastId, added);
		return lastId;
	};

	const mayStrike = (entry: BookedFault): boolean => {
		if (entry.passesLeft > 0) {
			entry.passesLeft -= 1;
			return false;
		}
		if (entry.strikesLeft <= 0) return false;
		if (entry.fault.share !== undefined && random() >= entry.fault.share) return false;
		entry.strikesLeft -= 1;
		return true;
	};

	return {
		add(rule) {
			const id = addUnknown(rule);
			return () => void booked.delete(id);
		},
		addUnknown,
		remove: (id) => booked.delete(id),
		clear: () => booked.clear(),
		strike(step, query, phase) {
			for (const entry of [...booked.values(), ...standing]) {
				if (phaseOf(entry.fault) !== phase || !matches(entry.fault, step, query)) continue;
				if (mayStrike(entry)) return entry.fault;
			}
			return undefined;
		},
	};
}
