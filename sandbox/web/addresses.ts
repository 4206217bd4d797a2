/** Questions about addresses that crawl and map ask alike. */

function bareHost(url: URL): string {
	return url.hostname.replace(/^www\./, '');
}

/** Whether both are on the same site; ports tell sites apart, `www.` does not. */
export function isSameSite(left: URL, right: URL): boolean {
	return bareHost(left) === bareHost(right) && left.port === right.port;
}

/** Whether the first is on a subdomain of the second's host. An address in numbers has none. */
export function isSubdomainOf(url: URL, of: URL): boolean {
	return bareHost(url).endsWith(`.${bareHost(of)}`) && url.port === of.port;
}

/** Without fragment, and without query where asked. */
export function withoutExtras(url: string, ignoresQuery: boolean): string {
	const plain = new URL(url);
	plain.hash = '';
	if (ignoresQuery) plain.search = '';
	return plain.href;
}

/** One key for addresses that mostly mean one page: http or https, with www. or without, index files, last slash. */
export function similarityKey(url: string): string {
	const { port, pathname, search } = new URL(url);
	const path = pathname.replace(/\/index\.(?:html?|php)$/i, '/').replace(/\/+$/, '');
	return `${bareHost(new URL(url))}:${port}${path}${search}`;
}

/** Without the slash at its end, as map gives addresses (recording map-01). */
export function withoutLastSlash(url: string): string {
	return url.replace(/\/+$/, '');
}

const FILES =
	/\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|zip|gz|tar|mp[34]|webm|avi|woff2?|ttf|exe|dmg|iso)$/i;

/** Whether the path ends like a file that is no page: it is not worth a visit. */
export function looksLikeFile(url: URL): boolean {
	return FILES.test(url.pathname);
}

const IN_NUMBERS = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

/**
 * The domain above the address, where there is more to be found: the last two names of its host, or the
 * host where it is numbers. Undefined where the address is that already.
 */
export function higherDomain(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { hostname, pathname } = new URL(url);
	const domain = IN_NUMBERS.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
	return pathname === '/' && hostname === domain ? undefined : domain;
}
