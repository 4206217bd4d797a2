import type { Sandbox } from '../../sandbox/server.ts';

/** An answer as a test checks it. */
export interface Seen {
	status: number;
	headers: Headers;
	text: string;
	/** The body where it is JSON, else undefined. */
	body: unknown;
}

export const KEY = 'fc-sandbox';

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** One request to the sandbox. A string body is sent as it is, anything else as JSON; no key is sent for null. */
export async function ask(
	sandbox: Sandbox,
	method: string,
	path: string,
	options: {
		body?: unknown;
		authorization?: string | null;
		headers?: Record<string, string>;
	} = {},
): Promise<Seen> {
	const { body, authorization = `Bearer ${KEY}` } = options;
	const hasBody = body !== undefined && body !== null;
	const response = await fetch(sandbox.baseUrl + path, {
		method,
		redirect: 'manual',
		headers: {
			...(authorization !== null && { authorization }),
			...(hasBody && { 'content-type': 'application/json' }),
			...options.headers,
		},
		...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** A field of an unknown value; undefined where there is none. The path is dotted. */
export function field(value: unknown, path: string): unknown {
	let current = value;
	for (const name of path.split('.')) {
		if (typeof current !== 'object' || current === null) return undefined;
		current = Object.entries(current).find(([key]) => key === name)?.[1];
	}
	return current;
}

export function start(sandbox: Sandbox, body: unknown): Promise<Seen> {
	return ask(sandbox, 'POST', '/v1/deep-research', { body });
}

export function status(sandbox: Sandbox, id: string): Promise<Seen> {
	return ask(sandbox, 'GET', `/v1/deep-research/${id}`);
}

/** Starts a job that must be accepted and returns its id. */
export async function startedId(sandbox: Sandbox, body: unknown): Promise<string> {
	const { body: answer, text } = await start(sandbox, body);
	const id = field(answer, 'id');
	if (typeof id !== 'string') throw new Error(`The start was refused: ${text}`);
	return id;
}

const LONGEST_MS = 3 * 3_600_000;

/**
 * Looks until there is something to see, more and more seldom. Throws when there is nothing after three hours, which
 * pass at once on a virtual clock; `what` says what was waited for.
 */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
	const endMs = performance.now() + LONGEST_MS;
	for (let pauseMs = 10; performance.now() < endMs; pauseMs = Math.min(500, pauseMs * 1.1)) {
		const seen = await look();
		if (seen) return seen;
		await new Promise((resolve) => setTimeout(resolve, pauseMs));
	}
	throw new Error(`Waited in vain for ${what}`);
}

/** Asks for the job until it is no longer processing; its duration must be short. */
export async function ended(sandbox: Sandbox, id: string): Promise<unknown> {
	return await until(`the end of job ${id}`, async () => {
		const { body } = await status(sandbox, id);
		return field(body, 'status') !== 'processing' && body;
	});
}

/** The value as a list; empty where it is none. */
export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Asks for a crawl or a batch until it is no longer scraping. `path` is that of its start. */
export async function jobEnded(sandbox: Sandbox, path: string, id: string): Promise<unknown> {
	return await until(`the end of job ${id}`, async () => {
		const { body } = await ask(sandbox, 'GET', `${path}/${id}`);
		return field(body, 'status') !== 'scraping' && body;
	});
}

/** Starts a crawl or a batch that must be accepted and returns its id. */
export async function startedJob(sandbox: Sandbox, path: string, body: unknown): Promise<string> {
	const { body: answer, text } = await ask(sandbox, 'POST', path, { body });
	const id = field(answer, 'id');
	if (typeof id !== 'string') throw new Error(`The start was refused: ${text}`);
	return id;
}
