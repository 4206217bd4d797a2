import type { FastifyInstance } from 'fastify';

/** A request body after reading: malformed JSON is no error yet, because the key is checked first. */
export type ReadBody = { malformed: true } | { malformed: false; value: unknown };

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

function readJson(text: string): ReadBody {
	if (text === '') return { malformed: false, value: undefined };
	try {
		const value: unknown = JSON.parse(text);
		// Like the recorded server's parser, which takes objects and lists only.
		return typeof value === 'object' && value !== null
			? { malformed: false, value }
			: { malformed: true };
	} catch {
		return { malformed: true };
	}
}

/** Sets how bodies are read: JSON up to 10 MB (docs/service-notes.md#request-bodies); other types count as no body. */
export function readJsonBodies(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'application/json',
		{ parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
		(_request, text, done) => done(null, readJson(String(text))),
	);
	app.addContentTypeParser(
		'*',
		{ parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
		(_request, _text, done) =>
			done(null, { malformed: false, value: undefined } satisfies ReadBody),
	);
}

/** What `readJsonBodies` made of this body; a request without one has no fields. */
export function bodyOf(body: unknown): ReadBody {
	const isRead = typeof body === 'object' && body !== null && 'malformed' in body;
	if (!isRead) return { malformed: false, value: undefined };
	if (body.malformed === true) return { malformed: true };
	return { malformed: false, value: 'value' in body ? body.value : undefined };
}
