import { z } from 'zod/v4';
import { pageUrl } from '../http/bodySchema.ts';
import { LIFETIME_MS, stateOf } from '../answerJobs/answerJobs.ts';
import type { AnswerJob, AnswerResult } from '../answerJobs/answerJobs.ts';

/** The body of an llms.txt's start; what is not known is dropped (recordings llms-07, llms-30 to llms-41). */
export const llmsTxtRequestSchema = z.object({
	url: pageUrl,
	maxUrls: z.number().min(1).max(5000).default(10),
	showFullText: z.boolean().default(false),
	cache: z.boolean().default(true),
});

type LlmsTxtRequest = z.output<typeof llmsTxtRequestSchema>;

/** What an llms.txt comes to: one line, or the heading alone where the page has [fail] (recordings llms-17, llms-51). */
export function llmsTxtResult({ url, showFullText }: LlmsTxtRequest): AnswerResult {
	const line = url.includes('[fail]') ? '' : `- [Page](${url}): A page that nobody checked.\n`;
	const llmstxt = `# ${url} llms.txt\n\n${line}`;
	const llmsfulltxt = `# ${url} llms-full.txt\n\n## Page\nA page that nobody checked.\n`;
	return { fields: { data: { llmstxt, ...(showFullText && { llmsfulltxt }) } }, credits: 1 };
}

/** The body of a status answer: texts grow from nothing while it runs (recordings llms-02, llms-11). */
export function llmsTxtRecord(job: AnswerJob, nowMs: number): Record<string, unknown> {
	const { finished } = job;
	const { data } = job.result.fields;
	const empty = Object.fromEntries(Object.keys(Object(data)).map((key) => [key, '']));
	const expiresAt = (finished?.atMs ?? nowMs) + LIFETIME_MS.llmsTxt;
	return {
		success: finished?.state !== 'failed',
		data: finished?.state === 'completed' ? data : empty,
		status: stateOf(job),
		...(finished?.state === 'failed' && { error: finished.reason }),
		expiresAt: new Date(Math.floor(expiresAt / 1000) * 1000).toISOString(),
	};
}
