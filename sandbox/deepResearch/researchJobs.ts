import { z } from 'zod/v4';
import { LIFETIME_MS, stateOf } from '../answerJobs/answerJobs.ts';
import type { AnswerJob } from '../answerJobs/answerJobs.ts';

// Limits and defaults: docs/reference/service-notes.md#deep-research. What is refused and in which words: recordings
// dr-20 to dr-33. Unknown fields are dropped (dr-34), but not in jsonOptions; fractions pass (dr-35).
export const researchRequestSchema = z
	.object({
		query: z.string().optional(),
		topic: z.string().optional(),
		maxDepth: z.number().min(1).max(12).default(7),
		timeLimit: z.number().min(30).max(600).default(300),
		maxUrls: z.number().min(1).max(1000).default(20),
		analysisPrompt: z.string().optional(),
		systemPrompt: z.string().optional(),
		formats: z.array(z.enum(['markdown', 'json'])).default(['markdown']),
		jsonOptions: z
			.object({
				schema: z.unknown(),
				systemPrompt: z.string().optional(),
				prompt: z.string().optional(),
			})
			.strict()
			.optional(),
	})
	.refine((body) => body.query || body.topic, 'Either query or topic must be provided')
	.refine(
		(body) => body.formats.includes('json') === (body.jsonOptions !== undefined),
		"When 'json' format is specified, jsonOptions must be provided, and vice versa",
	)
	// `topic` is the old name of `query` and wins where both are sent (recording dr-05).
	.transform(({ topic, query, ...rest }) => ({ ...rest, query: topic ?? query ?? '' }));

/** A deep research request with its defaults filled in. `timeLimit` is in seconds. */
export type ResearchRequest = z.output<typeof researchRequestSchema>;

/** Kinds of activities (docs/reference/service-notes.md#deep-research). */
export type ActivityType = 'search' | 'extract' | 'analyze' | 'reasoning' | 'synthesis' | 'thought';

export interface Activity {
	type: ActivityType;
	status: 'processing' | 'complete' | 'error';
	message: string;
	depth: number;
}

interface Source {
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
	finalAnalysis: string;
	/** Null where JSON was not asked for. */
	json: unknown;
}

/** The steps that have happened by now, each with its moment. */
function stepsSoFar({ startedAtMs, endsAtMs, finished }: AnswerJob, steps: readonly ResearchStep[], nowMs: number) {
	const untilMs = Math.min(nowMs, finished?.atMs ?? Infinity);
	const durationMs = endsAtMs - startedAtMs;
	return steps
		.map((step, index) => ({ step, atMs: startedAtMs + Math.floor((durationMs * index) / steps.length) }))
		.filter(({ atMs }) => atMs <= untilMs);
}

/** A moment without fractions of a second, as `expiresAt` comes (recording dr-02). */
function wholeSecondIso(atMs: number): string {
	return new Date(Math.floor(atMs / 1000) * 1000).toISOString();
}

/**
 * The body of a status answer: the results under `data`, the state at the top level, activities and
 * sources in both places (recordings dr-02 to dr-07b). A failed job says so with HTTP 200 and `success: false`.
 */
export function researchRecord(job: AnswerJob, nowMs: number): Record<string, unknown> {
	const { found, maxDepth } = job.result.fields as { found: ResearchResult; maxDepth: number };
	const activities: Array<Activity & { timestamp: string }> = [];
	const sources: Source[] = [];
	let currentDepth = 0;
	let changedAtMs = job.startedAtMs;
	for (const { step, atMs } of stepsSoFar(job, found.steps, nowMs)) {
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
			...(completed && { finalAnalysis: found.finalAnalysis }),
			sources,
			activities,
			...(completed && { json: found.json }),
		},
		...(finished?.state === 'failed' && { error: finished.reason }),
		expiresAt: wholeSecondIso((finished?.atMs ?? changedAtMs) + LIFETIME_MS.deepResearch),
		currentDepth,
		maxDepth,
		status: stateOf(job),
		totalUrls: sources.length,
		activities,
		sources,
	};
}
