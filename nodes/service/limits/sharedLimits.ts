import { PauseBoard } from './pauses';
import { StartQueue } from './startQueue';
import type { RateLimitBucket } from '../http/transport';

/** What all executions of this process share for one credential: pauses, and who may start next. */
export class SharedLimits {
	readonly pauses = new PauseBoard();

	private readonly queues = new Map<RateLimitBucket, StartQueue>();

	starts(bucket: RateLimitBucket): StartQueue {
		const queue = this.queues.get(bucket) ?? new StartQueue(this.pauses, bucket);
		this.queues.set(bucket, queue);
		return queue;
	}

	get idle(): boolean {
		return [...this.queues.values()].every((queue) => queue.idle);
	}
}

/** More credentials than this are not kept when idle; what is lost is only a learned limit. */
const MAX_KEPT = 500;

const byCredential = new Map<string, SharedLimits>();

/** The limits of one credential. `credentialHash` must not be the key itself. */
export function sharedLimits(credentialHash: string): SharedLimits {
	const known = byCredential.get(credentialHash);
	if (known) return known;
	if (byCredential.size >= MAX_KEPT) {
		for (const [hash, limits] of byCredential) if (limits.idle) byCredential.delete(hash);
	}
	const limits = new SharedLimits();
	byCredential.set(credentialHash, limits);
	return limits;
}
