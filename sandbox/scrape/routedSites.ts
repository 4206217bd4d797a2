import { ScrapeFailure } from '../web/webClient.ts';

/**
 * Sites that are read through a paid data provider, whose terms nobody has accepted here. No recordings:
 * docs/reference/service-notes.md#sites-of-data-providers.
 */
export function refuseRouted(url: string): void {
	const { hostname, pathname } = new URL(url);
	const [kind, name, ...below] = pathname.split('/').filter((part) => part !== '');
	if (!/(?:^|\.)linkedin\.com$/.test(hostname) || (kind !== 'in' && kind !== 'company') || !name) return;
	if (below.length > 0) {
		throw new ScrapeFailure(400, 'THIRD_PARTY_DATA_UNSUPPORTED_URL', 'Only the page of the record is supported.');
	}
	throw new ScrapeFailure(403, 'THIRD_PARTY_DATA_TERMS_REQUIRED', 'The terms of People Index have not been accepted.', {
		requiresAction: {
			type: 'accept_terms',
			terms: 'People Index data terms',
			version: '2026-09',
			url: 'https://www.firecrawl.dev/app/data-terms',
		},
	});
}
