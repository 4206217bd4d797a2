import type { FastifyInstance } from 'fastify';
import { Refused, refusal } from './answer.ts';
import type { Answer } from './answer.ts';

/** What a server of 2026 adds to a 401 (recording auth26-01). */
const CHALLENGE = 'Bearer resource_metadata="https://www.firecrawl.dev/.well-known/oauth-protected-resource"';

/** The key of a header `Bearer key`. */
export const tokenIn = (header: string): string | undefined => header.split(' ')[1];

/**
 * The refusal for this Authorization header, or undefined when it may pass.
 * An empty list of keys means no authentication, as on a self-hosted server without a database.
 * Texts: recordings auth-01, auth-05 ("Bearer " arrives trimmed), auth-06, auth-07.
 */
export function refuseKey(header: string | undefined, { keys }: { keys: ReadonlySet<string> }): Answer | undefined {
	if (keys.size === 0) return undefined;
	const refuse = (text: string): Answer => ({
		...refusal(401, text),
		headers: { 'www-authenticate': CHALLENGE },
	});
	if (!header) return refuse('Unauthorized');
	const token = tokenIn(header);
	if (!token) return refuse('Unauthorized: Token missing');
	return keys.has(token) ? undefined : refuse('Unauthorized: Invalid token');
}

/** A request body after reading: malformed JSON is no error yet, because the key is checked first. */
export type ReadBody = { malformed: true } | { malformed: false; value: unknown };

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

function readJson(text: string): ReadBody {
	if (text === '') return { malformed: false, value: undefined };
	try {
		const value: unknown = JSON.parse(text);
		// Like the recorded server's parser, which takes objects and lists only.
		return typeof value === 'object' && value !== null ? { malformed: false, value } : { malformed: true };
	} catch {
		return { malformed: true };
	}
}

/** Sets how bodies are read: JSON up to 10 MB (docs/reference/service-notes.md#request-bodies), forms as bytes; other types count as no body. */
export function readBodies(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'application/json',
		{ parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
		(_request, text, done) => done(null, readJson(String(text))),
	);
	app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
	app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES }, (_request, _text, done) =>
		done(null, { malformed: false, value: undefined } satisfies ReadBody),
	);
}

/** What `readBodies` made of this body; a request without one has no fields. */
export function bodyOf(body: unknown): ReadBody {
	const isRead = typeof body === 'object' && body !== null && 'malformed' in body;
	if (!isRead) return { malformed: false, value: undefined };
	if (body.malformed === true) return { malformed: true };
	return { malformed: false, value: 'value' in body ? body.value : undefined };
}

export const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Refuses an id that is none (recordings crawl-31, batch-51). */
export function demandId(id: string): void {
	if (!UUID.test(id)) throw new Refused(refusal(400, 'Invalid job ID format. Job ID must be a valid UUID.'));
}
