import { z } from 'zod';
import { jobStore } from '../jobs/jobStore.ts';

// Limits and defaults: docs/service-notes.md#deep-research. What is refused and in which words: recordings
// dr-20 to dr-33. Unknown fields are dropped (dr-34), but not in jsonOptions; fractions pass (dr-35).
const bodySchema = z
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
			.strict('Unrecognized key in body -- please review the v1 API documentation for request body changes')
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
export type ResearchRequest = z.output<typeof bodySchema>;

/** The request, or zod's issues as the service gives them in `details`. No body counts as an empty one (dr-21). */
export function readResearchRequest(body: unknown): { request: ResearchRequest } | { issues: readonly z.ZodIssue[] } {
	const read = bodySchema.safeParse(body ?? {});
	return read.success ? { request: read.data } : { issues: read.error.issues };
}

/** The text faults are matched against, also where the body as a whole is refused. */
export function queryOf(body: unknown): string | undefined {
	const read = z.object({ query: z.string().optional(), topic: z.string().optional() }).safeParse(body);
	return read.success ? (read.data.topic ?? read.data.query) : undefined;
}

/** Kinds of activities (docs/service-notes.md#deep-research). */
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

interface ResearchJob {
	id: string;
	request: ResearchRequest;
	startedAtMs: number;
	/** When it is to end; its steps are spread over the time until then. */
	endsAtMs: number;
	/** How it is to end. `odd`: it never does, and its state is one no client knows. */
	ending: { how: 'complete' } | { how: 'fail'; reason: string } | { how: 'odd' };
	/** Missing while the pages are still being read. */
	result?: ResearchResult;
	finished?: { atMs: number; state: 'completed' } | { atMs: number; state: 'failed'; reason: string };
}

/** How long a record outlives its last change: 6 hours (recordings dr-02 and dr-04). */
const RECORD_LIFETIME_MS = 6 * 60 * 60 * 1000;

function stepAtMs(job: ResearchJob, index: number, stepCount: number): number {
	return job.startedAtMs + Math.floor(((job.endsAtMs - job.startedAtMs) * index) / stepCount);
}

/** The steps that have happened by now, each with its moment. */
function stepsSoFar(job: ResearchJob, nowMs: number): Array<{ step: ResearchStep; atMs: number }> {
	const steps = job.result?.steps ?? [];
	const untilMs = Math.min(nowMs, job.finished?.atMs ?? Infinity);
	const timed = steps.map((step, index) => ({ step, atMs: stepAtMs(job, index, steps.length) }));
	return timed.filter(({ atMs }) => atMs <= untilMs);
}

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

/** All deep research jobs of the sandbox. */
export interface ResearchJobs {
	/** How many are running; settles the ended ones first. */
	countRunning(nowMs: number): number;
	start(id: string, request: ResearchRequest, durationMs: number, nowMs: number): ResearchJob;
	/** Undefined for an id that is unknown or whose record has expired. */
	find(id: string, nowMs: number): ResearchJob | undefined;
	/** The job has failed as of now, unless it has ended already. */
	fail(id: string, reason: string, nowMs: number): void;
	/** Nobody knows the id any more. */
	vanish(id: string): void;
	clear(): void;
}

export interface ResearchJobsSetup {
	now(): number;
	/** How far a status is behind, in milliseconds. */
	lagMs(): number;
	/** How much later than its webhook the end of a job is found, in milliseconds. */
	webhookLeadMs: number;
	/** Does the job's work. May fail; the job then fails with the error's message. */
	research(request: ResearchRequest): Promise<ResearchResult> | ResearchResult;
	/** Told of each job that completed, for billing: jobs that fail are not billed (docs/service-notes.md#prices). */
	onCompleted(job: ResearchJob): void;
}

const FAIL_REASON = 'The sandbox let this job fail because its query holds [fail]';

function endingOf(query: string): ResearchJob['ending'] {
	if (query.includes('[odd]')) return { how: 'odd' };
	return query.includes('[fail]') ? { how: 'fail', reason: FAIL_REASON } : { how: 'complete' };
}

/** The course of a job that does no work: it got as far as recording dr-07b. */
function idleResult(query: string): ResearchResult {
	const message = `Generating deeper search queries for "${query}"`;
	return {
		steps: [{ activity: { type: 'search', status: 'processing', message, depth: 1 } }],
		finalAnalysis: '',
		json: null,
	};
}

/**
 * Keeps the jobs. A job's work is done at once, as fast as it goes; what a status shows of it is
 * bounded by the clock. So a job costs no timer, and a test may move the clock by hours.
 */
export function researchJobs(setup: ResearchJobsSetup): ResearchJobs {
	const store = jobStore<ResearchJob>({
		lifetimeMs: () => RECORD_LIFETIME_MS,
		lagMs: () => setup.lagMs(),
		webhookLeadMs: setup.webhookLeadMs,
		onDue: (job, atMs) => end(job, atMs),
		onFinished(job) {
			if (job.finished?.state === 'completed') setup.onCompleted(job);
		},
	});

	const end = (job: ResearchJob, atMs: number): void => {
		if (job.ending.how === 'odd') store.vanish(job.id);
		else if (job.ending.how === 'fail') store.finish(job, { atMs, state: 'failed', reason: job.ending.reason });
		else if (job.result) store.finish(job, { atMs, state: 'completed' });
		// Else its pages are still being read: it ends when they are.
	};

	const receive = (job: ResearchJob, result: ResearchResult): void => {
		job.result = result;
		const nowMs = setup.now();
		if (nowMs >= job.endsAtMs && store.isRunning(job)) end(job, nowMs);
	};

	const work = async (job: ResearchJob): Promise<void> => {
		try {
			receive(job, await setup.research(job.request));
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			store.finish(job, { atMs: setup.now(), state: 'failed', reason });
		}
	};

	return {
		countRunning: store.countRunning,
		start(id, request, durationMs, nowMs) {
			const ending = endingOf(request.query);
			const job: ResearchJob = {
				id,
				request,
				startedAtMs: nowMs,
				endsAtMs: nowMs + durationMs,
				ending,
			};
			store.add(job);
			store.setDue(job, ending.how === 'odd' ? nowMs + RECORD_LIFETIME_MS : job.endsAtMs);
			if (ending.how === 'complete') void work(job);
			else job.result = idleResult(request.query);
			return job;
		},
		find: store.find,
		fail(id, reason, nowMs) {
			const job = store.findRunning(id);
			if (job) store.finish(job, { atMs: nowMs, state: 'failed', reason });
		},
		vanish: store.vanish,
		clear: store.clear,
	};
}
