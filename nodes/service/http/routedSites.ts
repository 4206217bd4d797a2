import { trimEnd } from '../../text/ends';
import { isText } from '../../text/values';
import { shorten } from './failure';
import type { JsonObject } from './transport';

const ADMIN = 'an admin of your Firecrawl organization';

/**
 * What the refusals mean of sites that the service reads through paid data providers, or not at all, and what to do
 * (docs/reference/service-notes.md#sites-of-data-providers). None of them costs anything.
 */
const MEANINGS: Readonly<Record<string, (where: string) => string>> = {
	THIRD_PARTY_DATA_TERMS_REQUIRED: (where) =>
		`The terms of this site’s data provider are not accepted: ${ADMIN} does that ${where}.`,
	THIRD_PARTY_DATA_NOT_ENABLED: () => `The data provider of this site is turned off: ${ADMIN} turns it on.`,
	THIRD_PARTY_DATA_ENRICHMENT_NOT_ENABLED: () =>
		`This site needs enrichment, which is turned off: ${ADMIN} turns it on.`,
	THIRD_PARTY_DATA_UNSUPPORTED_URL: () =>
		'Of this site, only the own page of a person or a company is read: use its address without what follows the name.',
	THIRD_PARTY_DATA_UNSUPPORTED_OPTION: () =>
		'This site comes from a data provider, which does not take one of the options: leave it out.',
	THIRD_PARTY_DATA_NOT_FOUND: () => 'No data provider has a record of this address: check its spelling.',
	UNSUPPORTED_SITE: () => 'Firecrawl does not read this site, whatever the options.',
};

/**
 * The meaning of such a refusal, of a request or of one page of a job, with the service's own words; undefined for
 * any other. `said`: those words. Never throws.
 */
export function routedSiteText({ code, requiresAction }: JsonObject, said: string): string | undefined {
	const meaning = isText(code) && Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
	if (!meaning) return undefined;
	const { url }: JsonObject = typeof requiresAction === 'object' ? { ...requiresAction } : {};
	const isAddress = isText(url) && /^https?:\/\//i.test(url) && URL.canParse(url);
	const where = isAddress ? `at ${shorten(url, 300)}` : 'in Firecrawl’s dashboard';
	return `${meaning(where)}${said === '' ? '' : ` The service says: ${trimEnd(said, /\./)}.`}`;
}
