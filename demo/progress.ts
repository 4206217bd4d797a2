import { isRecord } from './liveJobs.ts';
import type { LiveJob } from './liveJobs.ts';

export interface Watched {
	baseUrl: string;
	apiKey: string;
	/** The jobs that are running now. */
	jobs: () => LiveJob[];
	/** Pause between two looks, in milliseconds. */
	everyMs: number;
	/** Called once for each new activity of a job, for example `search: Reading ...`. */
	onActivity: (job: LiveJob, activity: string) => void;
}

/**
 * Looks at the running jobs, one at a time, and reports what their research has done since the last
 * look, until stopped. Looks that fail are left out: the workflow itself reports what matters.
 */
export function watchProgress(watched: Watched): { stop(): void } {
	const seen = new Map<string, number>();
	let turn = 0;
	let polling = false;
	const stop = new AbortController();

	async function look(): Promise<void> {
		const jobs = watched.jobs();
		const job = jobs[turn++ % Math.max(1, jobs.length)];
		if (job === undefined || polling) return;
		polling = true;
		try {
			// Activities only grow (contract section 8), so the tail is what is new.
			const activities = await readActivities(watched, job.id, stop.signal);
			for (const activity of activities.slice(seen.get(job.id) ?? 0)) {
				watched.onActivity(job, activity);
			}
			seen.set(job.id, activities.length);
		} catch {
			// A look is for the eyes only.
		} finally {
			polling = false;
		}
	}

	const timer = setInterval(() => void look(), watched.everyMs);
	return {
		stop() {
			clearInterval(timer);
			stop.abort();
		},
	};
}

async function readActivities(
	{ baseUrl, apiKey }: Watched,
	jobId: string,
	signal: AbortSignal,
): Promise<string[]> {
	const root = baseUrl.replace(/\/+$/, '').replace(/\/v[12]$/, '');
	const response = await fetch(`${root}/v1/deep-research/${encodeURIComponent(jobId)}`, {
		headers: apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` },
		redirect: 'error',
		signal,
	});
	const body: unknown = await response.json();
	// Servers put the list into `data`, at the top level, or in both places (contract section 8).
	const data = isRecord(body) && isRecord(body.data) ? body.data : body;
	const found = isRecord(data) && Array.isArray(data.activities) ? data : body;
	if (!isRecord(found) || !Array.isArray(found.activities)) return [];
	return found.activities.filter(isRecord).map(activityText);
}

function activityText({ type, message }: Record<string, unknown>): string {
	return [type, message].filter((part) => typeof part === 'string' && part !== '').join(': ');
}
