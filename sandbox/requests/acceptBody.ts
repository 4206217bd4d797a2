import type { z } from 'zod';

import { readRequest } from '../http/bodySchema.ts';
import { newerError, newerIssues } from '../http/newerIssues.ts';
import { badRequest, malformedJson } from '../http/refusals.ts';
import type { Answer } from '../http/answer.ts';
import type { ReadRequest } from '../http/bodySchema.ts';
import type { ReadBody } from '../http/jsonBody.ts';
import type { Service } from '../service/service.ts';

/** A request that was read, or the answer that refuses it. */
export type Accepted<Request> = { request: Request } | { refused: Answer };

/** Counts and words the refusal of a body; `word` makes the answer of zod's issues. */
export function accept<Request>(
	service: Service,
	body: ReadBody,
	read: (value: unknown) => ReadRequest<Request>,
	word: (issues: readonly unknown[], error: string) => Answer = badRequest,
): Accepted<Request> {
	if (body.malformed) {
		service.statistics.countRefusal('body');
		return { refused: malformedJson() };
	}
	const given = read(body.value);
	if ('request' in given) return given;
	service.statistics.countRefusal('body');
	if (service.options.generation === 2025) return { refused: word(given.issues, 'Bad Request') };
	const issues = newerIssues(given.issues);
	return { refused: word(issues, newerError(issues)) };
}

/** The same by a schema. */
export function acceptBody<Schema extends z.ZodTypeAny>(
	service: Service,
	body: ReadBody,
	schema: Schema,
	word?: (issues: readonly unknown[], error: string) => Answer,
): Accepted<z.output<Schema>> {
	return accept(service, body, (value) => readRequest(schema, value), word);
}
