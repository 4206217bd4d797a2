const MONTHS = [
	'jan(?:uary|uar)?|janv(?:ier)?|ene(?:ro)?|gennaio|januari',
	'feb(?:ruary|ruar)?|f[ée]vr(?:ier)?|febrero|febbraio|februari',
	'mar(?:ch)?|m(?:ä|ae)rz|mars|marzo|maart',
	'apr(?:il)?|avr(?:il)?|abril|aprile',
	'may|mai|mayo|maggio|mei',
	'june?|juni|juin|junio|giugno',
	'july?|juli|juil(?:let)?|julio|luglio',
	'aug(?:ust)?|ao[uû]t|agosto|augustus',
	'sept?(?:ember)?|septembre|se[p]?tiembre|settembre',
	'oct(?:ober)?|okt(?:ober)?|octobre|octubre|ottobre',
	'nov(?:ember)?|novembre|noviembre',
	'dec(?:ember)?|dez(?:ember)?|d[ée]c(?:embre)?|diciembre|dicembre',
].map((names) => `(?:${names})`);

const MONTH = new RegExp(
	`(?<![\\p{L}\\p{M}])(?:${MONTHS.map((names) => `(${names})`).join('|')})(?![\\p{L}\\p{M}])\\.?`,
	'giu',
);

/** Digits of all scripts as 0 to 9. */
export function asciiDigits(text: string): string {
	return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
		if (digit <= '9') return digit;
		const code = digit.codePointAt(0) ?? 0;
		let zero = code;
		while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
		return String(code - zero);
	});
}

/** Names of months beside figures are figures. */
export function withoutMonthNames(text: string, found = new Set<number>()): string {
	return text.replace(MONTH, (name: string, ...rest: unknown[]) => {
		const [at, whole] = rest.slice(MONTHS.length, MONTHS.length + 2) as [number, string];
		const isBeside =
			/\d(?:st|nd|rd|th|er|\.)?,?\s(?:(?:of|de)\s)?$/i.test(whole.slice(Math.max(0, at - 9), at)) ||
			/^,?\s(?:(?:of|de)\s)?\d/i.test(whole.slice(at + name.length, at + name.length + 6));
		if (!isBeside) return name;
		const month = rest.slice(0, MONTHS.length).findIndex((one) => one !== undefined) + 1;
		found.add(month);
		return `${month}${name.endsWith('.') ? ' ' : ''}`;
	});
}

/** Days, months and years of dates that are written with dots. */
export function datesApart(text: string): string {
	return text.replace(/(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\d.])/g, '$1 / $2 / $3');
}

/** Months that are named beside figures, and those that dates of digits may mean. */
export function monthsIn(text: string): { named: Set<number>; possible: Set<number> } {
	const named = new Set<number>();
	withoutMonthNames(asciiDigits(text), named);
	const dates = text.matchAll(/\d{4}-(\d{1,2})(?:-\d)?|(\d{1,2})[./-] ?(\d{1,2})[./-] ?\d{2,4}/g);
	const numbers = [...dates].flatMap((parts) => parts.slice(1, 4).map(Number));
	return { named, possible: new Set([...named, ...numbers]) };
}
