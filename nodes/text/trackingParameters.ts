/**
 * Query parameters that advertising and newsletter tools add to links to see where visitors come from. They
 * change from visit to visit and never change the page.
 */
const NAMES = [
	...['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'srsltid'],
	...['_ga', '_gl', 'fbclid', 'igshid', 'igsh', 'msclkid', 'twclid', 'ttclid', 'yclid', 'ymclid'],
	...['li_fat_id', 'epik', 'sccid', 'rdt_cid', 'irclickid', 'ef_id', 's_kwcid', 'wickedid'],
	...[
		'mc_cid',
		'mc_eid',
		'mkt_tok',
		'_hsenc',
		'_hsmi',
		'__hssc',
		'__hstc',
		'__hsfp',
		'hsctatracking',
	],
	...['vero_id', 'vero_conv', 'oly_anon_id', 'oly_enc_id', 'ml_subscriber', 'ml_subscriber_hash'],
];

const TRACKING = new RegExp(`^(?:(?:utm|pk|mtm|matomo|piwik|hsa)_\\w+|${NAMES.join('|')})$`, 'i');

/** The address, absolute or relative, without tracking parameters; all else stays as it is written. */
export function withoutTracking(address: string): string {
	const [, base = address, query, fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(address) ?? [];
	if (query === undefined) return address;
	const parts = query.split('&');
	const kept = parts.filter((part) => !TRACKING.test(part.split('=', 1)[0] ?? ''));
	if (kept.length === parts.length) return address;
	return `${base}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}`;
}
