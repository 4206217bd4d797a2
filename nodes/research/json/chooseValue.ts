import { siteName } from '../../text/addresses';
import { evenOut } from '../../text/pageText';
import type { NumberedClaim, PagesOfClaims } from '../report/numberedClaims';

/** One of several proven values of a field. */
interface Rival {
	/** The page of its first proof. */
	source: string;
	/** The claims that say it. */
	saidBy: readonly NumberedClaim[];
}

/** Dates of two pages that are so far apart show which value is the newer one. */
const NEWER_MS = 30 * 24 * 3_600_000;

/** So many more sites than any other value has make one the value of most. */
const MORE_SITES = 2;

/** Quotes with so many first characters in common are one text, copied. */
const COPIED_CHARACTERS = 60;

/**
 * Of several proven values of one field: the one that the subject's own site says (`isOwn`), where it says one of them;
 * else that of the newest page, where all pages have a date and it is more than 30 days newer; else the one that at least
 * two more independent sites say; else none. Never a mean, never a choice in silence.
 */
export function chosenOf<T extends Rival>(
	values: readonly T[],
	pages: PagesOfClaims,
	isOwn: (source: string) => boolean = () => false,
): T | undefined {
	const own = values.filter(({ saidBy }) => saidBy.some(({ source }) => isOwn(source)));
	if (own.length === 1) return own[0];
	const rivals = (own.length > 1 ? own : values).map((value) => ({
		value,
		at: Date.parse(pages.get(value.source)?.publishedAt ?? ''),
		sites: sitesOf(value),
	}));
	const [newest, next] = [...rivals].sort((one, other) => other.at - one.at);
	if (newest && next && rivals.every(({ at }) => !Number.isNaN(at)) && newest.at - next.at > NEWER_MS) {
		return newest.value;
	}
	const [most, second] = [...rivals].sort((one, other) => other.sites - one.sites);
	return most && second && most.sites - second.sites >= MORE_SITES ? most.value : undefined;
}

/** How many sites say a value in words of their own. */
function sitesOf({ saidBy }: Rival): number {
	const hosts = new Map<string, string>();
	for (const claim of saidBy) {
		const words = evenOut(claim.quote).toLowerCase().slice(0, COPIED_CHARACTERS);
		if (![...hosts.values()].includes(words)) hosts.set(siteName(claim.source), words);
	}
	return hosts.size;
}

/** Whether two values mean the same: `39` and `39.00`, `Oslo` and `oslo`. */
export function isSame(one: unknown, other: unknown): boolean {
	const [left, right] = [one, other].map((value) => evenOut(String(value)).toLowerCase());
	return left === right || (left !== '' && right !== '' && Number(left) === Number(right));
}
