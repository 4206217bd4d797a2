/** Characters that stand in a text unseen, as they come from a word processor or a web page. */
const UNSEEN = '\u00a0\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff';
const UNSEEN_ENDS = new RegExp(`^[\\s${UNSEEN}]+|[\\s${UNSEEN}]+$`, 'gu');
const UNSEEN_INSIDE = new RegExp(`[\\p{Cc}${UNSEEN}]`, 'u');
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * An http or https address, as typed, spaces in its path encoded as a browser does. A bare domain gets
 * https: older servers complete it themselves, but the API reference of 2026 asks for a complete address.
 * Undefined for anything else, as the service itself refuses words without a dot and other schemes
 * (recordings scrape-21 and 22).
 */
export function readWebAddress(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.replace(UNSEEN_ENDS, '');
	const hasScheme = SCHEME.test(text);
	const address = hasScheme ? text : `https://${text}`;
	if (!URL.canParse(address)) return undefined;
	const { protocol, hostname, username } = new URL(address);
	if (protocol !== 'http:' && protocol !== 'https:') return undefined;
	// A number alone is an address to URL, which makes 0.0.0.7 of 7: the dot must have been typed.
	const hasDot = text.split(/[/?#]/, 1)[0]?.includes('.') === true;
	const isBareDomain =
		hasDot && /^[a-z0-9-]+(\.[a-z0-9-]+)+\.?$/i.test(hostname) && username === '';
	return hasScheme || isBareDomain ? address.replace(/ /g, '%20') : undefined;
}

/** What is wrong with a value that was meant to be one address, where more can be said than that it is none. */
export function addressFault(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const expression = expressionFault(value);
	if (expression !== undefined) return expression;
	const text = value.replace(UNSEEN_ENDS, '');
	if (isSeveral(text)) {
		return 'takes one URL: for several, use Batch Scrape, which takes a list, or one input item for each';
	}
	const unseen = UNSEEN_INSIDE.exec(text);
	if (!unseen) return undefined;
	const code = unseen[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
	return `contains an invisible character (U+${code}) after "${text.slice(0, unseen.index)}": delete it`;
}

function isSeveral(text: string): boolean {
	if (/[\r\n]/.test(text) || /[\s,;]https?:\/\//i.test(text)) return true;
	const parts = splitAddresses(text);
	return (
		readWebAddress(text) === undefined &&
		parts.length > 1 &&
		parts.every((part) => readWebAddress(part) !== undefined)
	);
}

/** Says that a text is an expression that was not switched on: n8n sends `{{ $json.url }}` as it stands. */
export function expressionFault(value: unknown): string | undefined {
	return typeof value === 'string' && /\{\{.*\}\}/s.test(value)
		? 'holds an expression as text: switch the field from Fixed to Expression'
		: undefined;
}

/**
 * The addresses in a text: on lines of their own, or separated by spaces or commas. A comma may be part of an
 * address that has a path, so there it separates only with a space or before a scheme.
 */
export function splitAddresses(text: string): string[] {
	return text
		.split(/\s*,\s+|\s+|,(?=https?:\/\/)/i)
		.flatMap((part) => (part.includes('/') ? [part] : part.split(',')));
}
