import { count } from '../../text/amounts';
import { trimEnd } from '../../text/ends';
import { ServiceFailure } from './failure';
import { readErrorText } from './refusal';
import type { JsonObject, ServiceRequest } from './transport';

/**
 * The address of the hosted service. It alone answers some requests without a key
 * (docs/reference/service-notes.md#without-a-key).
 */
const HOSTED_URL = 'https://api.firecrawl.dev';

/** The credential of a node that has none. */
export const NO_CREDENTIAL = { baseUrl: HOSTED_URL, apiKey: '' } as const;

const KEYS_PAGE = 'https://www.firecrawl.dev/app/api-keys';

/** By method and path without its query. */
const ANSWERED: readonly RegExp[] = [
	/^POST \/v2\/(?:scrape|search|parse|search\/developer|search\/gov)$/,
	/^GET \/v2\/search\/research\/papers(?:\/|$)/,
	/^(?:POST|DELETE) \/v2\/scrape\/[^/]+\/interact$/,
];

const ANSWERED_IN_WORDS = 'Scrape, Search, Parse, and the developer, government and paper searches';

/** True for the hosted service, asked without a key: `key` as it is sent, `baseUrl` normalized. */
export function isWithoutKey(baseUrl: string, key: string): boolean {
	return key === '' && baseUrl === HOSTED_URL;
}

/**
 * Does the hosted service answer this request, or those to this path with a `{name}` in it, without a key? `needsKey`:
 * what its body asks for is answered with a key only.
 */
export function answersWithoutKey({
	method,
	path,
	needsKey,
}: Pick<ServiceRequest, 'method' | 'path'> & { needsKey?: true }): boolean {
	if (needsKey) return false;
	const line = `${method} ${path.split('?', 1)[0]}`;
	return ANSWERED.some((pattern) => pattern.test(line));
}

/** The part of a request that the hosted service answers with a key only; undefined where there is none. */
export function needsKeyFor(sent: JsonObject): string | undefined {
	if (asksForNoRetention(sent)) return 'Zero Data Retention';
	const { sources, domainTools } = sent;
	return domainTools === true || (Array.isArray(sources) && sources.includes('alexandria')) ? 'Data Tools' : undefined;
}

/** Does a request ask that the service, or its search provider, keeps nothing? */
function asksForNoRetention({ zeroDataRetention, scrapeOptions, enterprise }: JsonObject): boolean {
	if (zeroDataRetention === true || (Array.isArray(enterprise) && enterprise.includes('zdr'))) return true;
	return typeof scrapeOptions === 'object' && scrapeOptions !== null && asksForNoRetention({ ...scrapeOptions });
}

/** The error that says why nothing was sent, and what to do. `what`: the operation or option, as the panel calls it. */
export function needsKeyText(what: string): string {
	return `${what} needs a Firecrawl key: create the credential Web Data API (Firecrawl) with a key from ${KEYS_PAGE}. Without a key, only ${ANSWERED_IN_WORDS} work.`;
}

/** The error when a service asks for a key and the credential has none. */
export function missingKeyText(baseUrl: string): string {
	if (baseUrl === HOSTED_URL) return needsKeyText('This request');
	return `The Web Data API (Firecrawl) credential has no API key, and ${baseUrl} asks for one. Add the key there.`;
}

/** The text of the credential's test without a key. */
export const WORKS_WITHOUT_KEY = `Connection successful. Without a key, only ${ANSWERED_IN_WORDS} work.`;

/** The hint of a run without a key. */
export const RAN_WITHOUT_KEY = `Firecrawl answered without a key, within the free limits of your IP address. A key from ${KEYS_PAGE} in the credential Web Data API (Firecrawl) lifts them.`;

/**
 * The failure that a refusal is where the address has used up what it may ask for without a key: to wait for it is
 * no use, as it may take hours. Undefined for any other failure.
 */
export function usedUp({ httpCode, answer = {} }: ServiceFailure): ServiceFailure | undefined {
	const { reason, retry_after_seconds: seconds } = answer;
	if (httpCode !== 429 || (reason !== 'requests' && reason !== 'credits')) return undefined;
	const said = trimEnd(readErrorText(answer), /[.\s]/);
	const isKnown = typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0;
	const free = isKnown ? `free again in ${durationText(seconds)}` : 'free again later';
	return new ServiceFailure({
		kind: 'quotaExceeded',
		mayHaveExecuted: false,
		httpCode,
		message: `The ${reason} that Firecrawl gives your IP address without a key are used up: ${free}, or at once with a key from ${KEYS_PAGE} in the credential Web Data API (Firecrawl).${said === '' ? '' : ` The service says: ${said}.`}`,
	});
}

/** `45 seconds`, `12 minutes`, `3 hours`, rounded up. */
function durationText(seconds: number): string {
	const [amount, unit]: [number, string] =
		seconds < 90
			? [Math.ceil(seconds), 'second']
			: seconds < 90 * 60
				? [Math.ceil(seconds / 60), 'minute']
				: [Math.ceil(seconds / 3600), 'hour'];
	return count(amount, unit);
}
