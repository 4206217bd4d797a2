import { z } from 'zod/v4';

/** Output formats, one object each; a bare name stands for one without options (shape format). */

const viewport = z
	.object({
		width: z.number().int().min(1).max(7680),
		height: z.number().int().min(1).max(4320),
	})
	.strict();

/** How a picture is to be taken (formats and actions alike). */
export const pictureFields = {
	fullPage: z.boolean().default(false),
	quality: z.number().int().min(1).max(100).optional(),
	viewport: viewport.optional(),
};

const MAX_PROMPT = 10_000;
const prompt = z.string().max(MAX_PROMPT);
const jsonSchema = z.record(z.string(), z.unknown());
const bare = <Name extends string>(name: Name) => z.object({ type: z.literal(name) }).strict();

const markdown = bare('markdown');
const html = bare('html');
const rawHtml = bare('rawHtml');
const links = bare('links');
const summary = bare('summary');
const json = z
	.object({
		type: z.literal('json'),
		schema: jsonSchema.optional(),
		prompt: prompt.optional(),
		checkPromptInjection: z.boolean().optional(),
	})
	.strict();
const deterministicJson = z
	.object({
		type: z.literal('deterministicJson'),
		schema: jsonSchema.optional(),
		prompt: prompt.optional(),
	})
	.strict();
const changeTracking = z
	.object({
		type: z.literal('changeTracking'),
		modes: z.array(z.enum(['git-diff', 'json'])).default([]),
		schema: jsonSchema.optional(),
		prompt: z.string().optional(),
		tag: z.string().nullish(),
	})
	.strict();
const screenshot = z.object({ type: z.literal('screenshot'), ...pictureFields }).strict();

const attributes = z
	.object({
		type: z.literal('attributes'),
		selectors: z.array(z.object({ selector: z.string(), attribute: z.string() }).strict()),
	})
	.strict();
const question = z.object({ type: z.literal('question'), question: prompt }).strict();
const highlights = z.object({ type: z.literal('highlights'), query: prompt }).strict();
const query = z
	.object({
		type: z.literal('query'),
		prompt: z.string(),
		mode: z.enum(['freeform', 'directQuote']).optional(),
	})
	.strict();

const asObject = (format: unknown): unknown => (typeof format === 'string' ? { type: format } : format);

const anyFormat = z.union([
	markdown,
	html,
	rawHtml,
	bare('rawBase64'),
	links,
	bare('images'),
	summary,
	json,
	deterministicJson,
	changeTracking,
	screenshot,
	attributes,
	bare('branding'),
	bare('product'),
	bare('menu'),
	question,
	highlights,
	query,
	bare('audio'),
	bare('video'),
]);

export type Format = z.output<typeof anyFormat>;
export type FormatOf<Name extends Format['type']> = Extract<Format, { type: Name }>;

/** The formats that a server of the generation knows. */
export const formatsSchema = z
	.array(z.preprocess(asObject, anyFormat))
	.refine(
		(given) => given.filter(({ type }) => type === 'screenshot').length <= 1,
		'You may only specify one screenshot format',
	)
	.refine(
		(given) => !given.some(({ type }) => type === 'changeTracking') || given.some(({ type }) => type === 'markdown'),
		'The changeTracking format requires the markdown format to be specified as well',
	)
	.refine(
		(given) => given.length <= 1 || !given.some(({ type }) => type === 'rawBase64'),
		'The rawBase64 format cannot be combined with other formats',
	)
	.refine(
		(given) => !['json', 'deterministicJson'].every((name) => given.some(({ type }) => type === name)),
		'Cannot specify both json and deterministicJson formats',
	);

/** The format of that name among those asked for. */
export function formatOf<Name extends Format['type']>(
	formats: readonly Format[],
	name: Name,
): FormatOf<Name> | undefined {
	return formats.find((format): format is FormatOf<Name> => format.type === name);
}
