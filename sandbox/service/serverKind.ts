/** How a list of jobs answers: it is there, it is no route of this server, or it fails. */
export const LIST_STATES = ['present', 'missing', 'broken'] as const;
export type ListState = (typeof LIST_STATES)[number];

/** How both lists answer, or each by itself. */
export type Lists = ListState | { active?: ListState; activity?: ListState };

/**
 * Whether a scrape can be read back by its id: yes, or the status that refuses it. 404: it was not kept
 * (recording plain-11); 500: a server without its database (2025, scrape-28); 501: not on this server;
 * 400: an account whose data must not be kept.
 */
export type ScrapeReadBack = 'kept' | 400 | 404 | 500 | 501;

interface Given {
	generation: 2025 | 2026;
	keys: ReadonlySet<string>;
	database?: boolean | undefined;
	lists?: Lists | undefined;
	scrapeReadBack?: ScrapeReadBack | undefined;
}

/**
 * What a server can do apart from its options: by default as the recorded ones. Without a database one of
 * 2025 fails on what it would read there (scrape-28), one of 2026 on the feed and the balance (plain-30,
 * plain-35), and it knows no scrape any more (plain-11).
 */
export function serverKind({ generation, keys, database, lists, scrapeReadBack }: Given) {
	const hasDatabase = database ?? !(keys.size === 0 && generation === 2025);
	const given = typeof lists === 'string' ? { active: lists, activity: lists } : lists;
	const feed = generation === 2025 ? 'missing' : hasDatabase ? 'present' : 'broken';
	const lostScrapes = generation === 2025 ? 500 : 404;
	return {
		hasDatabase,
		lists: { active: given?.active ?? 'present', activity: given?.activity ?? feed },
		scrapeReadBack: scrapeReadBack ?? (hasDatabase ? 'kept' : lostScrapes),
	} as const;
}
