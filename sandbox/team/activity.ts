/**
 * The feed of what a team did: every start of the last 24 hours at once, without state or options
 * (recordings team-20 to team-29c, active-30 to active-44).
 */

/** What an entry may be filtered by; `parse` stands in the feed all the same (team-25). */
export const ENDPOINT_FILTERS = [
	'scrape',
	'crawl',
	'batch_scrape',
	'search',
	'extract',
	'llmstxt',
	'deep_research',
	'map',
	'agent',
	'browser',
	'interact',
] as const;

export type ActivityEndpoint = (typeof ENDPOINT_FILTERS)[number] | 'parse';

/** One thing that was started. `target`: an address, a query, a file's name or a fixed text. */
interface Activity {
	id: string;
	endpoint: ActivityEndpoint;
	apiVersion: 'v1' | 'v2';
	target: string;
	/** When it was started. */
	atMs: number;
}

/** What a request for the feed asks for, as its query has it. */
interface ActivityQuery {
	limit: number;
	endpoint: string | undefined;
	cursor: string | undefined;
}

/** A part of the feed as the service answers it, or why there is none. */
type ActivityPage = { how: 'page'; body: Record<string, unknown> } | { how: 'badCursor' } | { how: 'failed' };

const WINDOW_MS = 24 * 60 * 60 * 1000;
const KEPT_ENTRIES = 100_000;
const DEFAULT_LIMIT = 50;
const MOST = 100;

/** A moment as the database writes it: `2026-11-21 20:04:14.72+00`, no zeros at the end of the fraction. */
export function databaseTime(atMs: number): string {
	const [day = '', time = ''] = new Date(atMs).toISOString().split('T');
	return `${day} ${time.replace(/(?:\.0+|(\.\d*?[1-9])0+)?Z$/, '$1')}+00`;
}

/** How many entries were asked for: 1 to 100, 50 for what is no such number (team-26 to team-28). */
export function activityLimit(text: string | undefined): number {
	const number = Number.parseInt(text ?? '', 10);
	return number >= 1 ? Math.min(MOST, number) : DEFAULT_LIMIT;
}

function cursorOf(entry: Activity): string {
	return Buffer.from(`${databaseTime(entry.atMs)}:${entry.id}`).toString('base64url');
}

/** Where the part begins that the cursor stands for. */
function readCursor(cursor: string): { atMs: number; id: string } | 'bad' | 'failed' {
	const text = Buffer.from(cursor, 'base64url').toString();
	const colon = text.lastIndexOf(':');
	if (colon <= 0) return 'bad';
	const atMs = Date.parse(text.slice(0, colon).replace(' ', 'T').replace('+00', 'Z'));
	return Number.isNaN(atMs) ? 'failed' : { atMs, id: text.slice(colon + 1) };
}

/** What was started, newest first. */
export function activityFeed() {
	const entries: Activity[] = [];
	return {
		note(entry: Activity) {
			entries.push(entry);
			if (entries.length > KEPT_ENTRIES * 1.1) entries.splice(0, entries.length - KEPT_ENTRIES);
		},
		find: (id: string) => entries.findLast((entry) => entry.id === id),
		/** Takes an entry out, as if it were more than a day old. */
		forget(id: string) {
			const place = entries.findLastIndex((entry) => entry.id === id);
			if (place >= 0) entries.splice(place, 1);
		},
		/** A part of the feed; `lagMs` says how far it is behind. */
		page({ limit, endpoint, cursor }: ActivityQuery, nowMs: number, lagMs: number): ActivityPage {
			const from = cursor ? readCursor(cursor) : undefined;
			if (from === 'bad') return { how: 'badCursor' };
			if (from === 'failed') return { how: 'failed' };
			const newest = entries
				.filter(({ atMs }) => atMs > nowMs - WINDOW_MS && atMs <= nowMs - lagMs)
				.filter((entry) => !endpoint || entry.endpoint === endpoint)
				.reverse();
			const place = from ? newest.findIndex(({ id }) => id === from.id) : -1;
			const rest = from && place < 0 ? newest.filter(({ atMs }) => atMs < from.atMs) : newest.slice(place + 1);
			const part = rest.slice(0, limit);
			const last = part.at(-1);
			const hasMore = rest.length > part.length;
			const data = part.map(({ id, endpoint: kind, apiVersion, atMs, target }) => ({
				id,
				endpoint: kind,
				api_version: apiVersion,
				created_at: databaseTime(atMs),
				target,
			}));
			const next = hasMore && last ? cursorOf(last) : null;
			return { how: 'page', body: { success: true, data, cursor: next, has_more: hasMore } };
		},
		clear: () => entries.splice(0),
	};
}
