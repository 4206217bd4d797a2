/** Words that deny what they stand beside. */
const NOT =
	/(?<!\p{L})(?:not(?! only| just| merely| least)|never|cannot|no longer|nobody|neither|nicht(?! nur| zuletzt)|niemals|nie|kein(?:e[mnrs]?)?|niet|geen|jamais|nunca|(?:ne |n['’])\S+ pas)(?!\p{L})|n['’]t(?!\p{L})/iu;

/** These, and words that can say the same in another way. */
const LIKE_NOT = new RegExp(
	`${NOT.source}|(?<!\\p{L})(?:no|non|nor|none|nothing|without|lack|lacks|lacked|lacking|fail\\p{L}*|den(?:y|ies|ied|ial)|refus\\p{L}*|reject\\p{L}*|false\\p{L}*|untrue|myth|wrong\\p{L}*|incorrect\\p{L}*|un(?:able|likely|available|known|clear)|im(?:possible|probable)|stop\\p{L}*|ceas\\p{L}*|end(?:s|ed)|absen\\p{L}*|miss(?:es|ed|ing)|only|except|exclud\\p{L}*|hardly|barely|rarely|prevent\\p{L}*|avoid\\p{L}*|zero|ohne|fehl\\p{L}*|nein|pas|sans|aucun\\p{L}*|sin|senza|zonder|inte|ikke|não|ne)(?!\\p{L})`,
	'iu',
);

/** Words that say that something becomes or is more. */
const MORE =
	/(?<!\p{L})(?:rise[ns]?|rose|rising|increas\p{L}*|grew|grow(?:s|n|ing|th)?|more|higher|larger|gain(?:s|ed|ing)?|climb\p{L}*|soar\p{L}*|surg(?:e|es|ed|ing)|doubl(?:ed|es|ing)|tripl(?:ed|es|ing)|stieg\p{L}*|gestiegen|wuchs\p{L}*|gewachsen|mehr|höher\p{L}*|zugenommen|augment\p{L}*|aument\p{L}*)(?!\p{L})/iu;

/** The same for less. */
const LESS =
	/(?<!\p{L})(?:falls?|fell|fallen|falling|decreas\p{L}*|declin\p{L}*|drop(?:s|ped|ping)?|less|fewer|lower|smaller|shr[aiu]nk\p{L}*|reduc\p{L}*|diminish\p{L}*|plung\p{L}*|plummet\p{L}*|halv(?:ed|es|ing)|sank|sanken|gesunken|fiel|fielen|gefallen|weniger|niedriger\p{L}*|abgenommen|diminu\p{L}*|disminu\p{L}*)(?!\p{L})/iu;

/** `more` or `less` where a text says only one of them. */
function directionOf(text: string): 'more' | 'less' | undefined {
	const [isMore, isLess] = [MORE.test(text), LESS.test(text)];
	if (isMore === isLess) return undefined;
	return isMore ? 'more' : 'less';
}

/** With a smaller share of words in common, texts may be of different languages or about different things. */
const COMPARABLE = 0.5;

function words(text: string): Set<string> {
	return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
}

function clauses(text: string): string[] {
	return text.split(
		/[.;:!?](?=\s|$)|,\s|\s-\s|\s(?:but|although|while|aber|sondern|mais|pero)\s/iu,
	);
}

/** True where a text says more and all that is like it says less, or the other way round. None may be denied. */
function isTurned(text: string, clauses: readonly string[]): boolean {
	const direction = directionOf(text);
	if (direction === undefined || LIKE_NOT.test(text)) return false;
	return clauses.every((clause) => {
		const other = directionOf(clause);
		return other !== undefined && other !== direction && !LIKE_NOT.test(clause);
	});
}

/**
 * True when a text says of the others the opposite, as far as words show it: it denies what none of them
 * denies, or says what the part of them that is most like it denies, or more where that says less. Nothing follows where they have few words
 * in common.
 */
export function isReversed(text: string, others: readonly string[]): boolean {
	const wanted = [...words(text)];
	let most = 0;
	let nearest: string[] = [];
	for (const clause of others.flatMap(clauses)) {
		const has = words(clause);
		const shared = wanted.filter((word) => has.has(word)).length;
		if (shared > most) nearest = [];
		if (shared >= most) nearest.push(clause);
		most = Math.max(most, shared);
	}
	if (most === 0 || most < wanted.length * COMPARABLE) return false;
	if (isTurned(text, nearest)) return true;
	if (NOT.test(text)) return !others.some((other) => LIKE_NOT.test(other));
	return !LIKE_NOT.test(text) && nearest.every((clause) => NOT.test(clause));
}
