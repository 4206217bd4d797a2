import { keyOf, sameAddress } from '../../text/addresses';
import type { MarkedPage, MarkedPages } from './markedPages';

/** An address that led to another one in a run. */
interface Lead {
	/** The key of the known page that was asked for by it; undefined where it is none. */
	from: string | undefined;
	to: string;
	hash: string;
}

/** Why a page that was not found is not missing. */
interface Behind {
	why: string;
	/** Stored with the page: the address it is behind, as wallOf has it. */
	wall: string;
}

/** Pages that went missing in the run before this one count as missing since the same time. */
const LATE_RUNS = 1;

/**
 * Where addresses lead. A page that leads to its own text has moved. One that leads to another text may be behind a
 * wall, such as a login or a notice: of several pages that lead to one address, a crawl has one by chance. Pages that go
 * missing in the run in which a page begins to lead there may be behind it, too, and count as such while any page does.
 */
export class Leads {
	/** Where pages lead that have moved, by their keys. */
	readonly moved = new Map<string, string>();

	/** Pages that were not found, and may be behind a wall, by their keys. */
	readonly behind = new Map<string, Behind>();

	/** Whether pages take turns before a wall, so that others may be behind it that have not been seen to lead there. */
	takesTurns = false;

	private readonly all: Lead[] = [];

	/** To be called for each page that was found under another address than it was asked for by. */
	note(lead: Lead): void {
		this.all.push(lead);
	}

	/** To be called when all pages were found. `isMissing`: nothing else is known of why a page was not found. */
	settle(kept: MarkedPages, found: MarkedPages, isMissing: (key: string, page: MarkedPage) => boolean): void {
		const walls = new Map<string, { isFirst: boolean }>();
		const missing = new Set([...kept].flatMap(([key, { hash }]) => (found.has(key) ? [] : [hash])));
		for (const { from, to, hash } of this.all) {
			const wall = wallOf(to);
			const target = sameAddress(to);
			const before = walls.get(wall) ?? { isFirst: false };
			if (from === undefined) {
				const known = kept.get(target);
				const wasLedTo = known?.unseen === 0 && known.source !== undefined;
				if (!missing.has(hash)) walls.set(wall, { isFirst: before.isFirst || !wasLedTo });
				continue;
			}
			const page = kept.get(from);
			if (!page || found.has(from)) continue;
			if (page.hash === hash) this.moved.set(from, to);
			else {
				const isFirst = before.isFirst || page.wall !== LEADS + wall;
				walls.set(wall, { isFirst });
				this.behind.set(from, { why: `it leads to ${to.slice(0, 200)}`, wall: LEADS + wall });
			}
		}
		this.addOthers(kept, walls, isMissing);
	}

	private addOthers(
		kept: MarkedPages,
		walls: ReadonlyMap<string, { isFirst: boolean }>,
		isMissing: (key: string, page: MarkedPage) => boolean,
	): void {
		const [first] = [...walls].flatMap(([wall, { isFirst }]) => (isFirst ? [wall] : []));
		const turns = new Map<string, number>();
		for (const { wall } of this.behind.values()) turns.set(wall, (turns.get(wall) ?? 0) + 1);
		for (const [key, page] of kept) {
			if (this.behind.has(key) || this.moved.has(key) || !isMissing(key, page)) continue;
			const { wall = '' } = page;
			const why = 'it was not found since other pages lead elsewhere';
			const isLate = page.missed <= LATE_RUNS;
			if (walls.has(wall.slice(1))) {
				this.behind.set(key, { why, wall });
				this.takesTurns ||= wall.startsWith(LEADS) && turns.has(wall);
			} else if (first !== undefined && isLate) this.behind.set(key, { why, wall: MAY_LEAD + first });
		}
	}
}

/** In how many complete runs nobody knew whether a page was missing. */
export function waitedFor({ missed, held, behind, wall }: MarkedPage): number {
	return missed + held + (wall?.startsWith(MAY_LEAD) ? behind : 0);
}

/** Stands before the wall of a page that has led there, or that may. */
const LEADS = '=';
const MAY_LEAD = '~';

/** A short name for the address that pages lead to. */
function wallOf(to: string): string {
	const [, hash = ''] = keyOf(sameAddress(to)).split('-');
	return hash;
}
