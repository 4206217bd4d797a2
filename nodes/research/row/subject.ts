import { webAddress } from '../../text/addresses';
import { literally } from '../../text/linePatterns';
import { HOST } from '../../text/pageText';
import type { PageToRead } from '../claims/readPage';
import type { PageBlock } from '../claims/passages';

/** `other`: of something with a longer or another name. `unnamed`: nobody can tell by the names. */
export type Speaks = 'subject' | 'other' | 'unnamed';

/** Words of a place on a page. */
interface PagePlace {
	/** The headings above it. */
	path: string;
	/** Its own row, list item or sentence. */
	words: string;
	/** The same with its neighbours. */
	passage: string;
}

/** Words behind a name that make no other name of it: legal forms, and who speaks for a firm. */
const LEGAL_FORM =
	/^(?:inc|incorporated|ltd|limited|llc|llp|plc|corp|corporation|co|company|gmbh|ag|kg|kgaa|se|sa|sas|sarl|bv|nv|ab|as|asa|oy|oyj|srl|spa|sl|sp|zoo|group|gruppe|holding)$/i;
const SPEAKER = /^(?:CEO|CTO|CFO|COO|PR|HR|API|FAQ)$/;

/** The name without its legal forms: `Acme` for `ACME GmbH & Co. KG`. */
export function coreName(subject: string): string {
	const words = fold(subject)
		.replace(/\([^()]*\)/g, ' ')
		.split(/[\s,&]+/)
		.filter((word) => word !== '' && !/^(?:and|und|et|y|\+)$/i.test(word));
	while (words.length > 1 && LEGAL_FORM.test((words.at(-1) ?? '').replace(/\./g, ''))) words.pop();
	return words.length > 0 ? words.join(' ') : fold(subject);
}

/** Text without accents and with plain spaces: `Nestle` for `Nestlé`. */
function fold(text: string): string {
	return text
		.normalize('NFKD')
		.replace(/\p{M}+/gu, '')
		.replace(/[\s\u00a0]+/g, ' ')
		.trim();
}

const letters = (text: string) =>
	fold(text)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '');

/** A part of the path of a start page: a language, a country, or a name that says so. */
const START =
	/^(?:[a-z]{2}(?:[-_][a-z]{2,4})?|home(?:page)?|index|start(?:page|seite)?|welcome|default|main|global|international|intl|world(?:wide)?|accueil|inicio)(?:\.\w{2,5})?$/i;

/** Whether an address is of the subject's own site: its domain, or where others have pages there, too, its part of it. */
export function isOwnPage(url: string, website: string): boolean {
	const [page, own] = [webAddress(url), webAddress(website)];
	if (!page || !own) return false;
	const host = (one: URL) => one.hostname.toLowerCase().replace(/^www\./, '');
	if (host(page) !== host(own) && !host(page).endsWith(`.${host(own)}`)) return false;
	const parts = own.pathname.split('/').filter((part) => part !== '');
	if (parts.every((part) => START.test(part)) || /\.\w{2,5}$/.test(parts[0] ?? '')) return true;
	return page.pathname.toLowerCase().startsWith(own.pathname.toLowerCase().replace(/\/$/, ''));
}

/** Whether a site has the name of the subject: `www.acme.example` for `Acme GmbH`. */
export function isCalledLike(url: string, subject: string): boolean {
	return labelsOf(url).includes(letters(coreName(subject)));
}

/** Between the words of a name: `Smith & Sons`, `Smith and Sons`, `Smith-Sons`. */
const BETWEEN_WORDS = '[\\s-]+(?:(?:&|\\+|and|und|et|y)\\s+)?';

/** The names by which a text speaks of the subject: alone, or as the beginning of a longer name. */
interface Named {
	isAlone: boolean;
	/** Only as in `Acme Robotics`. */
	isLonger: boolean;
}

/** Addresses are names of their own: `info@acme-foods.example` does not speak of Acme. */
const ADDRESS = new RegExp(String.raw`https?:\/\/\S+|[\w.+-]{1,64}@[\w.-]{1,255}|${HOST}(?:\/\S*)?`, 'giu');

/** Scripts without spaces between words, in which a name has no bounds. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Tells of places on one page whether they speak of the subject, by names alone. Its own site speaks of it. Elsewhere its
 * name stands, as whole words and without a longer name of the same words, in the title, the headings, the address or the
 * words themselves. A page that is ordered by names speaks of it only under its own.
 */
