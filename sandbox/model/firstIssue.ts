import type { ZodError } from 'zod';

/** What is wrong with a request, in the words of OpenAI. */
export function firstIssue({ issues: [issue] }: ZodError): string {
	return `Invalid '${issue?.path.join('.') ?? 'body'}': ${issue?.message ?? 'invalid'}`;
}
