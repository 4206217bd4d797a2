import { z } from 'zod';

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
const hasTopLevelDomain = (text: string): boolean => TOP_LEVEL_DOMAIN.test(text) || OWN_MACHINE.test(text);

type UrlSchema = z.ZodType<string, z.ZodTypeDef, unknown>;

/** The address of a page; one without a scheme gets http. Each demand is told by itself (recordings crawl-102 to crawl-105). */
export const pageUrl: UrlSchema = z.preprocess(
	withScheme,
	z
		.string()
		.regex(/^https?:\/\//i, UNKNOWN_PROTOCOL_TEXT)
		.refine(hasTopLevelDomain, 'URL must have a valid top-level domain or be an IP address')
		.refine((text) => !hasTopLevelDomain(text) || isHttpAddress(text), 'Invalid URL'),
);

/** Callers that the server knows (recording crawl-125). */
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
	'viasocket',
	'cli',
	'hermes',
	'gstack',
	'prometheus',
];
const INTEGRATION_TEXT = `Invalid enum value. Expected ${INTEGRATIONS.map((name) => `'${name}'`).join(' | ')}`;

/** Fields that every body may hold. */
export const callerFields = {
	integration: z
		.string()
		.refine((name) => INTEGRATIONS.includes(name), INTEGRATION_TEXT)
		.optional(),
	origin: z.string().optional(),
};

/** What a schema makes of a body, or zod's issues as the service gives them in `details`. */
export type ReadRequest<Request> = { request: Request } | { issues: readonly z.ZodIssue[] };

