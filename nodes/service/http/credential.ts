import { trimEnd } from '../../text/ends';
import { normalizeKey } from '../secrets';
import { ServiceFailure } from './failure';

/**
 * Removes what users paste around a base URL: spaces, trailing slashes, a trailing /v1 or /v2.
 * Throws a ServiceFailure when the rest is not an http or https address.
 */
export function normalizeBaseUrl(input: unknown): string {
	const text = typeof input === 'string' ? input.trim() : '';
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw badBaseUrl(text);
	}
	const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
	if (!isHttp || url.username !== '' || url.password !== '') throw badBaseUrl(text);
	const path = trimEnd(url.pathname, /\//).replace(/\/v[12]$/, '');
	return url.origin + trimEnd(path, /\//);
}

/** The error for a base URL that cannot be one. The text may be the key: it is not repeated. */
function badBaseUrl(text: string): ServiceFailure {
	let shown = 'something else';
	if (text === '') shown = 'empty';
	else if (/@/.test(text)) shown = 'an address with a user name in it';
	else if (!/^https?:/i.test(text)) shown = 'a text without http:// or https:// at its start';
	return new ServiceFailure({
		kind: 'badInput',
		mayHaveExecuted: false,
		message: `The base URL in the Web Data API (Firecrawl) credential must be an http or https address such as https://api.firecrawl.dev, but it is ${shown}.`,
	});
}

/**
 * The header that carries the key to `url`, as an object to spread; empty when the key is empty
 * (self-hosted servers without authentication expect none, docs/reference/service-notes.md#authentication) or when `url`
 * is not below the base URL: of another origin, or beside the path that the service has on its host. Throws a
 * ServiceFailure when the base URL is no http or https address.
 */
export function authorizationFor(
	url: URL,
	credential: { baseUrl?: unknown; apiKey?: unknown },
): Record<string, string> {
	const base = baseOf(credential.baseUrl);
	const apiKey = normalizeKey(credential.apiKey);
	const isBelow = url.pathname === base.path || url.pathname.startsWith(`${base.path}/`);
	if (apiKey === '' || url.origin !== base.origin || !isBelow) return {};
	return { Authorization: `Bearer ${apiKey}` };
}

/** The address of a service: its origin, and the path before those of its API, empty where it has none. */
interface Base {
	origin: string;
	path: string;
}

/** The origin of a base URL, for messages. */
export function originOf(baseUrl: string): string {
	return baseOf(baseUrl).origin;
}

/** The base URL that was read last: all requests of a run ask for the same. */
let lastRead: { baseUrl: unknown; base: Base } | undefined;

function baseOf(baseUrl: unknown): Base {
	if (lastRead && lastRead.baseUrl === baseUrl) return lastRead.base;
	const { origin, pathname } = new URL(normalizeBaseUrl(baseUrl));
	const base = { origin, path: trimEnd(pathname, /\//) };
	lastRead = { baseUrl, base };
	return base;
}
