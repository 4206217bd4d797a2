import { isPublicHost } from '../../text/publicAddress';
import { wordCount } from '../../text/sentences';
import type { CitedSentence } from './citedText';

/** What is said of a sentence beside its sources. */
export type SentenceVerdict =
	| 'supported'
	| 'contradicted'
	| 'notStated'
	| 'partlyRead'
	| 'unreachable'
	| 'notRead'
	| 'notJudged'
	| 'noSource'
	| 'noClaim';

/** What came of a source: `partlyRead`: not all of it could be seen; `unreachable`: not what it is cited for. */
export type SourceState = 'read' | 'partlyRead' | 'unreachable' | 'notRead';

/** What one source says of a sentence. */
export interface SourceVerdict {
	/** Its number. */
	source: number;
	verdict: Exclude<SentenceVerdict, 'noSource' | 'noClaim'>;
	/** The words of the page that support or contradict it; else those that come nearest. */
	quote?: string;
	/** The address with a jump to them, where one is certain to lead there. */
	link?: string;
}

/** Of several sources one that supports is enough; one that contradicts counts before all that say nothing. */
const ORDER: ReadonlyArray<SourceVerdict['verdict']> = [
	'supported',
	'contradicted',
	'partlyRead',
	'notJudged',
	'unreachable',
	'notRead',
	'notStated',
];

/**
 * The verdict on a sentence with sources. `notStated` only where all of them were read whole: nobody is accused for what
 * could not be seen. Sources that are assumed for a sentence can support it, and nothing else.
 */
export function verdictOf(
	found: readonly SourceVerdict[],
	{ isAssumed, hasMore }: Pick<CitedSentence, 'isAssumed' | 'hasMore'>,
): SentenceVerdict {
	const first = ORDER.find((verdict) => found.some((one) => one.verdict === verdict));
	// A source for which there was no room may say it.
	if (hasMore === true && (first === undefined || first === 'notStated')) return 'notRead';
	if (first === undefined) return 'noSource';
	return isAssumed && first !== 'supported' ? 'noSource' : first;
}

/** Names of parameters whose values let whoever has the address in. */
const SECRETS =
	/^(?:(?:x-amz-|x-goog-)?(?:signature|credential|security-token)|(?:api|access|auth|secret|private)?[_-]?(?:key|token)|sig|sign|auth|password|passwd|pwd|secret|jwt|session(?:id)?|sid|code)$/i;

/** Why an address of a text is not asked for, in one sentence; undefined where it may be. */
export function whyNotAsked(address: string): string | undefined {
	const url = new URL(address);
	if (!isPublicHost(url.hostname)) return 'It is a private or local address.';
	if (url.username !== '' || url.password !== '') return 'It has a name or a password in it, which is not sent.';
	const secret = secretIn(url);
	return secret === undefined ? undefined : `It has a key or a signature in it (${secret}), which is not sent.`;
}

/** The name of a parameter that lets in whoever has the address: of its query, or of what stands behind its `#`. */
function secretIn({ searchParams, hash }: URL): string | undefined {
	return [...searchParams.keys(), ...new URLSearchParams(hash.slice(1)).keys()].find((name) => SECRETS.test(name));
}

/** An address as it may be shown: without what lets others in. */
export function safeAddress(address: string): string {
	const url = new URL(address);
	const isSafe = url.username === '' && url.password === '' && secretIn(url) === undefined;
	return isSafe ? address : `${url.origin}${url.pathname}?…`;
}

/** Of a page that says so little the rest may be missing: what it says counts, what it does not say proves nothing. */
const LEAST_CHARACTERS = 400;

/** A page with so few words that asks for something shows nothing else. */
const FEW_WORDS = 250;

const ASKS =
	/(?:log|sign)\s?-?(?:in|on) (?:to|or|with)|please (?:log|sign) in|create (?:a free |an )?account|subscribe (?:to|now)|subscribers? only|verify (?:that )?you are (?:a )?human|are you a robot|captcha|enable javascript|javascript is (?:disabled|required)|access denied|checking your browser|melden sie sich an|bitte anmelden|jetzt abonnieren|nur für abonnenten|connectez-vous|abonnez-vous|inicia(?:r)? sesión|suscríbete|accedi|abbonati/i;

const PAYWALL =
	/(?:to|and) (?:continue|keep) reading|continue reading (?:with|this)|already a subscriber|subscribe to (?:read|continue|unlock)|unlock this (?:article|story)|this (?:article|content) is (?:for|reserved for|available to) (?:subscribers|members)|weiterlesen mit|mit .{0,20}\bplus\b.{0,20} lesen|artikel .{0,20}für abonnenten|lire la suite|réservé aux abonnés|contenido (?:exclusivo )?para suscriptores/i;

/** What of a page can be seen, by its text. */
export function stateOfPage(
	readable: string,
	{ asked, answered, isCut }: { asked: string; answered: string; isCut: boolean },
): { state: SourceState; reason?: string } {
	const [from, to] = [new URL(asked), new URL(answered)];
	if (!isPublicHost(to.hostname)) return { state: 'notRead', reason: 'It leads to a private or local address.' };
	const isStart = (url: URL) => /^\/?(?:index\.\w+|home)?\/?$/i.test(url.pathname) && url.search === '';
	if (isStart(to) && !isStart(from)) return { state: 'unreachable', reason: 'It leads to the start page of its site.' };
	if (readable === '') return { state: 'unreachable', reason: 'It shows no text.' };
	if (wordCount(readable, FEW_WORDS) < FEW_WORDS && ASKS.test(readable)) {
		return { state: 'unreachable', reason: 'It asks for a log-in, a payment or a browser.' };
	}
	if (readable.length < LEAST_CHARACTERS) return { state: 'partlyRead', reason: 'It shows almost no text.' };
	if (PAYWALL.test(readable)) return { state: 'partlyRead', reason: 'The rest of it is for subscribers.' };
	return isCut ? { state: 'partlyRead', reason: 'Only a part of it was read.' } : { state: 'read' };
}
