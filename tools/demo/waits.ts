import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** What was seen of one job, in milliseconds. */
interface SeenJob {
	startedMs: number;
	checkedMs: number[];
}

/** Starts of jobs; their checks are the same path with the id of the job. */
const START = /^(?:\/[^?]*)?\/v[12]\/(?:deep-research|crawl|batch\/scrape|agent|extract)$/;

const SHOWN_CHECKS = 6;

const seconds = (ms: number) => (ms / 1000).toFixed(1);

/**
 * Notes when jobs of the service at this host (with its port) are started and checked, by the answers to requests of
 * this process. What it returns ends that, and gives a line for each job that was waited for.
 */
export function watchJobs(host: string): () => string[] {
	const jobs = new Map<string, SeenJob>();
	const starts: number[] = [];
	const note = (message: unknown): void => {
		const { request } = message as { request: ClientRequest };
		if (request.getHeader('host') !== host) return;
		const path = request.path.split('?', 1)[0] ?? '';
		if (request.method === 'POST' && START.test(path)) starts.push(Date.now());
		const [, start = '', id] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
		if (request.method !== 'GET' || id === undefined || !START.test(start)) return;
		const job = jobs.get(id) ?? { startedMs: starts[jobs.size] ?? Date.now(), checkedMs: [] };
		job.checkedMs.push(Date.now());
		jobs.set(id, job);
	};
	subscribe('http.client.response.finish', note);
	return () => {
		unsubscribe('http.client.response.finish', note);
		return [...jobs].map(([id, { startedMs, checkedMs }]) => {
			const after = checkedMs.map((ms) => seconds(ms - startedMs));
			const shown = after.length > SHOWN_CHECKS ? [...after.slice(0, SHOWN_CHECKS), '…'] : after;
			return `Job …${id.slice(-6)} started · checked after ${shown.join(', ')} s · done after ${after.at(-1)} s`;
		});
	};
}
