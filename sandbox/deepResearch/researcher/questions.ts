/** A search to make, and why. */
export interface SubQuestion {
	search: string;
	goal: string;
}

/** The query as it is searched for: without the sandbox's markers, and with something to look for in any case. */
export function topicOf(query: string): string {
	return (
		query
			.replace(/\[[^\]]*\]/g, ' ')
			.replace(/\s+/g, ' ')
			.trim() || query
	);
}

/**
 * The searches of one round. The first round checks the topic itself, later rounds at what is still
 * open. Wording of the goals as in recordings dr-03 and dr-04.
 */
export function subQuestions(topic: string, depth: number): SubQuestion[] {
	const search = depth === 1 ? topic : `details of ${topic}`;
	return [
		{ search, goal: `Get an overview of ${topic}` },
		{ search: `${search} costs`, goal: 'Find typical costs' },
		{ search: `${search} drawbacks`, goal: 'Find known drawbacks' },
	];
}
