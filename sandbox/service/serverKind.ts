/** How a list of jobs answers: it is there, it is no route of this server, or it fails. */
export const LIST_STATES = ['present', 'missing', 'broken'] as const;
export type ListState = (typeof LIST_STATES)[number];

/** How both lists answer, or each by itself. */
export type Lists = ListState | { active?: ListState; activity?: ListState };

interface Given {
	generation: 2025 | 2026;
	keys: ReadonlySet<string>;
	database?: boolean | undefined;
	lists?: Lists | undefined;
}

/**
 * What a server can do apart from its options: by default as the recorded ones. Without a database one of
 * 2025 fails on what it would read there (scrape-28), one of 2026 on the feed and the balance (plain-30,
 * plain-35), and it knows no scrape any more (plain-11).
 */
export function serverKind({ generation, keys, database, lists }: Given) {
	const hasDatabase = database ?? !(keys.size === 0 && generation === 2025);
	const given = typeof lists === 'string' ? { active: lists, activity: lists } : lists;
	const feed = generation === 2025 ? 'missing' : hasDatabase ? 'present' : 'broken';
	return {
		hasDatabase,
		lists: { active: given?.active ?? 'present', activity: given?.activity ?? feed },
	} as const;
}
