import { z } from 'zod/v4';
import { callerFields, pageUrl, agentSchemaField } from '../http/bodySchema.ts';
import { auditMetadataSchema, threatProtectionSchema } from '../scrape/options/scrapeOptions.ts';
import { AGENT_EVENTS, hookSchema } from '../webhooks/webhooks.ts';
import { LIFETIME_MS, stateOf } from '../answerJobs/answerJobs.ts';
import type { AnswerJob, AnswerResult } from '../answerJobs/answerJobs.ts';
import { exchangeSchema } from './paidCalls.ts';
import { plausibleValues } from '../text/fillSchema.ts';

const MODELS = ['spark-1-pro', 'spark-1-mini', 'spark-2'] as const;

/** The body of an agent's start (operation agent.start; recordings agent-50 to agent-94). */
export const agentRequestSchema = z
	.object({
		prompt: z.string().max(10_000),
		urls: z.array(pageUrl).optional(),
		schema: agentSchemaField,
		maxCredits: z.number().optional(),
		strictConstrainToURLs: z.boolean().optional(),
		model: z.enum(MODELS).default('spark-1-pro'),
		webhook: hookSchema(AGENT_EVENTS).optional(),
		threatProtection: threatProtectionSchema.optional(),
		auditMetadata: auditMetadataSchema.optional(),
		...callerFields,
	})
	.strict();

/** The same with a conversation, in which it may pay data providers. */
export const agentTurnSchema = agentRequestSchema.extend({
	threadId: z.string().optional(),
	mode: z.enum(['extract', 'chat']).optional(),
	exchange: exchangeSchema.optional(),
});

type AgentRequest = z.output<typeof agentRequestSchema>;

/** What every run of the recorded stand-in cost. */
const CREDITS = 15;

/** What an agent comes to: made-up values, for it checks no page. Their shape is that of the recordings agent-13, agent-14 and agent-16. */
export function agentResult({ prompt, schema, urls, model, maxCredits = Infinity }: AgentRequest): AnswerResult {
	const answer = {
		answer: `The pages of the sandbox say of “${prompt.trim()}”: cargo bikes carry most parcels within the city.`,
		sources: urls ?? ['https://example.com/'],
	};
	const hasSchema = schema !== undefined && schema !== null;
	const found = hasSchema ? plausibleValues(schema, prompt) : answer;
	if (prompt.includes('[limit]') || maxCredits < CREDITS)
		return { fields: { ...stoppedAtLimit(found, hasSchema), model }, credits: 0 };
	return { fields: { data: prompt.includes('[empty]') ? {} : found, model }, credits: CREDITS };
}

/** A run that has used up its credits: it counts as failed, costs nothing, and has what it found by then. No recording. */
function stoppedAtLimit(partial: unknown, hasSchema: boolean): Record<string, unknown> {
	return {
		stopped: {
			status: 'failed',
			error: 'The run reached its credit limit.',
			stopReason: 'credit_limit_reached',
			partial,
			...(hasSchema && { partialSchemaValid: true }),
			message: 'This is what was found by then.',
		},
	};
}

/** The body of a status answer (recordings agent-02, agent-11 to agent-16). */
export function agentRecord(job: AnswerJob): Record<string, unknown> {
	const { data, model, threadId, exchange, pendingApproval, stopped } = job.result.fields;
	const { finished } = job;
	const expiresAt = (finished?.atMs ?? job.startedAtMs) + LIFETIME_MS.agent;
	return {
		success: true,
		status: stateOf(job),
		...(finished?.state === 'failed' && { error: finished.reason }),
		...(finished?.state === 'completed' && { data, ...(exchange !== undefined && { exchange }) }),
		...(finished?.state === 'completed' && typeof stopped === 'object' && stopped),
		...(finished?.state === 'completed' && pendingApproval !== undefined && { pendingApproval }),
		...(threadId !== undefined && { threadId }),
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
