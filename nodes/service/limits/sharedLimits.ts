import { CallQueue } from './callQueue';
import { PauseBoard } from './pauses';
import { Progress } from './progress';
import { StartQueue } from './startQueue';
import { StartRegister } from './startRegister';
import type { RateLimitBucket } from '../http/transport';

/** What all executions of this process share for one credential: pauses, and whose turn it is. */
export class SharedLimits {
	readonly pauses = new PauseBoard();

	readonly progress = new Progress();

	readonly register = new StartRegister();

	private readonly startQueues = new Map<RateLimitBucket, StartQueue>();

	private readonly callQueues = new Map<RateLimitBucket, CallQueue>();

	starts(bucket: RateLimitBucket): StartQueue {
		const { pauses, progress } = this;
		const queue = this.startQueues.get(bucket) ?? new StartQueue(pauses, bucket, progress);
		this.startQueues.set(bucket, queue);
		return queue;
	}

	calls(bucket: RateLimitBucket): CallQueue {
		const { pauses, progress } = this;
		const queue = this.callQueues.get(bucket) ?? new CallQueue(pauses, bucket, progress);
		this.callQueues.set(bucket, queue);
		return queue;
	}

	/** True when nothing is in flight, waiting or paused, so that this object may be dropped. */
	isIdle(nowMs: number): boolean {
		if (this.pauses.isAnyPaused(nowMs)) return false;
		const queues = [...this.startQueues.values(), ...this.callQueues.values()];
		return queues.every((queue) => queue.idle);
	}
}

/** More credentials than this are not kept when idle; what is lost is only a learned limit, never a pause. */
const MAX_KEPT = 500;

const byCredential = new Map<string, SharedLimits>();

/** The limits of one credential. `credentialHash` must not be the key itself; `nowMs` is monotonic. */
export function sharedLimits(credentialHash: string, nowMs: number): SharedLimits {
	const known = byCredential.get(credentialHash);
	if (known) return known;
	if (byCredential.size >= MAX_KEPT) {
		for (const [hash, limits] of byCredential) {
			if (limits.isIdle(nowMs)) byCredential.delete(hash);
		}
	}
	const limits = new SharedLimits();
	byCredential.set(credentialHash, limits);
	return limits;
}
