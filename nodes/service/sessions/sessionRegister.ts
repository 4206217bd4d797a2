import type { SharedLimits } from '../limits/sharedLimits';
import { KnownIds } from '../limits/startRegister';

/** Most ids that are kept: those of sessions that may still be open, and many more. */
const MAX_KNOWN = 10_000;

/** Whose the sessions of one credential are, as far as this process knows. */
export class SessionRegister extends KnownIds {
	/** Names in the ledger of what runs in this process now: an earlier try has not left these behind. */
	readonly inWork = new Set<string>();

	constructor() {
		super(MAX_KNOWN);
	}
}

const registers = new WeakMap<SharedLimits, SessionRegister>();

/** The one of a credential, for all executions of the process. */
export function sessionRegister(limits: SharedLimits): SessionRegister {
	const known = registers.get(limits);
	if (known) return known;
	const register = new SessionRegister();
	limits.keepFor(register);
	registers.set(limits, register);
	return register;
}
