import type { INodeProperties } from 'n8n-workflow';
import { auditMetadata, location, rareOptions } from '../basic';
import {
	choiceField,
	choicesField,
	groupField,
	jsonField,
	numberField,
	rowsField,
	switchField,
	textField,
} from '../field';
import { whereScraped } from '../formats';
import { actions } from './actions';
import { parsers } from './parsers';
import { threatProtection } from './threatProtection';

/** The parts of a page that are kept. */
export const onlyMainContent: INodeProperties = switchField(
	'onlyMainContent',
	'Only Main Content',
	true,
	'Whether to drop headers, navigation and footers',
);

export const includeTags: INodeProperties = textField(
	'includeTags',
	'Include Tags',
	'CSS selectors of the parts to keep, separated by commas or line breaks',
	{ typeOptions: { sentAs: 'list' }, placeholder: 'e.g. article, .price' },
);

export const excludeTags: INodeProperties = textField(
	'excludeTags',
	'Exclude Tags',
	'CSS selectors of the parts to drop, separated by commas or line breaks',
	{ typeOptions: { sentAs: 'list' }, placeholder: 'e.g. nav, .advert' },
);

/** Also an option of files. */
export const removeBase64Images: INodeProperties = switchField(
	'removeBase64Images',
	'Remove Base64 Images',
	true,
	'Whether to put placeholders for inline images in the Markdown',
);

/** Rare options for the parts of a page that are kept. */
const rareContent: INodeProperties[] = [
	switchField(
		'onlyCleanContent',
		'Only Clean Content',
		false,
		'Whether a language model also cleans up the Markdown (beta). Not with zero data retention.',
	),
	removeBase64Images,
];

/** Age up to which a cached copy is taken by default: 2 days. */
const DEFAULT_MAX_AGE_MS = 172_800_000;

/** Also an option of files. */
export const headers: INodeProperties = jsonField(
	'headers',
	'Headers',
	'{}',
	'Extra headers of the request to the page, as a JSON object of name and text',
	{ typeOptions: { sentAs: 'stringMap' }, placeholder: 'e.g. { "Accept-Language": "de" }' },
);

/** Also an option of files. */
export const blockAds: INodeProperties = switchField(
	'blockAds',
	'Block Ads',
	true,
	'Whether to block ads and cookie banners',
);

/** Also an option of files. */
export const skipTlsVerification: INodeProperties = switchField(
	'skipTlsVerification',
	'Skip TLS Verification',
	true,
	'Whether to ignore certificate errors of the site',
);

/** The common options of fetching a page. */
export const commonFetch: INodeProperties[] = [
	numberField(
		'waitFor',
		'Extra Wait (Milliseconds)',
		0,
		'How long to wait for slow pages to load before reading them, 0 to 60000 and at most half of Timeout',
		{ min: 0, max: 60_000 },
	),
	numberField(
		'maxAge',
		'Max Age (Milliseconds)',
		DEFAULT_MAX_AGE_MS,
		'How old a cached copy may be: 0 always fetches the page, 3600000 is 1 hour, 172800000 is 2 days. Without this option: 2 days.',
		{ min: 0 },
	),
	choiceField('proxy', 'Proxy', 'auto', 'Which kind of proxy to use. Firecrawl recommends Automatic.', [
		['Automatic', 'auto', 'Basic, then better ones when it fails'],
		['Basic', 'basic'],
		['Enhanced', 'enhanced', 'For sites that are hard to fetch'],
		['Stealth', 'stealth', 'The older name of Enhanced, for older servers'],
	]),
	switchField('mobile', 'Mobile', false, 'Whether to fetch the page as a phone would'),
	headers,
	blockAds,
];

/** How long the service may take for a page. */
export const timeout: INodeProperties = numberField(
	'timeout',
	'Timeout (Milliseconds)',
	60_000,
	'How long Firecrawl may take for a page, with the time in its queue, 1000 to 300000 milliseconds',
	{ min: 1000, max: 300_000 },
);

