/** The sandbox's own site, under the name that a workflow can use anywhere. */
export const PUBLIC_SITE = 'https://example.com';

const OWN_NAMES = new Set(['example.com', 'www.example.com']);

/** The sandbox's pages under a name that a workflow can use anywhere. */
export interface OwnSite {
	/** Whether the sandbox answers for this address itself. */
	has(url: URL | string): boolean;
	/** Where the pages of the address are really asked for, and with which headers. */
	locate(url: string): { url: string; headers: Record<string, string> };
	/** The address as a search names it: a page of the sandbox by `example.com`, not by a local port. */
	publicUrl(url: string): string;
}

/**
 * `example.com` is the sandbox's own site, so that one workflow runs at the real service and here, also
 * without the internet. The real example.com is a single page that nobody needs. `siteUrl` is where the
 * site listens.
 */
export function ownSite(siteUrl: string): OwnSite {
	return {
		has: (url) => OWN_NAMES.has(new URL(url).hostname),
		locate(url) {
			const { host, protocol, pathname, search } = new URL(url);
			return {
				url: `${siteUrl}${pathname}${search}`,
				headers: { host, 'x-forwarded-proto': protocol.replace(':', '') },
			};
		},
		publicUrl(url) {
			const { origin, hostname, pathname, search, hash } = new URL(url);
			if (origin !== new URL(siteUrl).origin && !OWN_NAMES.has(hostname)) return url;
			return `${PUBLIC_SITE}${pathname}${search}${hash}`;
		},
	};
}
