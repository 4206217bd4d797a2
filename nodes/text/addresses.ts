/**
 * When two addresses are one. Two answers, for two uses (docs/decisions.md#two-addresses-one-page):
 * - `sameAddress` is certain: no server can tell the spellings apart. For what a user typed, what a job was asked for,
 *   and what a memory is keyed by.
 * - `pageKey` is probable: sites write a page in several ways. For merging what searches, maps and documents list, where
 *   the output says what was merged.
 * What is not certain is kept apart: a page that is read twice costs a credit, one that is taken for another is lost.
 */

/** The address as a URL; undefined where the text is no http or https address. */
export function webAddress(text: string): URL | undefined {
	return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

/** Characters that mean the same with and without an escape (RFC 3986, 2.3). */
const UNRESERVED = /^[\w.~-]$/;

/** Escapes only where they are needed, in capitals: `%7e` as `~`, `%c3` as `%C3`. What `URL` leaves as it is, escaped. */
function evenEscapes(text: string): string {
	return text.replace(/["<>\\^`{|}]/g, encodeURIComponent).replace(/%[\da-f]{2}/gi, (escape) => {
		const character = String.fromCharCode(parseInt(escape.slice(1), 16));
		return UNRESERVED.test(character) ? character : escape.toUpperCase();
	});
}

/** The fragment where it names a page, as in sites that a script draws (`#/` or `#!` at its start); else nothing. */
function pageFragment(hash: string): string {
	return /^#[!/]/.test(hash) ? hash : '';
}

/** The user name, as far as addresses differ in it, without the password itself. */
function userKey({ username, password }: URL): string {
	return username === '' && password === '' ? '' : `${keyOf(`${username}:${password}`)}@`;
}

/**
 * One text for all spellings of an address that no server can tell apart: fragment, default port, letter case of the
 * host, escapes. A text that is no web address is given back without the spaces around it.
 */
export function sameAddress(address: string): string {
	const text = address.trim();
	const url = webAddress(text);
	if (!url) return text;
	const { protocol, host, pathname, search, hash } = url;
	return `${protocol}//${userKey(url)}${host}${evenEscapes(pathname + search)}${pageFragment(hash)}`;
}

/**
 * One text for all addresses that are probably of one page: those of `sameAddress`, and with http or https, with or
 * without `www.` and a slash at the end, with parameters in another order, with tracking parameters, with the id of a
 * visit. A text that is no web address is given back without the spaces around it.
 */
export function pageKey(address: string): string {
	const text = address.trim();
	const url = webAddress(text);
	if (!url) return text;
	const { host, pathname, search, hash } = url;
	const path = withoutVisit(pathname);
	const parameters = search
		.slice(1)
		.split('&')
		.filter((one) => one !== '' && !isTracking(one) && !isVisit(one))
		.map((one) => ({ one, name: nameOf(one) }))
		// The order of two with one name may say something: it stays.
		.sort((left, right) => (left.name === right.name ? 0 : left.name < right.name ? -1 : 1))
		.map(({ one }) => one)
		.join('&');
	const place = `${userKey(url)}${host.replace(/^www\./, '')}${path.endsWith('/') ? path.slice(0, -1) : path}`;
	return evenEscapes(`${place}${parameters === '' ? '' : `?${parameters}`}`) + pageFragment(hash);
}

/** Pages that were merged, as `mergePages` gives them. */
export interface MergedPage<T> {
	one: T;
	/** The other addresses under which it was listed, as they were written. */
	others: string[];
}

/**
 * One for each page: the first of all that are probably one page, and the other addresses it was listed under. What has
 * no address (an empty text) is joined with nothing.
 */
export function mergePages<T>(all: readonly T[], addressOf: (one: T) => string): Array<MergedPage<T>> {
	const merged: Array<MergedPage<T>> = [];
	const byKey = new Map<string, { page: MergedPage<T>; spellings: Set<string> }>();
	for (const one of all) {
		const address = addressOf(one);
		const key = pageKey(address);
		const known = key === '' ? undefined : byKey.get(key);
		const spelling = sameAddress(address);
		if (!known) {
			const page = { one, others: [] };
			merged.push(page);
			byKey.set(key, { page, spellings: new Set([spelling]) });
		} else if (!known.spellings.has(spelling)) {
			known.spellings.add(spelling);
			known.page.others.push(address);
		}
	}
	return merged;
}

function nameOf(parameter: string): string {
	return parameter.split('=', 1)[0] ?? '';
}

/** Names by which servers pass the id of a visit along; alone they say nothing, since sites use them otherwise, too. */
const VISIT = /^(?:phpsessid|jsessionid|aspsessionid[a-z]*|sessionid|session_id|sid|cfid|cftoken)$/i;

/** Fewest characters of a token, and how often it changes between letters and digits, as no word does. */
const TOKEN_LENGTH = 20;
const TOKEN_CHANGES = 5;

/** Long and mixed, as what a machine has drawn. */
function isToken(value: string): boolean {
	if (value.length < TOKEN_LENGTH || !/^[a-z\d]+$/i.test(value)) return false;
	const changes = value.match(/\d(?=[a-z])|[a-z](?=\d)/gi);
	return (changes?.length ?? 0) >= TOKEN_CHANGES;
}

/** By its name and its value: an article that is named by a hash is no visit. */
function isVisit(parameter: string): boolean {
	const name = nameOf(parameter);
	return VISIT.test(name) && isToken(parameter.slice(name.length + 1));
}

/** Without `;jsessionid=…` at its end, where Java servers write it. */
function withoutVisit(path: string): string {
	const at = path.lastIndexOf(';');
	return at >= 0 && isVisit(path.slice(at + 1)) ? path.slice(0, at) : path;
}

/**
 * Whole names of query parameters that advertising and newsletter tools add to links to see where visitors come from.
 * They change from visit to visit and never change the page.
 */
const TRACKING = new Set([
	...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'],
	...['pk_campaign', 'pk_kwd', 'pk_keyword', 'pk_source', 'pk_medium', 'pk_content'],
	...['mtm_campaign', 'mtm_kwd', 'mtm_keyword', 'mtm_source', 'mtm_medium', 'mtm_content'],
	...['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'srsltid'],
	...['_ga', '_gl', 'fbclid', 'igshid', 'igsh', 'msclkid', 'twclid', 'ttclid', 'yclid', 'ymclid'],
	...['li_fat_id', 'irclickid', 's_kwcid', 'mc_cid', 'mc_eid', 'mkt_tok', '_hsenc', '_hsmi', 'hsctatracking'],
	...['__hssc', '__hstc', '__hsfp', 'vero_id', 'oly_anon_id', 'oly_enc_id', 'ml_subscriber_hash'],
]);

function isTracking(parameter: string): boolean {
	return TRACKING.has(nameOf(parameter).toLowerCase());
}

/** The address, absolute or relative, without tracking parameters; all else stays as it is written. */
export function withoutTracking(address: string): string {
	const [, base = address, query, fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(address) ?? [];
	if (query === undefined) return address;
	const parts = query.split('&');
	const kept = parts.filter((part) => !isTracking(part));
	if (kept.length === parts.length) return address;
	return `${base}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}`;
}

/** Parameters that name a visit or a form, never what a page shows; the second ones where their value is drawn by chance. */
const VISITS =
	/^(?:phpsessid|j?sessionid|aspsessionid\w*|sess(?:ion)?[_-]?id|_?csrf\w*|_?xsrf\w*|authenticity_token|__cf\w*|cf_\w+)$/i;
const MAYBE_VISITS = /^(?:sid|s|token|_token|nonce|visit|visitor|uid|rid|requestid|request_id)$/i;
const BY_CHANCE = /^(?=.*\d)[\w.~-]{12,}$/;

/** What makes browsers load a picture, a script or a style sheet again. */
const CACHE_BUSTER = /^(?:(?:v|ver|version|rev|t|ts|_|cb|h|hash|cache|m|mtime|d)=[\w.-]*|[\da-f]{6,})$/i;
const LOADED_FILE = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|m?js|woff2?|ttf)$/i;

/**
 * The target of a link, absolute or relative, by what it leads to: without tracking parameters, ids of visits and tokens
 * of forms, without what makes browsers load a file again, and without the text of a protected mail address.
 */
export function withoutVisits(target: string): string {
	const plain = withoutTracking(target)
		.replace(/(\/cdn-cgi\/l\/email-protection)#[\da-f]+$/i, '$1')
		.replace(/;jsessionid=[\w.!-]+/i, '');
	const [, base = plain, query, fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(plain) ?? [];
	if (query === undefined) return plain;
	const isFile = LOADED_FILE.test(base);
	const kept = query.split('&').filter((part) => {
		const [name = '', value = ''] = part.split('=');
		const isOfVisit = VISITS.test(name) || (MAYBE_VISITS.test(name) && BY_CHANCE.test(value));
		return !isOfVisit && !(isFile && CACHE_BUSTER.test(part));
	});
	return `${base}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}`;
}

/** A short name for a text: FNV-1a, 32 bits, beside its length. */
export function keyOf(text: string): string {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
	}
	return `${text.length}-${hash.toString(36)}`;
}

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Characters of a short key. */
export const SHORT_KEY_LENGTH = 4;

/** Four characters for a text, 24 bits: of 1,000 texts, one that is another one has the key of one of them once in 16,000 times. */
export function shortKeyOf(text: string): string {
	const [, hash = ''] = keyOf(text).split('-');
	const value = Number.parseInt(hash, 36) >>> 8;
	return [18, 12, 6, 0].map((shift) => SIGNS.charAt((value >>> shift) & 63)).join('');
}

/** How often each short key stands in a row of them. */
export function shortKeyCounts(keys: string): Map<string, number> {
	const counts = new Map<string, number>();
	for (let at = 0; at < keys.length; at += SHORT_KEY_LENGTH) {
		const key = keys.slice(at, at + SHORT_KEY_LENGTH);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return counts;
}

/** The host of a page without `www.`; the address where it has none. */
export function siteName(address: string): string {
	return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : address;
}

/** The address of a source as it can stand in a link of Markdown, or undefined where it is none. */
export function linkAddress(url: string): string | undefined {
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
	const parsed = new URL(url);
	parsed.username = '';
	parsed.password = '';
	// An address of IPv6 is a host in brackets.
	const { origin } = parsed;
	const path = parsed.href.slice(origin.length);
	return origin + path.replace(/[()<>[\]\\`*_|"'\s]/g, hexOf);
}

function hexOf(sign: string): string {
	return `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}
