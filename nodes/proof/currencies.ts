/** The signs and names of currencies, longer ones first: `CA$` is no `$`. */
const SIGNS: ReadonlyArray<[sign: string, codes: readonly string[]]> = [
	['CA$', ['CAD']],
	['AU$', ['AUD']],
	['NZ$', ['NZD']],
	['HK$', ['HKD']],
	['MX$', ['MXN']],
	['NT$', ['TWD']],
	['US$', ['USD']],
	['C$', ['CAD']],
	['A$', ['AUD']],
	['S$', ['SGD']],
	['R$', ['BRL']],
	['€', ['EUR']],
	['£', ['GBP']],
	['¥', ['JPY', 'CNY']],
	['円', ['JPY']],
	['元', ['CNY', 'TWD', 'HKD']],
	['₹', ['INR']],
	['₩', ['KRW']],
	['₽', ['RUB']],
	['₺', ['TRY']],
	['฿', ['THB']],
	['₴', ['UAH']],
	['₫', ['VND']],
	['zł', ['PLN']],
	['Kč', ['CZK']],
	['kr', ['SEK', 'NOK', 'DKK', 'ISK']],
	['Ft', ['HUF']],
	['Fr.', ['CHF']],
	['Rs', ['INR', 'PKR']],
];

const NAMES: ReadonlyArray<[name: RegExp, code: string]> = [
	[/\beuros?\b/i, 'EUR'],
	[/\b(?:pounds?|sterling)\b/i, 'GBP'],
	[/\b(?:yen|jen)\b/i, 'JPY'],
	[/\b(?:yuan|renminbi|RMB)\b/i, 'CNY'],
	[/\brupees?\b/i, 'INR'],
	[/\b(?:US dollars?|U\.S\. dollars?)\b/i, 'USD'],
	[/\b(?:Swiss francs?|Franken)\b/i, 'CHF'],
];

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The code of a currency that a value is: a code, a sign or a name alone. Undefined for any other text. */
export function currencyCode(text: string): string | undefined {
	if (CODES.has(text)) return text;
	const [, codes] = SIGNS.find(([sign]) => sign === text) ?? [];
	if (codes) return codes[0];
	if (text === '$') return 'USD';
	return NAMES.find(([name]) => name.exec(text)?.[0] === text)?.[1];
}

/** How far before and behind an amount its currency may stand. */
const BEFORE = 8;
const BEHIND = 14;

/** The currencies beside a figure, by their codes: before it, else behind it. */
export function currenciesBeside(text: string, at: number, length: number, dollars: readonly string[]): string[] {
	const before = text.slice(Math.max(0, at - BEFORE), at);
	const ahead = currenciesIn(before.split(/[\d;,|\t]/).at(-1) ?? '', dollars);
	if (ahead.length > 0) return ahead;
	const behind = text.slice(at + length, at + length + BEHIND);
	const end = behind.search(/[\d;|\t]/);
	const own = end === -1 ? behind : behind.slice(0, end);
	// A sign directly before the next figure is that one's: `39 users, $10`.
	const isNext = /\d/.test(behind.charAt(end)) && /.[A-Z]{0,2}\p{Sc}$/u.test(own);
	return currenciesIn(isNext ? own.replace(/[A-Z]{0,2}\p{Sc}$/u, '') : own, dollars);
}

/** The signs as patterns: one of letters is a word by itself. */
const PATTERNS = SIGNS.map(([sign, codes]) => {
	const escaped = sign.replace(/[$.]/g, '\\$&');
	const isWord = /^[\p{L}.]+$/u.test(sign) && !/\p{Script=Han}/u.test(sign);
	return { pattern: new RegExp(isWord ? `(?<!\\p{L})${escaped}(?!\\p{L})` : escaped, 'gu'), codes };
});

/** Any sign or code, and any name, of a currency: most texts have none. */
const ANY_SIGN = new RegExp(['[A-Z]{3}', '\\$', ...SIGNS.map(([sign]) => sign.replace(/[$.]/g, '\\$&'))].join('|'));
const ANY_NAME = new RegExp(['dollar', ...NAMES.map(([name]) => name.source)].join('|'), 'i');

/**
 * The currencies that a text names, by their codes. A `$` alone is of USD only where the page has no other `dollars`.
 */
export function currenciesIn(text: string, dollars: readonly string[]): string[] {
	const found = new Set<string>();
	if (!ANY_SIGN.test(text) && !ANY_NAME.test(text)) return [];
	for (const [code] of text.matchAll(/(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/g)) if (CODES.has(code)) found.add(code);
	let rest = text;
	for (const { pattern, codes } of PATTERNS) {
		const left = rest.replace(pattern, ' ');
		if (left !== rest) for (const code of codes) found.add(code);
		rest = left;
	}
	for (const [name, code] of NAMES) if (name.test(rest)) found.add(code);
	const hasDollar = /\$|\bdollars?\b/i.test(rest) && !DOLLARS.some((code) => found.has(code));
	if (hasDollar && dollars.every((code) => code === 'USD')) found.add('USD');
	return [...found];
}

const DOLLARS = ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'MXN', 'TWD'];

/** The currencies that a page names, and those of them that are dollars. */
export function currenciesOfPage(text: string): { currencies: string[]; dollars: string[] } {
	const named = currenciesIn(text, []);
	const dollars = named.filter((code) => DOLLARS.includes(code));
	return { currencies: named, dollars };
}
