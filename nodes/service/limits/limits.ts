import type { RateLimitBucket } from '../http/transport';
import { Gate } from './gate';
import { BackoffRegistry, Progress } from './pauses';
import { StartRegister } from './startRegister';

/** Ids of answers that are kept: those of some minutes, in which one of them may be lost. */
const MAX_KNOWN_CALLS = 10_000;

/** What all executions of this process share for one credential: pauses, and whose turn it is. */
export class SharedLimits {
	readonly pauses = new BackoffRegistry();

	readonly progress = new Progress();

	readonly register = new StartRegister();

	/** The same of calls whose answers are kept: these are many, and must not push out the ids of jobs. */
	readonly callRegister = new StartRegister(MAX_KNOWN_CALLS);

	/** By what they let through: `starts` of jobs and sessions, `calls`. */
	private readonly gates = new Map<string, Gate>();

	starts(bucket: RateLimitBucket): Gate {
		return this.gate(`starts ${bucket}`, bucket);
	}

	calls(bucket: RateLimitBucket): Gate {
		return this.gate(`calls ${bucket}`, bucket);
	}

	private gate(name: string, bucket: RateLimitBucket): Gate {
		const gate = this.gates.get(name) ?? new Gate(this.pauses, bucket, this.progress);
		this.gates.set(name, gate);
		return gate;
	}

	/** True when nothing is in flight, waiting or paused, so that this object may be dropped. */
	isIdle(nowMs: number): boolean {
		if (this.pauses.isAnyPaused(nowMs)) return false;
		return [...this.gates.values()].every((gate) => gate.idle);
	}
}

/**
 * More credentials than this are not kept when they are idle, the longest unused go first. What is lost is a learned
 * limit and whose the jobs are, never a pause.
 */
const MAX_KEPT = 5000;

/** The one that was used latest comes last. */
const byCredential = new Map<string, SharedLimits>();

/** The limits of one credential. `credentialHash` must not be the key itself; `nowMs` is monotonic. */
export function sharedLimits(credentialHash: string, nowMs: number): SharedLimits {
	const limits = byCredential.get(credentialHash) ?? new SharedLimits();
	byCredential.delete(credentialHash);
	byCredential.set(credentialHash, limits);
	for (const [hash, one] of byCredential) {
		if (byCredential.size <= MAX_KEPT) break;
		if (one !== limits && one.isIdle(nowMs)) byCredential.delete(hash);
	}
	return limits;
}
