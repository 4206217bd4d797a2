import { trimEnd } from '../../text/ends';
import { shorten } from './failure';
import type { JsonObject, ServiceRequest } from './transport';

/** A fault that a strict service finds in a request. */
export interface Problem {
	/** `formats.0.question`; empty for the request as a whole. */
	path: string;
	message: string;
	/** Options that the service does not know, with their paths; then there is no more to say. */
	unknown: string[];
}

const MAX_PROBLEMS = 5;
const MAX_BRANCHES = 100;
const DEEPEST = 5;

/**
 * The problems in the `details` of a refusal, however deep they sit: of an option that may be several
 * things (`invalid_union`), those of the thing that it was meant to be. Never throws; what has no shape of
 * a problem is left out.
 */
export function readProblems({ details }: JsonObject): Problem[] {
	return objectsIn(details)
		.slice(0, MAX_PROBLEMS)
		.flatMap((detail) => problemsOf(detail, '', 0))
		.slice(0, MAX_PROBLEMS);
}

function problemsOf(detail: JsonObject, parent: string, depth: number): Problem[] {
	const path = [parent, ...names(detail.path, 8)].filter((part) => part !== '').join('.');
	if (detail.code === 'unrecognized_keys') {
		const unknown = names(detail.keys, 10).map((key) => pathTo(path, shorten(key, 80)));
		if (unknown.length > 0) return [{ path, message: '', unknown }];
	}
	const alternatives = branchesOf(detail);
	if (alternatives && depth < DEEPEST) {
		const branches = alternatives.branches.slice(0, MAX_BRANCHES).map(objectsIn);
		const meant = branches
			.filter((branch) => branch.length > 0 && !branch.some(isOtherThing))
			.sort((left, right) => left.length - right.length)[0];
		const within = alternatives.namesWhole ? '' : path;
		if (meant) return meant.flatMap((problem) => problemsOf(problem, within, depth + 1));
		const kinds = [...new Set(branches.flat().flatMap(kindsIn))];
		if (kinds.length > 0) {
			const message = `must be one of ${kinds.map((kind) => `"${kind}"`).join(', ')}`;
			return [{ path: pathTo(path, 'type'), message, unknown: [] }];
		}
	}
	const { message } = detail;
	return typeof message === 'string' ? [{ path, message, unknown: [] }] : [];
}

/**
 * The problems with each thing that an option may be. Servers of 2025 have them in another place, with
 * paths from the top (recording scrape-26 of 2025).
 */
function branchesOf({
	code,
	errors,
	unionErrors,
}: JsonObject): { branches: unknown[]; namesWhole: boolean } | undefined {
	if (code !== 'invalid_union') return undefined;
	if (Array.isArray(errors)) return { branches: errors, namesWhole: false };
	if (!Array.isArray(unionErrors)) return undefined;
	return { branches: objectsIn(unionErrors).map(({ issues }) => issues), namesWhole: true };
}

/** True for a problem that says that a whole branch is about another kind of thing. */
function isOtherThing({ code, path }: JsonObject): boolean {
	const where = names(path, 8);
	if (code === 'invalid_value' || code === 'invalid_literal') {
		return where.length === 0 || where.at(-1) === 'type';
	}
	return code === 'invalid_type' && where.length === 0;
}

function kindsIn({ path, values, expected }: JsonObject): string[] {
	return names(path, 8).at(-1) === 'type' ? names(values ?? [expected], 20) : [];
}

function pathTo(path: string, name: string): string {
	return path === '' ? name : `${path}.${name}`;
}

function objectsIn(list: unknown): JsonObject[] {
	if (!Array.isArray(list)) return [];
	return list.filter((one): one is JsonObject => typeof one === 'object' && one !== null && !Array.isArray(one));
}

/** The first texts and numbers of a list. Others have no name, and an object may not even become text. */
function names(list: unknown, most: number): string[] {
	if (!Array.isArray(list)) return [];
	return list
		.slice(0, most)
		.filter((part) => typeof part === 'string' || typeof part === 'number')
		.map(String);
}

/**
 * The service's own words from an error body: `error`, else `message`, `detail` or `title`
 * (docs/reference/service-notes.md#error-texts), with the field problems of `details`. Never throws; empty when there are
 * none.
 */
export function readErrorText(body: JsonObject): string {
	const texts = [body.error, body.message, body.detail, body.title].filter(
		(value): value is string => typeof value === 'string' && value.trim() !== '',
	);
	// Of a refusal that is named by a code in `error`, the words stand in `message`.
	const main = texts.find((text) => !isCode(text)) ?? texts[0];
	const all = readProblems(body);
	const problems = all.filter(({ unknown }) => unknown.length === 0);
	const said = main?.trim() ?? '';
	// Options that the service does not know are named in a sentence of their own.
	const isSaid = problems.some(({ message }) => message.trim() === said);
	const isAboutUnknown = all.length > problems.length && SAYS_NOTHING.test(said);
	const text = isSaid || isAboutUnknown ? '' : said;
	const told = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
	const listed = [...new Set(told)];
	if (listed.length === 0) return shorten(text);
	return shorten(text === '' ? listed.join('; ') : `${text} (${listed.join('; ')})`);
}

