import type { JobSettings, JobTask, LostStartFinding } from './jobTask';

/** What becomes of a task whose start has an unclear end: its job is looked for, or it is sent again. */
export class LostSearch<T extends JobTask> {
	/** True until a start that was not found has been sent again. */
	mayStartAgain: boolean;

	constructor(
		private readonly task: T,
		private readonly settings: Pick<JobSettings<T>, 'events' | 'findLost'>,
	) {
		const { known, lost, startsAgain } = task;
		this.mayStartAgain = startsAgain === true || (!known && lost?.startsWhenMissing === true);
	}

	/** What the service's lists say of the start that was sent at `sentMs`, monotonic. Never throws. */
	async find(sentMs: number, isFresh: boolean): Promise<LostStartFinding> {
		const { kind, start } = this.task;
		const { findLost } = this.settings;
		if (!start || !findLost) return { kind: 'unknown' };
		return await findLost({ kind, start, sentMs, isFresh });
	}

	/** True, at most once, when a start that was not found is sent (again). */
	startsAgain(finding: LostStartFinding): boolean {
		const { task, settings } = this;
		if (!this.mayStartAgain) return false;
		this.mayStartAgain = false;
		const isMissing = finding.kind === 'none' && finding.isProof;
		if (isMissing && task.lost?.startsWhenMissing) return true;
		if (!task.startsAgain) return false;
		settings.events.onStartedAgain?.(task);
		return true;
	}
}
