/** Jobs whose result is one answer: agent, extract, llms.txt. */

export type AnswerJobKind = 'agent' | 'extract' | 'llmsTxt';

/** What a job comes to when it completes. */
export interface AnswerResult {
	/** The fields of the record beside its state: `data`, what it cost, sources. */
	fields: Record<string, unknown>;
	credits: number;
}

export interface AnswerJob {
	id: string;
	kind: AnswerJobKind;
	/** What faults are matched against: the prompt, or the address. */
	query: string;
	startedAtMs: number;
	endsAtMs: number;
	/** How it is to end. `odd`: it never does, and its state is one no client knows. */
	ending: 'complete' | 'fail' | 'odd';
	result: AnswerResult;
	/** When a cancel was asked for. */
	cancelledAtMs?: number;
	finished?: { atMs: number; state: 'completed' | 'failed'; reason: string };
	/** Somebody is told when it ends, though nobody may ask. */
	hasWebhook: boolean;
	/** Told when it has ended. */
	onFinished(job: AnswerJob): void;
}

/** The reason a stand-in gives for a job that is asked to fail (recording agent-15). */
export const FAIL_REASON = 'stub: asked to fail';

/** The state as a record names it. */
export function stateOf(job: AnswerJob): string {
	if (job.finished) return job.finished.state;
	return job.ending === 'odd' ? 'pondering' : 'processing';
}

/** How a job with this prompt is to end: [fail] and [odd] as with a research. */
export function endingOf(query: string): AnswerJob['ending'] {
	if (query.includes('[odd]')) return 'odd';
	return query.includes('[fail]') ? 'fail' : 'complete';
}