/** Reads a body by its schema. No body counts as an empty one (recording scrape-29). */
export function readRequest<Schema extends z.ZodTypeAny>(schema: Schema, body: unknown): ReadRequest<z.output<Schema>> {
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

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

function hasKnownType(schema: unknown): boolean {
	if (typeof schema !== 'object' || schema === null || !('type' in schema)) return true;
	const types = Array.isArray(schema.type) ? schema.type : [schema.type];
	return types.every((type) => typeof type === 'string' && TYPES.includes(type));
}

const isSchema = (value: unknown): boolean =>
	(typeof value === 'object' && value !== null) || typeof value === 'boolean';

/** A JSON Schema as an agent takes it: null counts as none (recordings agent-61 to agent-63). */
export const agentSchemaField = z
	.unknown()
	.refine(
		(value) => value === undefined || value === null || isSchema(value),
		'Invalid JSON schema: schema must be object or boolean',
	)
	.refine(
		hasKnownType,
		'Invalid JSON schema: schema is invalid: data/type must be equal to one of the allowed values, data/type must be array, data/type must match a schema in anyOf',
	);

function isDictionary(schema: unknown): boolean {
	if (typeof schema !== 'object' || schema === null) return false;
	const { type, properties, additionalProperties } = Object(schema);
	return type === 'object' && properties === undefined && additionalProperties === true;
}

/** A JSON Schema as an extract takes it (recordings extract-71 to extract-73). */
export const extractSchemaField = z
	.unknown()
	.refine((value) => value === undefined || (isSchema(value) && hasKnownType(value)), 'Invalid JSON schema.')
	.refine(
		(value) => !isDictionary(value),
		"Schema contains invalid structure for OpenAI: object type with no 'properties' defined but 'additionalProperties: true' (schema-less dictionary not supported by OpenAI). Please define specific properties for your object. Note: Recursive schemas using '$ref' are supported.",
	);

/** A remark on a body in the form that the server gives it in `details`: that of zod's fourth version. */
interface ServiceIssue {
	code: string;
	path: Array<string | number>;
	message: string;
	[detail: string]: unknown;
}

type Worded = Omit<ServiceIssue, 'path'> & { code: string; message: string };

const OWN_WORDS = /^(?!Number must|String must|Array must|Invalid|Expected|Required)/;

function quoted(values: readonly unknown[]): string {
	return values.map((value) => JSON.stringify(value)).join('|');
}

function sizeText(issue: z.ZodTooSmallIssue | z.ZodTooBigIssue): string {
	const isSmall = issue.code === 'too_small';
	const bound = Number(isSmall ? issue.minimum : issue.maximum);
	const sign = `${isSmall ? '>' : '<'}${issue.inclusive ? '=' : ''}`;
	const unit = { string: ' characters', array: ' items' }[String(issue.type)];
	const verb = unit === undefined ? 'be' : 'have';
	return `Too ${isSmall ? 'small' : 'big'}: expected ${issue.type} to ${verb} ${sign}${bound}${unit ?? ''}`;
}

/** The values of an enumeration that v3 names as a type where nothing was given: `'a' | 'b'`. */
function namedValues(expected: string): string[] | undefined {
	const found = [...expected.matchAll(/'([^']*)'/g)].map(([, value]) => value ?? '');
	return found.length > 0 ? found : undefined;
}

function ofType(issue: z.ZodInvalidTypeIssue): Worded {
	const values = namedValues(issue.expected);
	if (values) {
		const message = `Invalid option: expected one of ${quoted(values)}`;
		return { code: 'invalid_value', values, message };
	}
	if (issue.expected === 'integer') {
		const message = 'Invalid input: expected int, received number';
		return { expected: 'int', format: 'safeint', code: issue.code, message };
	}
	const message = `Invalid input: expected ${issue.expected}, received ${issue.received}`;
	return { expected: issue.expected, code: issue.code, message };
}

const UUID_PATTERN =
	'/^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$/';

function ofFormat(issue: z.ZodInvalidStringIssue): Worded {
	const base = { origin: 'string', code: 'invalid_format', format: issue.validation };
	if (issue.validation === 'uuid') {
		return { ...base, pattern: UUID_PATTERN, message: 'Invalid UUID' };
	}
	if (issue.validation === 'url') {
		return { code: 'invalid_format', format: 'url', message: 'Invalid URL' };
	}
	// The one pattern of our own that has words (recording crawl-105).
	const message = issue.message ?? 'Invalid string';
	const pattern = message.includes('protocol') ? '/^https?:\\/\\//i' : undefined;
	return { ...base, ...(pattern !== undefined && { pattern }), message };
}

function serviceIssue(issue: z.ZodIssue, depth: number): ServiceIssue {
	const path = issue.path.slice(depth);
	switch (issue.code) {
		case 'invalid_type':
			return { ...ofType(issue), path };
		case 'too_small':
		case 'too_big': {
			const isSmall = issue.code === 'too_small';
			const bound = isSmall ? { minimum: issue.minimum } : { maximum: issue.maximum };
			const message = OWN_WORDS.test(issue.message) ? issue.message : sizeText(issue);
			const { code, type: origin, inclusive } = issue;
			return { origin, code, ...bound, inclusive, path, message };
		}
		case 'invalid_enum_value':
			return {
				code: 'invalid_value',
				values: issue.options,
				path,
				message: `Invalid option: expected one of ${quoted(issue.options)}`,
			};
		case 'invalid_literal':
			return {
				code: 'invalid_value',
				values: [issue.expected],
				path,
				message: `Invalid input: expected ${JSON.stringify(issue.expected)}`,
			};
		case 'unrecognized_keys': {
			const names = issue.keys.map((key) => JSON.stringify(key)).join(', ');
			const message = `Unrecognized key${issue.keys.length > 1 ? 's' : ''}: ${names}`;
			return { code: issue.code, keys: issue.keys, path, message };
		}
		case 'invalid_union':
			return {
				code: issue.code,
				errors: issue.unionErrors.map(({ issues }) => issues.map((inner) => serviceIssue(inner, issue.path.length))),
				path,
				message: 'Invalid input',
			};
		case 'invalid_string':
			return { ...ofFormat(issue), path };
		default:
			return { code: issue.code, path, message: issue.message };
	}
}

/** What zod's third version remarks, in the form and words of the fourth. */
export function serviceIssues(issues: readonly z.ZodIssue[]): ServiceIssue[] {
	return issues.map((issue) => serviceIssue(issue, 0));
}

/**
 * The `error` of a refused body: fixed words for a field nobody knows, those of a rule
 * of its own where that comes first, else none in particular (recordings crawl-104 to crawl-123, batch-64).
 */
export function serviceError(issues: readonly ServiceIssue[]): string {
	if (issues.some(({ code }) => code === 'unrecognized_keys')) return UNKNOWN_KEY_TEXT;
	const [first] = issues;
	return first?.code === 'custom' ? first.message : 'Bad Request';
}
