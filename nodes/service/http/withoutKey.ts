import { count } from '../../text/amounts';
import { trimEnd } from '../../text/ends';
import { isJsonObject } from './answer';
import { ServiceFailure } from './failure';
import type { FailureKind } from './failure';
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
	const { sources, domainTools, enterprise, scrapeOptions, zeroDataRetention } = sent;
	const ofPages = isJsonObject(scrapeOptions) && scrapeOptions.zeroDataRetention === true;
	if (zeroDataRetention === true || ofPages) return 'Zero Data Retention';
	if (Array.isArray(enterprise) && enterprise.some((one) => one !== 'default')) return 'Zero Retention Search';
	return domainTools === true || (Array.isArray(sources) && sources.includes('alexandria')) ? 'Data Tools' : undefined;
}

/** The error that says why nothing was sent, and what to do. `what`: the operation or option, as the panel calls it. */
export function needsKeyText(what: string): string {
	return `${what} needs a Firecrawl key: create the credential Web Data API (Firecrawl) with a key from ${KEYS_PAGE}. Without a key, only ${ANSWERED_IN_WORDS} work.`;
}

/** The error when a server of one's own asks for a key and the credential has none. */
export function missingKeyText(baseUrl: string): string {
	return `The Web Data API (Firecrawl) credential has no API key, and ${baseUrl} asks for one. Add the key there.`;
}

/** The text of the credential's test without a key. */
export const WORKS_WITHOUT_KEY = `Connection successful. Without a key, only ${ANSWERED_IN_WORDS} work.`;

/** The hint of a run without a key. */
export const RAN_WITHOUT_KEY = `Firecrawl answered without a key, within the free limits of your IP address. A key from ${KEYS_PAGE} in the credential Web Data API (Firecrawl) lifts them.`;

/**
 * What a refusal of the hosted service means to a request without a key (docs/reference/service-notes.md#without-a-key);
 * undefined where it means the same as with one. `isLasting`: the next request of this run is refused, too, so that it
 * need not be sent: to wait may take hours.
 */
export function refusedWithoutKey(
	failure: ServiceFailure,
): { failure: ServiceFailure; isLasting: boolean } | undefined {
	const { httpCode, answer = {} } = failure;
	const { reason } = answer;
	const said = trimEnd(readErrorText(answer), /[.\s]/);
	const told = (text: string, isLasting: boolean, kind: FailureKind = 'http') => {
		const message = `${text}${said === '' ? '' : ` The service says: ${said}.`}`;
		return { failure: new ServiceFailure({ kind, mayHaveExecuted: false, httpCode, message, answer }), isLasting };
	};
	const withKey = `with a key from ${signUpPage(answer)} in the credential Web Data API (Firecrawl)`;
	if (httpCode === 429 && reason === 'requests') {
		const text = `The requests that Firecrawl gives your IP address without a key are used up: free again ${whenFree(answer)}, or at once ${withKey}.`;
		return told(text, true, 'quotaExceeded');
	}
	if (httpCode === 429 && reason === 'credits') {
		const text = `The credits that Firecrawl gives your IP address without a key do not cover this request: a smaller one may pass, and all are free again ${whenFree(answer)}, or at once ${withKey}.`;
		return told(text, false, 'quotaExceeded');
	}
	if (httpCode === 401) {
		return /keyless|free tier/i.test(said)
			? told(`Firecrawl does not answer this request without a key: it works ${withKey}.`, false)
			: told(
					`Firecrawl does not answer your address without a key, which it does for IPv4 addresses only, while that is open: it works ${withKey}.`,
					true,
				);
	}
	if (httpCode === 403 && /suspicious/i.test(said)) {
		const text = `Firecrawl does not answer networks that hide who asks (VPN, proxy, TOR) without a key: it works ${withKey}.`;
		return told(text, true);
	}
	return undefined;
}

/** The page that the service names for a key, where it is its own. */
function signUpPage({ signup_url: url }: JsonObject): string {
	if (typeof url !== 'string' || url.length > 200 || !URL.canParse(url)) return KEYS_PAGE;
	const { protocol, hostname, href } = new URL(url);
	return protocol === 'https:' && /^(www\.)?firecrawl\.dev$/.test(hostname) ? href : KEYS_PAGE;
}

/** The window is of one day: a server that says more says nothing. */
const LONGEST_WAIT_SECONDS = 48 * 3600;

function whenFree({ retry_after_seconds: seconds }: JsonObject): string {
	const isKnown = typeof seconds === 'number' && seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS;
	return isKnown ? `in ${durationText(seconds)}` : 'later';
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
