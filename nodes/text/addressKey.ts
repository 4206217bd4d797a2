/**
 * One text for all addresses of one page: sites write the same page with http or https, with or without a
 * slash at the end, the usual port, a fragment, and escapes in either letter case. A fragment that begins
 * with `#/` or `#!` names a page of its own. What is no address stands for itself.
 */
export function addressKey(address: string): string {
	const text = address.trim();
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
	const { hostname, port, pathname, search, hash } = new URL(text);
	const place = port === '' || port === '80' || port === '443' ? hostname : `${hostname}:${port}`;
	const fragment = /^#[!/]/.test(hash) ? hash : '';
	const rest = `${pathname.replace(/\/+$/, '')}${search}${fragment}`;
	return `${place}${rest.replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase())}`;
}
