import type { LostStartFinding } from '../../service/jobs/jobOutcome';

/**
 * What is done with something that may cost where nobody knows whether it was done, and the service's lists do not show
 * it (docs/how-money-is-spent.md):
 * - `tell`, a job: it is named, and not started again by itself. After a kill, lists that would show it prove that it
 *   was never started.
 * - `sendOnceMore`, a job with Start Again, the opening of a session: it is sent once more, whatever that may cost.
 * - `sendIfCheap`, a call: the next try sends it again where the lists would show it, or where it costs little.
 * - `sendWithSameId`, a data tool: it is sent again with its ID, which is charged once.
 */
export type IfUncertain = 'tell' | 'sendOnceMore' | 'sendIfCheap' | 'sendWithSameId';

/** Something that may cost, as far as its past is concerned. */
export interface Thing {
	ifUncertain: IfUncertain;
	/** Most credits that it may cost, as Max Credits counts them. One that does not say it is not cheap. */
	worstCase?: number;
}

/** Whether it was sent with a key that may be another account's. What is found meanwhile may prove that it is not. */
type IsOfOther = () => boolean;

/** Nobody knows what has become of it. */
export interface Open {
	kind: 'open';
	/** Who has sent it: this try, one before it, or one in which n8n was killed, maybe before it was sent. */
	by: 'thisTry' | 'earlierTry' | 'kill';
	/** False where not even its time is known, or the ID that it was sent with. */
	isTraceable: boolean;
	isOfOther: IsOfOther;
	/** This try has sent it after another one that is open, too. */
	isSecond?: boolean;
}

/** What is known of it from before. */
export type Past =
	| { kind: 'none' }
	| Open
	/** Its job, or its answer, has an ID. `isGone`: the service does not have it any more. */
	| { kind: 'known'; isGone: boolean; isOfOther: IsOfOther }
	/** A call was answered, and the service does not keep that. `isKept`: this process does. */
	| { kind: 'answered'; isKept: boolean; isOfOther: IsOfOther }
	/** It has failed, and was charged. */
	| { kind: 'failed' };

/** What the service's lists show. `hasNoAnswer`: an answer that is kept, and cannot be had. */
export type Shown = LostStartFinding & { hasNoAnswer?: true };

type ShownJob = Extract<LostStartFinding, { kind: 'found' }>;

export type Next =
	/** Nothing of it was done, or what was done is gone. */
	| { do: 'send' }
	/** Though it may be paid twice. */
	| { do: 'sendAgain' }
	| { do: 'sendWithSameId' }
	/** It is looked for in the service's lists; then it is decided again. */
	| { do: 'search' }
	/** It is there, by its ID. */
	| { do: 'reuse' }
	/** The lists have shown it. */
	| { do: 'take'; found: ShownJob }
	/** Its answer is kept here. */
	| { do: 'takeKept' }
	/** Nothing is sent. */
	| { do: 'tell' };

/** Most credits that a lost call may cost that is sent again by itself: a page or a search, not a hundred pages. */
export const REPEATED_UP_TO_CREDITS = 10;

const [SEND, SEND_AGAIN, SEND_WITH_SAME_ID, SEARCH, REUSE, TAKE_KEPT, TELL] = [
	{ do: 'send' },
	{ do: 'sendAgain' },
	{ do: 'sendWithSameId' },
	{ do: 'search' },
	{ do: 'reuse' },
	{ do: 'takeKept' },
	{ do: 'tell' },
] as const;

/**
 * Decides what becomes of something that may cost, by what is known of it; nothing else in the package does. `shown`:
 * by the lists, where they were asked. Rules that hold for all:
 * 1. Where several listed ones may be it, nothing is sent.
 * 2. What a list does not show proves nothing where the list may be another account's.
 * 3. What was lost is sent again only as its policy says.
 * 4. What was sent again without an ID of its own is not sent a third time in the same try.
 */
export function decide(thing: Thing, past: Past, shown?: Shown): Next {
	switch (past.kind) {
		case 'none':
			return SEND;
		case 'failed':
			return TELL;
		case 'known':
			if (!past.isGone) return REUSE;
			return past.isOfOther() ? TELL : SEND;
		case 'answered':
			if (past.isKept) return TAKE_KEPT;
			if (thing.ifUncertain !== 'sendWithSameId') return SEND;
			return past.isOfOther() ? TELL : SEND_WITH_SAME_ID;
		case 'open':
			return decideOpen(thing, past, shown);
	}
}

function decideOpen({ ifUncertain, worstCase = Infinity }: Thing, past: Open, shown: Shown | undefined): Next {
	const { by, isTraceable, isSecond = false } = past;
	if (ifUncertain === 'sendWithSameId') return isTraceable && !past.isOfOther() ? SEND_WITH_SAME_ID : TELL;
	if (!shown) return SEARCH;
	if (shown.kind === 'several') return TELL;
	if (shown.kind === 'found' && !shown.hasNoAnswer) return { do: 'take', found: shown };
	if (past.isOfOther()) return TELL;
	if (shown.kind === 'none' && shown.isProof && isProvenMissing(ifUncertain, past)) return SEND;
	if (ifUncertain === 'sendOnceMore') return isSecond ? TELL : SEND_AGAIN;
	if (ifUncertain === 'sendIfCheap' && by !== 'thisTry' && worstCase <= REPEATED_UP_TO_CREDITS) return SEND_AGAIN;
	return TELL;
}

/**
 * Whether lists that do not show it prove that it is missing. Of a start that was lost in an earlier try the user was told
 * that it may have been started, and decides whether to start it again.
 */
function isProvenMissing(ifUncertain: IfUncertain, { by, isTraceable }: Open): boolean {
	return by === 'kill' ? isTraceable : by === 'earlierTry' && ifUncertain === 'sendIfCheap';
}

/** Whether the next try sends one again whose answer is lost in this one. */
export function willBeSentAgain(thing: Thing, shown: Shown): boolean {
	const lost = { kind: 'open', by: 'earlierTry', isTraceable: true, isOfOther: () => false } as const;
	return decide(thing, lost, shown).do !== 'tell';
}

/** What the lists of an account show that may be another one's: what they do not show proves nothing. */
export function asProof<T extends Shown>(shown: T, { isOfOther }: Open): T | { kind: 'none'; isProof: false } {
	return shown.kind === 'none' && isOfOther() ? { kind: 'none', isProof: false } : shown;
}

/** The one that the lists show; undefined where that is none, or not certain. */
export function foundIn(shown: Shown): ShownJob | undefined {
	return shown.kind === 'found' ? shown : undefined;
}

/** What is found with all its options proves that today's key is of the account of before. */
export function provesAccount(shown: Shown): boolean {
	return foundIn(shown)?.evidence === 'options';
}
