import { LIFETIME_MS } from '../answerJobs/answerJobs.ts';
import { stateOf } from '../answerJobs/answerJob.ts';
import { plausibleValues } from '../text/plausibleValues.ts';
import type { AnswerJob, AnswerResult } from '../answerJobs/answerJob.ts';
import type { AgentRequest } from './agentRequest.ts';

/** What every run of the recorded stand-in cost. */
const CREDITS = 15;

/** What an agent comes to: made-up values, for it checks no page. Their shape is that of the recordings agent-13, agent-14 and agent-16. */
export function agentResult({ prompt, schema, urls, model }: AgentRequest): AnswerResult {
	const answer = {
		answer: `The pages of the sandbox say of “${prompt.trim()}”: cargo bikes carry most parcels within the city.`,
		sources: urls ?? ['https://example.com/'],
	};
	const hasSchema = schema !== undefined && schema !== null;
	const found = hasSchema ? plausibleValues(schema, prompt) : answer;
	return { fields: { data: prompt.includes('[empty]') ? {} : found, model }, credits: CREDITS };
}

/** The body of a status answer (recordings agent-02, agent-11 to agent-16). */
export function agentRecord(job: AnswerJob): Record<string, unknown> {
	const { data, model } = job.result.fields;
	const { finished } = job;
	const expiresAt = (finished?.atMs ?? job.startedAtMs) + LIFETIME_MS.agent;
	return {
		success: true,
		status: stateOf(job),
		...(finished?.state === 'failed' && { error: finished.reason }),
		...(finished?.state === 'completed' && { data }),
		model,
		expiresAt: new Date(expiresAt).toISOString(),
		...(finished && { creditsUsed: finished.state === 'completed' ? job.result.credits : 0 }),
	};
}

export const SNAPSHOT_ID = 'snap-1';

/** What an agent did (recordings agent-20, agent-21). */
export function agentTrace(job: AnswerJob, withBrowsers: boolean): Record<string, unknown> {
	return {
		success: true,
		id: job.id,
		events: [
			{ type: 'started', at: new Date(job.startedAtMs).toISOString() },
			{ type: 'snapshot', snapshotId: SNAPSHOT_ID },
			...(job.finished ? [{ type: 'finished' }] : []),
		],
		creditsUsed: job.finished?.state === 'completed' ? job.result.credits : 0,
		...(withBrowsers && { activeBrowserSessions: [] }),
	};
}
