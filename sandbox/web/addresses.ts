/** Questions about addresses that crawl and map ask alike. */

function bareHost(url: URL): string {
	return url.hostname.replace(/^www\./, '');
}

/** Whether both are on the same site; ports tell sites apart, `www.` does not. */
export function isSameSite(left: URL, right: URL): boolean {
	return bareHost(left) === bareHost(right) && left.port === right.port;
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

/** The sandbox's own site, under the name that a workflow can use anywhere. */
export const PUBLIC_SITE = 'https://example.com';

const OWN_NAMES: readonly string[] = ['example.com', 'www.example.com'];

/**
 * `example.com` is the sandbox's own site, and so are those of the firms, so that one workflow runs at the real service
 * and here, also without the internet. The real example.com is a single page that nobody needs. `siteUrl` is where all
 * of them listen, `firms` the hosts of the firms.
 */
export function ownSite(siteUrl: string, firms: Iterable<string>) {
	const hosts = new Set([...OWN_NAMES, ...firms]);
	return {
		/** Whether the sandbox answers for this address itself. */
		has: (url: URL | string) => hosts.has(new URL(url).hostname),
		/** Where the pages of the address are really asked for, and with which headers. */
		locate(url: string) {
			const { host, protocol, pathname, search } = new URL(url);
			return {
				url: `${siteUrl}${pathname}${search}`,
				headers: { host, 'x-forwarded-proto': protocol.replace(':', '') },
			};
		},
	};
}

export type OwnSite = ReturnType<typeof ownSite>;
