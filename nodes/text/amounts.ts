/** `1 page`, `3 pages`. `things`: what more than one are called, where an s is not enough. */
export function count(amount: number, thing: string, things = `${thing}s`): string {
	return `${amount} ${amount === 1 ? thing : things}`;
}

/** The same for amounts of money and what it buys, where thousands are set apart: `1,000 pages`. */
export function counted(amount: number, thing: string): string {
	return `${amount.toLocaleString('en-US')} ${thing}${amount === 1 ? '' : 's'}`;
}

/** A name beside a figure as it is looked up: in small letters, without its full stop, and the "de" of "de maig" and "de milioane". */
export function evenName(name: string): string {
	const even = name.normalize('NFKC').toLowerCase().replaceAll('\u200f', '').replace(/\s+/g, ' ').trim();
	return even.replace(/^de |^d['\u2019]/, '').replace(/\.$/, '');
}

/** The HTTP status of a refusal as it stands behind a sentence, with a space before it; empty where there is none. */
export function httpCodeText(status: number | undefined): string {
	return status === undefined ? '' : ` (HTTP ${status})`;
}