export function subjectOnPage(
	{ subject, website }: { subject: string; website: string },
	{ text, url, title }: PageToRead,
): (place: PagePlace) => Speaks {
	if (isOwnPage(url, website)) return () => 'subject';
	const name = coreName(subject);
	// Without a letter there is no name to go by.
	if (letters(name) === '') return () => 'unnamed';
	const isUnspaced = UNSPACED.test(name);
	const bound = isUnspaced ? '' : '[\\p{L}\\p{N}]';
	const spaced = name.split(' ').map(literally).join(BETWEEN_WORDS);
	const pattern = new RegExp(isUnspaced ? spaced : `(?<!${bound})${spaced}(?!${bound})`, 'giu');
	const { blocks } = text;
	const running = fold(
		blocks
			.filter(({ kind }) => kind !== 'heading')
			.map(wordsOfBlock)
			.join('\n'),
	).replace(ADDRESS, ' ');
	const labels = labelsOf(url);
	/** A longer name is one where a sentence has it, too, or the site is called so: "Acme Pricing" may be a title alone. */
	const isName = (longer: string) =>
		labels.includes(letters(longer)) || new RegExp(`${literally(longer)}(?![\\p{L}\\p{N}])`, 'u').test(running);
	const namedIn = (raw: string): Named => {
		const folded = fold(raw).replace(ADDRESS, ' ');
		let isLonger = false;
		for (const { index, 0: found } of folded.matchAll(pattern)) {
			const [, sign, next = ''] = /^([ -])(\p{Lu}[\p{L}\p{N}]*)/u.exec(folded.slice(index + found.length)) ?? [];
			const full = folded.slice(index, index + found.length + 1 + next.length);
			const mayBeLonger = !isUnspaced && next !== '' && !LEGAL_FORM.test(next) && !SPEAKER.test(next);
			// A hyphen may join a word of the language: `Acme-Chefin`.
			if (!(mayBeLonger && (sign === '-' ? labels.includes(letters(full)) : isName(full)))) {
				return { isAlone: true, isLonger: false };
			}
			isLonger = true;
		}
		return { isAlone: false, isLonger };
	};
	const heading = blocks.find(({ kind }) => kind === 'heading')?.text ?? '';
	const about = namedIn(`${title}\n${heading}`);
	const isInAddress = labels.includes(letters(name)) || pathParts(url).includes(letters(name));
	const isAboutOther = about.isLonger && !isInAddress;
	const everywhere = namedIn(`${title}\n${blocks.map(wordsOfBlock).join('\n')}`);
	const isOrdered = blocks.some((block) => isLabel(block, name));
	return ({ path, words, passage }) => {
		if (isAboutOther) return 'other';
		const own = namedIn(`${path}\n${words}`);
		if (own.isAlone) return 'subject';
		if (own.isLonger || isOrdered) return 'other';
		if (about.isAlone || isInAddress || namedIn(passage).isAlone) return 'subject';
		if (everywhere.isAlone) return 'unnamed';
		if (everywhere.isLonger) return 'other';
		// Where another name is that of the site, it is that of which the page speaks: unless the name may be written otherwise.
		const isOfSite = labels.some((label) => label.length > 2 && letters(title).includes(label));
		return isOfSite && !mayBeWrittenOtherwise(name, fold(`${title} ${running}`)) ? 'other' : 'unnamed';
	};
}

/** Shorter names stand in many words. */
const LEAST_LETTERS = 5;

/** Whether a text may have a name in another way: a part of it, without its spaces, in the letters of another language. */
function mayBeWrittenOtherwise(name: string, text: string): boolean {
	const [first = ''] = name.split(' ');
	if (first !== name && text.toLowerCase().includes(first.toLowerCase())) return true;
	const plain = letters(name);
	if (plain.length >= LEAST_LETTERS && letters(text).includes(plain)) return true;
	const latin = (text.match(/\p{Script=Latin}/gu) ?? []).length;
	const isLatin = /^\p{Script=Latin}/u.test(name);
	return isLatin === latin < (text.match(/\p{L}/gu) ?? []).length / 2;
}

/** The parts of a host without its ending, as letters: `acme` of `www.acme.example`. */
function labelsOf(url: string): string[] {
	const host = webAddress(url)?.hostname ?? '';
	return host
		.replace(/^www\./, '')
		.split('.')
		.slice(0, -1)
		.map(letters);
}

function pathParts(url: string): string[] {
	const { pathname = '' } = webAddress(url) ?? {};
	return pathname.split('/').map((part) => letters(part.replace(/\.\w{2,5}$/, '')));
}

/** The words of a block as names stand in it: a cell of a row does not go on in the next one. */
export function wordsOfBlock({ text, cells }: PageBlock): string {
	return cells?.join(' | ') ?? text;
}

/** Whether a block names the subject and what follows is about it: a heading, the first cell of a row, the start of an item. */
function isLabel({ kind, text, cells = [] }: PageBlock, name: string): boolean {
	const plain = (label: string) => coreName(label.replace(/^\d+[.)]\s*/, '')).toLowerCase();
	const wanted = name.toLowerCase();
	if (kind === 'heading') return plain(text) === wanted;
	if (kind === 'row') return plain(cells[0] ?? '') === wanted;
	if (kind !== 'item') return false;
	const [label = ''] = text.split(/\s[–—-]\s|[:(]/, 1);
	return label !== text && plain(label) === wanted;
}