/** Headings of services above the list of problems. */
const SAYS_NOTHING = /^(bad request|invalid request body|unrecognized key in body.*)$/i;

/** A code in the place of words: `sponsor_verification_expired`. */
const isCode = (text: unknown): boolean => typeof text === 'string' && /^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(text);

/** The names of failures that say no more than the text beside them. */
const PLAIN_CODES = ['BAD_REQUEST', 'BAD_REQUEST_INVALID_JSON', 'UNKNOWN_ERROR'];

/**
 * The service's words with the code that its documentation knows the failure by. Refused feedback has it
 * under a name of its own (recording feedback-15).
 */
export function withCode(said: string, body: JsonObject): string {
	const named = isCode(body.error) ? body.error : undefined;
	const code = body.code ?? body.feedbackErrorCode ?? named;
	const isKnown = typeof code === 'string' && /^(?:[A-Z][A-Z0-9_]{3,60}|[a-z][a-z0-9_]{3,60})$/.test(code);
	if (!isKnown || PLAIN_CODES.includes(code) || said.includes(code)) return said;
	return said === '' ? code : `${trimEnd(said, /\./)} (${code})`;
}

/** Something that a server does not have, and never has until somebody sets it up. */
interface Missing {
	/** The server's words. */
	says: RegExp;
	/** Of a text that servers say of other things, too: the requests for which it means this. */
	of?: RegExp;
	/** The text may pass on the hosted service, which has it. */
	isOwnServerOnly?: true;
	/** Their meaning, and what works there. */
	text: string;
}

const NO_DATABASE = 'since it has no database';

const NO_AGENT = 'This server has no agent: use Page · Scrape with the format JSON, which needs an address';

/** The answer of a server that checks no keys, and so has no database, to each failure (recording plain-01). */
const FAILED = /an error occurred\. please check your logs/i;

/**
 * The answers that mean "not on this server" (recordings plain-01 to plain-42, and of older servers). A new
 * one is a row here: it is never sent again, never counts as started, and is told in these words.
 */
const MISSING: readonly Missing[] = [
	{
		says: /failed to fetch activity/i,
		isOwnServerOnly: true,
		text: `This server keeps no list of what was started, ${NO_DATABASE}: use the job IDs that Start returns`,
	},
	{
		says: /browser feature (is )?not configured/i,
		text: 'This server has no browsers to open sessions in: use Page · Scrape, or a server with a browser service',
	},
	{
		says: /scrape interact requires stored scrape context/i,
		text: `This server keeps no scraped page to interact with, ${NO_DATABASE}: use Page · Scrape with the options that it has`,
	},
	{ says: /agent beta is not enabled/i, text: NO_AGENT },
	// A server of one's own has no agent, with a database or without.
	{ says: FAILED, of: /^POST \/v2\/agent$/, text: NO_AGENT },
	{
		says: /feedback requires database authentication/i,
		text: `This server takes no feedback, ${NO_DATABASE}: leave this step out`,
	},
	{
		says: /^support_agent_unavailable/i,
		text: 'This server has no support assistant: look at https://docs.firecrawl.dev',
	},
	{
		says: FAILED,
		of: /^GET \/v2\/team\/(credit|token)-usage/,
		text: `This server counts neither credits nor tokens, ${NO_DATABASE}: Account · Get Queue Status and Get Concurrency work there`,
	},
	{
		says: FAILED,
		of: /^[A-Z]+ \/v2\/monitor/,
		text: `This server has no monitors, ${NO_DATABASE}: Web Data Poll Trigger sees changes there`,
	},
	{
		says: FAILED,
		of: /^GET \/v2\/interact($|\?)/,
		text: `This server has no list of browser sessions, ${NO_DATABASE}: use the IDs that Create Session returns`,
	},
];

/**
 * The message for an answer which means that the server does not have what was asked for; undefined for any other
 * answer. `said`: the service's own words.
 */
export function missingOnServer(
	said: string,
	{ method, path }: Pick<ServiceRequest, 'method' | 'path'>,
	baseUrl: string,
): string | undefined {
	const isHosted = new URL(baseUrl).hostname.endsWith('firecrawl.dev');
	const found = MISSING.find(
		({ says, of, isOwnServerOnly }) =>
			says.test(said) && (!of || of.test(`${method} ${path}`)) && !(isHosted && (isOwnServerOnly || of)),
	);
	return found && withWords(`${found.text}.`, said);
}

/**
 * The message for an answer which means that the server has dropped deep research, which is a legacy route; undefined
 * for any other answer. `said`: the service's own words. A GET with 404 is about an unknown job.
 */
export function droppedRoute(
	status: number,
	{ method, path }: Pick<ServiceRequest, 'method' | 'path'>,
	baseUrl: string,
	said: string,
): string | undefined {
	const isDropped = status === 410 || (status === 404 && method === 'POST');
	if (!isDropped || !/^\/v1\/deep-research($|[/?])/.test(path)) return undefined;
	return withWords(
		`There is no Deep Research at ${baseUrl} (HTTP ${status}). It is legacy: use the node Web Research, which works with Search and Scrape, or check the base URL in the Web Data API (Firecrawl) credential.`,
		said,
	);
}

function withWords(text: string, said: string): string {
	return said === '' ? text : `${text} The service says: ${trimEnd(said, /\./)}.`;
}
