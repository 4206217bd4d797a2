import type { Charge, CreditAccount } from './creditAccount';

/** The charge of one of them. `isPaid`: by an earlier try, so that it is had whatever the cap is. */
interface CapCandidate extends Charge {
	isPaid?: boolean;
}

/**
 * Caps, all or none, for all input items together, before anything is sent: what is not paid yet is `refused` when all of it together, with what is counted already,
 * may cost more than the user allows; `tooMuch` says it. `notCounted`: what Max Credits does not hold for.
 * `startedIds`: of what was started before, for the message.
 */
export function keepToCap(
	all: CapCandidate[],
	account: CreditAccount,
	startedIds: readonly string[] = [],
): { refused: ReadonlySet<object>; tooMuch: string; notCounted: string | undefined } {
	const unpaid = all.filter(({ isPaid }) => !isPaid);
	const caps = all.map(({ maxCredits }) => maxCredits);
	const { tooMuch, notCounted } = account.admit(unpaid, caps, startedIds);
	const refused = new Set(tooMuch === undefined ? [] : unpaid.map(({ by }) => by));
	return { refused, tooMuch: tooMuch ?? '', notCounted };
}

/** What the items say that a cap refuses together: the first the whole, the others where that stands. */
export function overCapText(tooMuch: string, at: number): string {
	return at === 0
		? tooMuch
		: 'Not sent: this run may cost more than Max Credits (This Run) allows, as the first of these items says.';
}
