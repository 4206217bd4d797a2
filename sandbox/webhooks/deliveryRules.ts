import { z } from 'zod';

const common = {
	/** Which events: a type such as `crawl.completed`, or a part of it. Default: all. */
	event: z.string().optional(),
	/** How many events it strikes. Default: every one. */
	times: z.number().int().positive().optional(),
};

const ruleSchema = z.discriminatedUnion('kind', [
	/** The call is never made. */
	z.object({ ...common, kind: z.literal('lose') }).strict(),
	/** It is made again, though it was answered well: the same bytes, `copies` times more. */
	z
		.object({
			...common,
			kind: z.literal('repeat'),
			copies: z.number().int().positive().max(100).default(1),
		})
		.strict(),
	/** It is made so many milliseconds late, taken as they are. */
	z.object({ ...common, kind: z.literal('delay'), ms: z.number().min(0).max(3_600_000) }).strict(),
	/** Calls are held back until there are `count`, then made from the last to the first, one by one. */
	z
		.object({
			...common,
			kind: z.literal('reorder'),
			count: z.number().int().min(2).max(100).default(2),
		})
		.strict(),
]);

/** What goes wrong with the calls of webhooks. */
export type DeliveryRule = z.input<typeof ruleSchema>;
type ReadRule = z.output<typeof ruleSchema>;

/** The rules that are set. */
export interface DeliveryRules {
	/** Throws a ZodError for a rule that makes no sense. Returns what takes it away again. */
	add(rule: unknown): () => void;
	/** The first rule that means this event; counts it. */
	strike(event: string): ReadRule | undefined;
	clear(): void;
}

/** See `DeliveryRules`. */
export function deliveryRules(): DeliveryRules {
	const rules = new Map<ReadRule, number>();
	return {
		add(given) {
			const rule = ruleSchema.parse(given);
			rules.set(rule, rule.times ?? Infinity);
			return () => void rules.delete(rule);
		},
		strike(event) {
			for (const [rule, left] of rules) {
				if (left <= 0 || !event.includes(rule.event ?? '')) continue;
				rules.set(rule, left - 1);
				return rule;
			}
			return undefined;
		},
		clear: () => rules.clear(),
	};
}
