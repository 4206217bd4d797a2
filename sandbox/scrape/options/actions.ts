import { z } from 'zod/v4';

import { pictureFields } from './formats.ts';

/** Browser steps before the page is captured (shape action). */

const PAPER = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const;
const MAX_ACTIONS = 50;
const MAX_WAIT_MS = 60_000;
/** What an awaited element counts towards the longest wait. */
const AWAITED_MS = 1000;

const actionSchema = z.union([
	z
		.object({
			type: z.literal('wait'),
			milliseconds: z.number().int().positive().optional(),
			selector: z.string().optional(),
		})
		.strict()
		.refine(
			({ milliseconds, selector }) => (milliseconds === undefined) !== (selector === undefined),
			"Either 'milliseconds' or 'selector' must be provided, but not both.",
		),
	z.object({ type: z.literal('screenshot'), ...pictureFields }).strict(),
	z
		.object({
			type: z.literal('click'),
			selector: z.string(),
			all: z.boolean().default(false),
		})
		.strict(),
	z.object({ type: z.literal('write'), text: z.string() }).strict(),
	z.object({ type: z.literal('press'), key: z.string() }).strict(),
	z
		.object({
			type: z.literal('scroll'),
			direction: z.enum(['up', 'down']).default('down'),
			selector: z.string().optional(),
		})
		.strict(),
	z.object({ type: z.literal('scrape') }).strict(),
	z.object({ type: z.literal('executeJavascript'), script: z.string() }).strict(),
	z
		.object({
			type: z.literal('pdf'),
			format: z.enum(PAPER).default('Letter'),
			landscape: z.boolean().default(false),
			scale: z.number().default(1),
		})
		.strict(),
]);

type Action = z.output<typeof actionSchema>;

function waitOf(action: Action): number {
	if (action.type !== 'wait') return 0;
	return action.milliseconds ?? AWAITED_MS;
}

/** At most 50 steps, with at most a minute of waits among them. */
export const actionsSchema = z
	.array(actionSchema)
	.max(MAX_ACTIONS)
	.refine(
		(actions) => actions.reduce((sum, action) => sum + waitOf(action), 0) <= MAX_WAIT_MS,
		`Total wait time (waitFor + wait actions) cannot exceed ${MAX_WAIT_MS} milliseconds`,
	);
