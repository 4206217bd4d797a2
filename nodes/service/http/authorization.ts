import { normalizeBaseUrl } from './transport';

/**
 * The header that carries the key to `url`, as an object to spread; empty when the key is empty
 * (self-hosted servers without authentication expect none, CONTRACT section 2) or when `url` is not of
 * the configured origin. Throws a ServiceFailure when the base URL is no address.
 */
export function authorizationFor(
	url: URL,
	credential: { baseUrl?: unknown; apiKey?: unknown },
): Record<string, string> {
	const { origin } = new URL(normalizeBaseUrl(credential.baseUrl));
	const apiKey = typeof credential.apiKey === 'string' ? credential.apiKey.trim() : '';
	if (apiKey === '' || url.origin !== origin) return {};
	return { Authorization: `Bearer ${apiKey}` };
}

/** What to say when a service asks for a key and the credential has none. */
export function missingKeyText(baseUrl: string): string {
	return `The Web Data API credential has no API key, and ${baseUrl} asks for one. Add the key there.`;
}
