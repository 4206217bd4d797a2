import { normalizeKey } from '../secrets';
import { ServiceFailure } from './failure';
import { trimEnd } from '../../text/ends';

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

function badBaseUrl(text: string): ServiceFailure {
	// A pasted user:password@ is a secret: it is not repeated in the message.
	const shown = /@/.test(text) ? 'an address with a user name in it' : `"${text.slice(0, 80)}"`;
	return new ServiceFailure({
		kind: 'badInput',
		reached: 'no',
		message: `The base URL in the Web Data API credential must be an http or https address such as https://api.firecrawl.dev, but it is ${shown}.`,
	});
}

/**
 * The header that carries the key to `url`, as an object to spread; empty when the key is empty
 * (self-hosted servers without authentication expect none, docs/service-notes.md#authentication) or when `url`
 * is not of the configured origin. Throws a ServiceFailure when the base URL is no address.
 */
export function authorizationFor(
	url: URL,
	credential: { baseUrl?: unknown; apiKey?: unknown },
): Record<string, string> {
	const origin = originOf(credential.baseUrl);
	const apiKey = normalizeKey(credential.apiKey);
	if (apiKey === '' || url.origin !== origin) return {};
	return { Authorization: `Bearer ${apiKey}` };
}

/** The base URL that was read last, and its origin: all requests of a run ask for the same. */
let lastRead: { baseUrl: unknown; origin: string } | undefined;

function originOf(baseUrl: unknown): string {
	if (lastRead && lastRead.baseUrl === baseUrl) return lastRead.origin;
	const { origin } = new URL(normalizeBaseUrl(baseUrl));
	lastRead = { baseUrl, origin };
	return origin;
}

/** What to say when a service asks for a key and the credential has none. */
export function missingKeyText(baseUrl: string): string {
	return `The Web Data API credential has no API key, and ${baseUrl} asks for one. Add the key there.`;
}
