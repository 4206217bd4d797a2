import { withoutTracking } from './trackingParameters';

/** Parameters that name a visit, not a page. */
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sid|cfid|cftoken)=/i;

/**
 * One text for all addresses of one page, for changed pages, maps, research and documents alike: sites write the
 * same page with http or https, with or without `www.`, a slash or a fragment at the end, the usual port, a session's
 * id, tracking parameters, parameters in another order, and escapes in either letter case. A fragment that begins
 * with `#/` or `#!` names a page of its own. What is no address stands for itself.
 */
export function addressKey(address: string): string {
	const text = address.trim();
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
	const { hostname, port, pathname, search, hash } = new URL(withoutTracking(text));
	const host = hostname.replace(/^www\./, '');
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
	return `${place}${rest.replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase())}`;
}
