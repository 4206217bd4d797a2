/** How a list of jobs answers: it is there, it is no route of this server, or it fails. */
export const LIST_STATES = ['present', 'missing', 'broken'] as const;
export type ListState = (typeof LIST_STATES)[number];

/** How both lists answer, or each by itself. */
export type Lists = ListState | { active?: ListState; activity?: ListState };

interface Given {
	database?: boolean | undefined;
	lists?: Lists | undefined;
}

/**
 * What a server can do apart from its options: by default as the recorded ones. Without a database it fails on the
 * feed and the balance (recordings plain-30, plain-35), and knows no scrape any more (plain-11).
 */
export function serverKind({ database: hasDatabase = true, lists }: Given) {
	const given = typeof lists === 'string' ? { active: lists, activity: lists } : lists;
	const feed = hasDatabase ? 'present' : 'broken';
	return {
		hasDatabase,
		lists: { active: given?.active ?? 'present', activity: given?.activity ?? feed },
	} as const;
}