/** The rare options of fetching a page. */
const rareFetch: INodeProperties[] = [
	switchField('fastMode', 'Fast Mode', false, 'Whether to fetch in a quicker, lighter way'),
	switchField(
		'lockdown',
		'Lockdown',
		false,
		'Whether to answer from the cache only and never contact the site. Costs 5 credits for each page found.',
	),
	numberField(
		'minAge',
		'Min Age (Milliseconds)',
		0,
		'Accept only a cached copy of at least this age. Without one, the page fails.',
	),
	rowsField(
		'profile',
		'Profile',
		'Set profile',
		'Browser storage (cookies, logins) that is kept between scrapes',
		[
			'profile',
			'Profile',
			[
				textField(
					'name',
					'Name',
					'Name of the profile, at most 128 characters. Scrapes with the same name share their storage.',
					{ typeOptions: { maxLength: 128 }, required: true, placeholder: 'e.g. shop-login' },
				),
				switchField(
					'saveChanges',
					'Save Changes',
					true,
					'Whether to keep what changed in the storage. Only one scrape at a time may save.',
				),
			],
		],
		{ send: 'profile' },
	),
	skipTlsVerification,
	switchField(
		'storeInCache',
		'Store in Cache',
		true,
		'Whether the page may go into the shared cache. Always off with actions or headers.',
	),
];

/** The personal data that is masked. */
export const redactPersonalData: INodeProperties = {
	displayName: 'Redact Personal Data',
	name: 'redactPII',
	type: 'collection',
	// The short form of the contract: all kinds of data, masked in the default way.
	typeOptions: { whenEmpty: true },
	placeholder: 'Add redaction option',
	default: {},
	description:
		'Mask personal data in the Markdown. Masks all kinds unless you choose some. Costs 4 more credits for each page.',
	options: [
		choicesField('entities', 'Kinds of Data', [], 'What to mask. With none chosen, all of them.', [
			['Email', 'EMAIL'],
			['Financial', 'FINANCIAL'],
			['Location', 'LOCATION'],
			['Person', 'PERSON'],
			['Phone', 'PHONE'],
			['Secret', 'SECRET'],
		]),
		choiceField('mode', 'Mode', 'accurate', 'How personal data is found', [
			['Accurate', 'accurate', 'Language model only'],
			['Aggressive', 'aggressive', 'Language model and rules'],
			['Fast', 'fast', 'Rules only'],
		]),
		choiceField('replaceStyle', 'Replace With', 'tag', 'What to put in its place', [
			['Asterisks', 'mask'],
			['Nothing', 'remove'],
			['Placeholder', 'tag', 'Names the kind of data'],
		]),
	],
	routing: { send: { type: 'body', property: 'redactPII' } },
};

/** Also an option of files. */
export const checkPromptInjection: INodeProperties = switchField(
	'checkPromptInjection',
	'Check for Prompt Injection',
	false,
	'Whether to withhold a page with orders to AI models on it. Costs 4 more credits for each page, 5 in all where it is withheld.',
);

/** The retention of data by the service. */
export const zeroDataRetention: INodeProperties = switchField(
	'zeroDataRetention',
	'Zero Data Retention',
	false,
	'Whether Firecrawl stores nothing of the pages. Must be enabled for your team. Costs 1 more credit for each page.',
);

/** Every option of the contract's shape `scrapeOptions` but the formats and the rare ones. */
const common: INodeProperties[] = [
	onlyMainContent,
	includeTags,
	excludeTags,
	...commonFetch,
	actions,
	parsers,
	location,
	timeout,
	checkPromptInjection,
];

const rare: INodeProperties[] = [
	...rareFetch,
	...rareContent,
	redactPersonalData,
	zeroDataRetention,
	threatProtection,
	auditMetadata,
];

/** The differences of an operation from the others. */
interface Deviations {
	/** Names of options that it has elsewhere, such as `zeroDataRetention` of a crawl. */
	without?: string[];
	/** Options of pages that are not sent, such as what is stored as a file. */
	more?: INodeProperties[];
	/** The options at the end of the list, behind the rare ones. */
	last?: INodeProperties[];
}

/**
 * The options of scraping pages. `parent` is where the request has these options: nothing for Scrape and Batch Scrape,
 * whose body holds them itself, `scrapeOptions` for Crawl and Search.
 */
export function scrapeOptions(
	parent?: string,
	{ without = [], more = [], last = [] }: Deviations = {},
): INodeProperties {
	const kept = (options: INodeProperties[]) => options.filter(({ name }) => !without.includes(name));
	return {
		...scrapeOptionList(...kept(common), ...more, rareOptions(...kept(rare)), ...last),
		...(parent !== undefined && { routing: { send: { type: 'body', property: parent } } }),
	};
}

/** The same list for an operation that has only some of these options, in the same order. */
export function scrapeOptionList(...options: INodeProperties[]): INodeProperties {
	return groupField(
		'scrapeOptions',
		'Page Options',
		'Add page option',
		'How each page is fetched, and which parts of it are kept',
		options,
		{ displayOptions: whereScraped },
	);
}
