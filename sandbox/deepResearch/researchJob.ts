import type { ResearchRequest } from './researchRequest.ts';

/** Kinds of activities (docs/service-notes.md#deep-research). */
export type ActivityType = 'search' | 'extract' | 'analyze' | 'reasoning' | 'synthesis' | 'thought';

export interface Activity {
	type: ActivityType;
	status: 'processing' | 'complete' | 'error';
	message: string;
	depth: number;
}

export interface Source {
	url: string;
	title: string;
	description: string;
	icon: string;
}

/** One thing that happened in a job, in order: something done or a page added to the sources. */
export type ResearchStep = { activity: Activity } | { source: Source };

/** What a job found: its whole course and its result. */
export interface ResearchResult {
	steps: readonly ResearchStep[];
	/** Text; an object only where the sandbox is told to answer so (recording dr-06b). */
	finalAnalysis: unknown;
	/** Null where JSON was not asked for. */
	json: unknown;
}

export interface ResearchJob {
	id: string;
	request: ResearchRequest;
	startedAtMs: number;
	/** When it is to end; its steps are spread over the time until then. */
	endsAtMs: number;
	/** How it is to end. `odd`: it never does, and its state is one no client knows. */
	ending: { how: 'complete' } | { how: 'fail'; reason: string } | { how: 'odd' };
	/** Missing while the pages are still being read. */
	result?: ResearchResult;
	finished?:
		{ atMs: number; state: 'completed' } | { atMs: number; state: 'failed'; reason: string };
}

/** How long a record outlives its last change: 6 hours (recordings dr-02 and dr-04). */
export const RECORD_LIFETIME_MS = 6 * 60 * 60 * 1000;

function stepAtMs(job: ResearchJob, index: number, stepCount: number): number {
	return job.startedAtMs + Math.floor(((job.endsAtMs - job.startedAtMs) * index) / stepCount);
}

/** The steps that have happened by now, each with its moment. */
export function stepsSoFar(
	job: ResearchJob,
	nowMs: number,
): Array<{ step: ResearchStep; atMs: number }> {
	const steps = job.result?.steps ?? [];
	const untilMs = Math.min(nowMs, job.finished?.atMs ?? Infinity);
	const timed = steps.map((step, index) => ({ step, atMs: stepAtMs(job, index, steps.length) }));
	return timed.filter(({ atMs }) => atMs <= untilMs);
}
