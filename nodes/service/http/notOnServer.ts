import type { ServiceRequest } from './transport';

/** Something that a server does not have, and never has until somebody sets it up. */
interface Missing {
	/** How the server says it. */
	says: RegExp;
	/** Of a text that servers say of other things, too: the requests for which it means this. */
	of?: RegExp;
	/** The text may pass on the hosted service, which has it. */
	isOwnServerOnly?: true;
	/** What it means, and what works there. */
	text: string;
}

const NO_DATABASE = 'since it has no database';

const NO_AGENT =
	'This server has no agent: use Page · Scrape with the format JSON, which needs an address';

/** What a server that checks no keys, and so has no database, says of each failure (recording plain-01). */
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
 * What the user is told of an answer that means that the server does not have what was asked for; undefined
 * for any other answer. `said`: the service's own words.
 */
export function missingOnServer(
	said: string,
	{ method, path }: Pick<ServiceRequest, 'method' | 'path'>,
	baseUrl: string,
): string | undefined {
	const isHosted = new URL(baseUrl).hostname.endsWith('firecrawl.dev');
	const found = MISSING.find(
		({ says, of, isOwnServerOnly }) =>
			says.test(said) &&
			(!of || of.test(`${method} ${path}`)) &&
			!(isHosted && (isOwnServerOnly || of)),
	);
	return found && withWords(`${found.text}.`, said);
}

/**
 * What the user is told of an answer that means that the server has dropped deep research, which is a legacy route;
 * undefined for any other answer. `said`: the service's own words. A GET with 404 is about an unknown job.
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
		`There is no Deep Research at ${baseUrl} (HTTP ${status}). It is legacy: use the node Web Research, which works with Search and Scrape, or check the base URL in the Web Data API credential.`,
		said,
	);
}

function withWords(text: string, said: string): string {
	return said === '' ? text : `${text} The service says: ${said.replace(/\.+$/, '')}.`;
}
