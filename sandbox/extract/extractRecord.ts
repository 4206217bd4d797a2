import { LIFETIME_MS } from '../answerJobs/answerJobs.ts';
import { stateOf } from '../answerJobs/answerJob.ts';
import { plausibleValues } from '../text/plausibleValues.ts';
import type { AnswerJob, AnswerResult } from '../answerJobs/answerJob.ts';
import type { ExtractRequest } from './extractRequest.ts';

/** What comes of a prompt without a schema. */
const OPEN = {
	answer: 'Runs cargo bikes for deliveries within the city, from three small hubs.',
	title: 'Cargo bikes in city deliveries',
};

const TOKENS = 313;
const TOKENS_PER_CREDIT = 15;

/** What an extract comes to: made-up values (recordings extract-30 to extract-41). */
export function extractResult({ urls, prompt, schema, showSources }: ExtractRequest): AnswerResult {
	const open = prompt === undefined ? {} : OPEN;
	const data =
		schema === undefined ? open : plausibleValues(schema, `${prompt ?? ''} ${urls ?? ''}`);
	const sources = Object.fromEntries(Object.keys(Object(data)).map((key) => [key, urls ?? []]));
	const credits = Math.ceil(TOKENS / TOKENS_PER_CREDIT);
	return { fields: { data, ...(showSources && { sources }) }, credits };
}

/** The body of a status answer: `data` is a list until there is a result (recordings extract-02, extract-35). */
export function extractRecord(job: AnswerJob, nowMs: number): Record<string, unknown> {
	const { data, ...more } = job.result.fields;
	const { finished } = job;
	const isDone = finished?.state === 'completed';
	const expiresAt = (finished?.atMs ?? nowMs) + LIFETIME_MS.extract;
	return {
		success: finished?.state !== 'failed',
		data: isDone ? data : [],
		status: stateOf(job),
		...(finished?.state === 'failed' && { error: finished.reason }),
		expiresAt: new Date(Math.floor(expiresAt / 1000) * 1000).toISOString(),
		...(isDone && { ...more, tokensUsed: TOKENS, creditsUsed: job.result.credits }),
	};
}
