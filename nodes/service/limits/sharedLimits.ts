import { PauseBoard } from './pauses';
import { Progress } from './progress';
import { StartQueue } from './startQueue';
import type { RateLimitBucket } from '../http/transport';

/** What all executions of this process share for one credential: pauses, and who may start next. */
export class SharedLimits {
	readonly pauses = new PauseBoard();

	readonly progress = new Progress();

	private readonly queues = new Map<RateLimitBucket, StartQueue>();

	starts(bucket: RateLimitBucket): StartQueue {
		const queue = this.queues.get(bucket) ?? new StartQueue(this.pauses, bucket, this.progress);
		this.queues.set(bucket, queue);
		return queue;
	}

	/** True when nothing is in flight, waiting or paused, so that this object may be dropped. */
	isIdle(nowMs: number): boolean {
		if (this.pauses.isAnyPaused(nowMs)) return false;
		return [...this.queues.values()].every((queue) => queue.idle);
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
