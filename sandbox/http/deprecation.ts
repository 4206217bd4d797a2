import type { Answer } from './answer.ts';

/** An operation that is to go: its path as it names itself, and what takes its place, if anything does. */
export interface Deprecated {
	path: string;
	replacement?: string;
	/** What is said after the path, without a full stop. Default: to use the replacement. */
	advice?: string;
}

/**
 * The answer with what a server of 2026 adds to those of an operation that is to go: `warnings` and
 * `replacement` in the body, Deprecation, Link and Warning among the headers (recordings dr26-01, dr26-50).
 */
export function withDeprecation(answer: Answer, { path, replacement, advice }: Deprecated): Answer {
	const { body } = answer;
	if (typeof body !== 'object' || body === null) return answer;
	const sentence = `${path} is deprecated${advice ?? `. Use ${replacement ?? 'another'} instead`}.`;
	return {
		...answer,
		body: { ...body, warnings: [sentence], ...(replacement !== undefined && { replacement }) },
		headers: {
			...answer.headers,
			deprecation: 'true',
			...(replacement !== undefined && { link: `<${replacement}>; rel="successor-version"` }),
			warning: `299 - "${sentence}"`,
		},
	};
}
