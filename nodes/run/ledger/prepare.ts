import type { Charge, CreditAccount } from './creditAccount';
import type { Entry } from './entries';
import type { AskedAt, Ledger } from './ledger';

/**
 * What comes before anything that may cost is sent, whatever it is: it is decided for all input items together, so
 * that nothing is paid for where one of them keeps the others from being of use. `sendPaid` then sends each.
 *
 * 1. An agent's turn: where another call of the same execution is starting the same, this one waits, and takes that up.
 * 2. What earlier tries have of each, or may have sent where n8n was killed.
 * Entries in the order of what is asked for; undefined where there is none. `isTurn`: false for what has no id to take
 * up. `orStopped` ends from time to time, and throws when the execution was stopped.
 */
export async function reuseEarlier(
	asked: AskedAt[],
	{ ledger, isTurn = true }: { ledger: Ledger | undefined; isTurn?: boolean },
	orStopped: () => Promise<void>,
): Promise<Array<Entry | undefined>> {
	if (!ledger) return [];
	if (isTurn) await ledger.takeTurn(asked, orStopped);
	return asked.map((one) => ledger.find(one) ?? ledger.noteKilled(one));
}

/** The charge of one of them. `isPaid`: by an earlier try, so that it is had whatever the cap is. */
interface CapCandidate extends Charge {
	isPaid?: boolean;
}

/**
 * 3. Caps, all or none: what is not paid yet is `refused` when all of it together, with what is counted already,
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
