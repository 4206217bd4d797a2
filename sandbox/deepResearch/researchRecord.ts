import { RECORD_LIFETIME_MS, stepsSoFar } from './researchJob.ts';
import type { Activity, ResearchJob, Source } from './researchJob.ts';

interface TimedActivity extends Activity {
	timestamp: string;
}

/** A moment without fractions of a second, as `expiresAt` comes (recording dr-02). */
function wholeSecondIso(atMs: number): string {
	return new Date(Math.floor(atMs / 1000) * 1000).toISOString();
}

function stateOf(job: ResearchJob): string {
	if (job.ending.how === 'odd') return 'pondering';
	return job.finished?.state ?? 'processing';
}

/**
 * The body of a status answer: the results under `data`, the state at the top level, activities and
 * sources in both places (recordings dr-02 to dr-07b). A failed job says so with HTTP 200 and `success: false`.
 */
export function researchRecord(job: ResearchJob, nowMs: number): Record<string, unknown> {
	const activities: TimedActivity[] = [];
	const sources: Source[] = [];
	let currentDepth = 0;
	let changedAtMs = job.startedAtMs;
	for (const { step, atMs } of stepsSoFar(job, nowMs)) {
		changedAtMs = atMs;
		if ('source' in step) {
			sources.push(step.source);
			continue;
		}
		const { type, status, message, depth } = step.activity;
		activities.push({ type, status, message, timestamp: new Date(atMs).toISOString(), depth });
		currentDepth = Math.max(currentDepth, depth);
	}
	const { finished } = job;
	const completed = finished?.state === 'completed';
	return {
		success: finished?.state !== 'failed',
		data: {
			...(completed && { finalAnalysis: job.result?.finalAnalysis ?? '' }),
			sources,
			activities,
			...(completed && { json: job.result?.json ?? null }),
		},
		...(finished?.state === 'failed' && { error: finished.reason }),
		expiresAt: wholeSecondIso((finished?.atMs ?? changedAtMs) + RECORD_LIFETIME_MS),
		currentDepth,
		maxDepth: job.request.maxDepth,
		status: stateOf(job),
		totalUrls: sources.length,
		activities,
		sources,
	};
}
