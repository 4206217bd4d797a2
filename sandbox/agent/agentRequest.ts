import { z } from 'zod';

import { UNKNOWN_KEY_TEXT, callerFields, pageUrl } from '../http/bodySchema.ts';
import { agentSchemaField } from '../http/jsonSchemaField.ts';
import { auditMetadataSchema, threatProtectionSchema } from '../scrape/options/scrapeOptions.ts';
import { AGENT_EVENTS, hookSchema } from '../webhooks/webhookConfig.ts';

const MODELS = ['spark-1-pro', 'spark-1-mini', 'spark-2'] as const;

/** The body of an agent's start (operation agent.start; recordings agent-50 to agent-94). */
export const agentRequestSchema = z
	.object({
		prompt: z.string().max(10_000),
		urls: z.array(pageUrl(2026)).optional(),
		schema: agentSchemaField,
		maxCredits: z.number().optional(),
		strictConstrainToURLs: z.boolean().optional(),
		model: z.enum(MODELS).default('spark-1-pro'),
		webhook: hookSchema(AGENT_EVENTS, 2026).optional(),
		threatProtection: threatProtectionSchema.optional(),
		auditMetadata: auditMetadataSchema.optional(),
		...callerFields(2026),
	})
	.strict(UNKNOWN_KEY_TEXT);

export type AgentRequest = z.output<typeof agentRequestSchema>;
