/** Parameters that name a visit, not a page. */
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sid|cfid|cftoken)=/i;

/** The first of all that are addresses of the same page: its spelling stays the name of the page. */
export function onePerPage<T>(all: readonly T[], addressOf: (one: T) => string): T[] {
	const first = new Map<string, T>();
	for (const one of all) {
		const key = addressKey(addressOf(one));
		if (!first.has(key)) first.set(key, one);
	}
	return [...first.values()];
}

/**
 * One text for all addresses of one page, for changed pages, maps, lists of URLs, research and documents alike: sites
 * write the same page with http or https, with or without `www.`, a slash or a fragment at the end, the usual port, a
 * session's id, tracking parameters, parameters in another order, and escapes where none are needed or in either
 * letter case. A fragment that begins with `#/` or `#!` names a page of its own. What is no address stands for itself.
 */
export function addressKey(address: string): string {
	const text = address.trim();
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
	const { hostname, port, pathname, search, hash } = new URL(withoutTracking(text));
	const host = hostname.replace(/^www\.|\.$/g, '');
	const place = port === '' || port === '80' || port === '443' ? host : `${host}:${port}`;
	const fragment = /^#[!/]/.test(hash) ? hash : '';
	const path = pathname.replace(/;jsessionid=[^/]*/i, '').replace(/\/+$/, '');
	const parameters = search
		.slice(1)
		.split('&')
		.filter((one) => one !== '' && !SESSION.test(one))
		.sort()
		.join('&');
	const rest = `${path}${parameters === '' ? '' : `?${parameters}`}${fragment}`;
	return `${place}${unescaped(rest).replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase())}`;
}

/** With `%7E` as `~`: both name the same. */
function unescaped(text: string): string {
	try {
		return decodeURI(text);
	} catch {
		return text;
	}
}

/**
 * Query parameters that advertising and newsletter tools add to links to see where visitors come from. They
 * change from visit to visit and never change the page.
 */
const NAMES = [
	...['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'srsltid'],
	...['_ga', '_gl', 'fbclid', 'igshid', 'igsh', 'msclkid', 'twclid', 'ttclid', 'yclid', 'ymclid'],
	...['li_fat_id', 'epik', 'sccid', 'rdt_cid', 'irclickid', 'ef_id', 's_kwcid', 'wickedid'],
	...['mc_cid', 'mc_eid', 'mkt_tok', '_hsenc', '_hsmi', '__hssc', '__hstc', '__hsfp', 'hsctatracking'],
	...['vero_id', 'vero_conv', 'oly_anon_id', 'oly_enc_id', 'ml_subscriber', 'ml_subscriber_hash'],
];

const TRACKING = new RegExp(`^(?:(?:utm|pk|mtm|matomo|piwik|hsa)_\\w+|${NAMES.join('|')})$`, 'i');

/** The address, absolute or relative, without tracking parameters; all else stays as it is written. */
export function withoutTracking(address: string): string {
	const [, base = address, query, fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(address) ?? [];
	if (query === undefined) return address;
	const parts = query.split('&');
	const kept = parts.filter((part) => !TRACKING.test(part.split('=', 1)[0] ?? ''));
	if (kept.length === parts.length) return address;
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
