import { z } from 'zod';

/**
 * Which server is played: one of August 2025, or one that knows what the docs of August 2026 list
 * (docs/service-notes.md#servers-of-your-own).
 */
export type Generation = 2025 | 2026;

/** The text of every refusal of a field nobody knows (recordings scrape-23, crawl-31). */
export const UNKNOWN_KEY_TEXT =
	'Unrecognized key in body -- please review the v2 API documentation for request body changes';

const UNKNOWN_PROTOCOL_TEXT = 'URL uses unsupported protocol';

const TOP_LEVEL_DOMAIN = /(?:\.[\p{L}\d-]{2,}|\.xn--[a-z\d-]+)(?::\d+)?(?:[/?#]|$)/iu;
// Unlike the recorded server, which would refuse addresses in numbers: the sandbox reads pages on this machine.
const OWN_MACHINE = /^https?:\/\/(?:localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\])(?::\d+)?(?:[/?#]|$)/i;

function isHttpAddress(text: string): boolean {
	return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const withScheme = (value: unknown): unknown => {
	if (typeof value !== 'string') return value;
	return /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
};
const hasTopLevelDomain = (text: string): boolean =>
	TOP_LEVEL_DOMAIN.test(text) || OWN_MACHINE.test(text);

type UrlSchema = z.ZodType<string, z.ZodTypeDef, unknown>;

// Each demand is told by itself, in the recorded words of 2025 (scrape-20 to scrape-22, crawl-32, batch-05)
// and of 2026 (crawl-102 to crawl-105).
const pageUrl2025: UrlSchema = z.preprocess(
	(value) => withScheme(String(value)),
	z
		.string()
		.url()
		.regex(/^https?:\/\//i, UNKNOWN_PROTOCOL_TEXT)
		.refine(hasTopLevelDomain, 'URL must have a valid top-level domain or be a valid path')
		.refine(isHttpAddress, 'Invalid URL'),
);
const pageUrl2026: UrlSchema = z.preprocess(
	withScheme,
	z
		.string()
		.regex(/^https?:\/\//i, UNKNOWN_PROTOCOL_TEXT)
		.refine(hasTopLevelDomain, 'URL must have a valid top-level domain or be an IP address')
		.refine((text) => !hasTopLevelDomain(text) || isHttpAddress(text), 'Invalid URL'),
);

/** The address of a page; one without a scheme gets http. */
export function pageUrl(generation: Generation): UrlSchema {
	return generation === 2025 ? pageUrl2025 : pageUrl2026;
}

/** Callers that a server of 2025 knows (recording crawl-41); one of 2026 knows more (crawl-125). */
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
const NEWER_INTEGRATIONS = [...INTEGRATIONS, 'viasocket', 'cli', 'hermes', 'gstack', 'prometheus'];
const NEWER_INTEGRATION_TEXT = `Invalid enum value. Expected ${NEWER_INTEGRATIONS.map((name) => `'${name}'`).join(' | ')}`;

const integration2025: z.ZodType<string> = z.enum(INTEGRATIONS);
const integration2026: z.ZodType<string> = z
	.string()
	.refine((name) => NEWER_INTEGRATIONS.includes(name), NEWER_INTEGRATION_TEXT);

/** Fields that every body may hold. */
export function callerFields(generation: Generation) {
	return {
		integration: (generation === 2025 ? integration2025 : integration2026).optional(),
		origin: z.string().optional(),
	};
}

/**
 * The schema, and for a server of 2025 the refusal of the fields that came later: it knows them as
 * little as any other name (docs/service-notes.md#servers-of-your-own).
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
export type ReadRequest<Request> = { request: Request } | { issues: readonly z.ZodIssue[] };

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
