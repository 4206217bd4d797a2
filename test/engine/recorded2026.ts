import recorded from '../fixtures/recorded2026.json';

type Json = Record<string, unknown>;

/** An answer of a real server of August 2026, long texts cut. */
export function answer2026(name: keyof typeof recorded): Json {
	return structuredClone(recorded[name]) as Json;
}

/** The pages of an answer with a list of them. */
export function pages2026(name: keyof typeof recorded): Json[] {
	const { data } = answer2026(name);
	return (Array.isArray(data) ? data : [data]) as Json[];
}
