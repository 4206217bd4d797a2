import { z } from 'zod';

/** Which server is played: one of August 2025, or one that knows what the docs of August 2026 list (CONTRACT section 15). */
export type Generation = 2025 | 2026;

/** The text of every refusal of a field nobody knows (recordings scrape-23, crawl-31). */
export const UNKNOWN_KEY_TEXT =
	'Unrecognized key in body -- please review the v2 API documentation for request body changes';

const TOP_LEVEL_DOMAIN = /(?:\.[\p{L}\d-]{2,}|\.xn--[a-z\d-]+)(?::\d+)?(?:[/?#]|$)/iu;
// Unlike the recorded server, which would refuse addresses in numbers: the sandbox reads pages on this machine.
const OWN_MACHINE = /^https?:\/\/(?:localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\])(?::\d+)?(?:[/?#]|$)/i;

function isHttpAddress(text: string): boolean {
	return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * The address of a page; one without a scheme gets http. Each demand is told by itself, in the recorded
 * words (scrape-20 to scrape-22, crawl-32, batch-05).
 */
export const pageUrl = z.preprocess(
	(value) => (/^[a-z][a-z\d+.-]*:\/\//i.test(String(value)) ? value : `http://${String(value)}`),
	z
		.string()
		.url()
		.regex(/^https?:\/\//i, 'URL uses unsupported protocol')
		.refine(
			(text) => TOP_LEVEL_DOMAIN.test(text) || OWN_MACHINE.test(text),
			'URL must have a valid top-level domain or be a valid path',
		)
		.refine(isHttpAddress, 'Invalid URL'),
);

/** Callers that the service knows (recording crawl-41). */
const INTEGRATIONS = [
	'dify',
	'zapier',
	'pipedream',
	'raycast',
	'langchain',
	'crewai',
	'llamaindex',
	'n8n',
	'camelai',
	'make',
	'flowise',
	'metagpt',
	'relevanceai',
] as const;

/** Fields that every body may hold. */
export const callerFields = {
	integration: z.enum(INTEGRATIONS).optional(),
	origin: z.string().optional(),
};

/**
 * The schema, and for a server of 2025 the refusal of the fields that came later: it knows them as
 * little as any other name (CONTRACT section 15).
 */
export function refusingNewer<Schema extends z.ZodTypeAny>(
	generation: Generation,
	newerFields: readonly string[],
	schema: Schema,
) {
	return z.preprocess((body, context) => {
		const given = typeof body === 'object' && body !== null ? Object.keys(body) : [];
		const keys = generation === 2025 ? given.filter((key) => newerFields.includes(key)) : [];
		if (keys.length > 0) {
			context.addIssue({ code: 'unrecognized_keys', keys, message: UNKNOWN_KEY_TEXT });
		}
		return body;
	}, schema);
}

/** What a schema makes of a body, or zod's issues as the service gives them in `details`. */
export type ReadRequest<Request> = { request: Request } | { issues: readonly unknown[] };

/** Reads a body by its schema. No body counts as an empty one (recording scrape-29). */
export function readRequest<Schema extends z.ZodTypeAny>(
	schema: Schema,
	body: unknown,
): ReadRequest<z.output<Schema>> {
	const read: z.SafeParseReturnType<unknown, z.output<Schema>> = schema.safeParse(body ?? {});
	return read.success ? { request: read.data } : { issues: read.error.issues };
}

/** One text field of a body that may be anything: what faults are matched against. */
export function textField(body: unknown, name: string): string | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
	if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join('\n');
	return typeof value === 'string' ? value : undefined;
}
