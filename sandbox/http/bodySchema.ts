import { z } from 'zod/v4';

/** The text of every refusal of a field nobody knows (recordings scrape-23, crawl-31). */
const UNKNOWN_KEY_TEXT = 'Unrecognized key in body -- please review the v2 API documentation for request body changes';

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

/** The address of a page; one without a scheme gets http. Each demand is told by itself (recordings crawl-102 to crawl-105). */
export const pageUrl = z.preprocess(
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

/** A remark on a body as the service gives it in `details`: it reads bodies with zod 4, too. */
export type Issue = z.core.$ZodIssue;

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

/**
 * The `error` of a refused body: fixed words for a field nobody knows, those of a rule
 * of its own where that comes first, else none in particular (recordings crawl-104 to crawl-123, batch-64).
 */
export function serviceError(issues: readonly Issue[]): string {
	if (issues.some(({ code }) => code === 'unrecognized_keys')) return UNKNOWN_KEY_TEXT;
	const [first] = issues;
	return first?.code === 'custom' ? first.message : 'Bad Request';
}

/** A whole number that may be left out, as a query has it too. */
export const wholeNumber = (schema: z.ZodNumber) =>
	z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), schema.optional());
