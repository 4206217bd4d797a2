import type { INodeProperties } from 'n8n-workflow';
import { auditMetadata, location, rareOptions } from '../basic';
import { whereScraped } from '../formats';
import { actions } from './actions';
import { parsers } from './parsers';
import { threatProtection } from './threatProtection';

/** Which parts of a page are kept. */
export const onlyMainContent: INodeProperties = {
	displayName: 'Only Main Content',
	name: 'onlyMainContent',
	type: 'boolean',
	default: true,
	description: 'Whether to drop headers, navigation and footers',
	routing: { send: { type: 'body', property: 'onlyMainContent' } },
};

export const includeTags: INodeProperties = {
	displayName: 'Include Tags',
	name: 'includeTags',
	type: 'string',
	typeOptions: { sentAs: 'list' },
	default: '',
	placeholder: 'e.g. article, .price',
	description: 'CSS selectors of the parts to keep, separated by commas or line breaks',
	routing: { send: { type: 'body', property: 'includeTags' } },
};

export const excludeTags: INodeProperties = {
	displayName: 'Exclude Tags',
	name: 'excludeTags',
	type: 'string',
	typeOptions: { sentAs: 'list' },
	default: '',
	placeholder: 'e.g. nav, .advert',
	description: 'CSS selectors of the parts to drop, separated by commas or line breaks',
	routing: { send: { type: 'body', property: 'excludeTags' } },
};

/** Also an option of files. */
export const removeBase64Images: INodeProperties = {
	displayName: 'Remove Base64 Images',
	name: 'removeBase64Images',
	type: 'boolean',
	default: true,
	description: 'Whether to put placeholders for inline images in the Markdown',
	routing: { send: { type: 'body', property: 'removeBase64Images' } },
};

/** Which parts of a page are kept, as few need it. */
const rareContent: INodeProperties[] = [
	{
		displayName: 'Only Clean Content',
		name: 'onlyCleanContent',
		type: 'boolean',
		default: false,
		description:
			'Whether a language model also cleans up the Markdown (beta). Not with zero data retention.',
		routing: { send: { type: 'body', property: 'onlyCleanContent' } },
	},
	removeBase64Images,
];

/** Age up to which a cached copy is taken by default: 2 days. */
const DEFAULT_MAX_AGE_MS = 172_800_000;

/** Also an option of files. */
export const headers: INodeProperties = {
	displayName: 'Headers',
	name: 'headers',
	type: 'json',
	typeOptions: { sentAs: 'stringMap' },
	default: '{}',
	placeholder: 'e.g. { "Accept-Language": "de" }',
	description: 'Extra headers of the request to the page, as a JSON object of name and text',
	routing: { send: { type: 'body', property: 'headers' } },
};

/** Also an option of files. */
export const blockAds: INodeProperties = {
	displayName: 'Block Ads',
	name: 'blockAds',
	type: 'boolean',
	default: true,
	description: 'Whether to block ads and cookie banners',
	routing: { send: { type: 'body', property: 'blockAds' } },
};

/** Also an option of files. */
export const skipTlsVerification: INodeProperties = {
	displayName: 'Skip TLS Verification',
	name: 'skipTlsVerification',
	type: 'boolean',
	default: true,
	description: 'Whether to ignore certificate errors of the site',
	routing: { send: { type: 'body', property: 'skipTlsVerification' } },
};

/** How a page is fetched. */
export const commonFetch: INodeProperties[] = [
	{
		displayName: 'Extra Wait (Milliseconds)',
		name: 'waitFor',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 60_000, numberPrecision: 0 },
		default: 0,
		description:
			'How long to wait for slow pages to load before reading them, 0 to 60000 and at most half of Timeout',
		routing: { send: { type: 'body', property: 'waitFor' } },
	},
	{
		displayName: 'Max Age (Milliseconds)',
		name: 'maxAge',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: DEFAULT_MAX_AGE_MS,
		description:
			'How old a cached copy may be: 0 always fetches the page, 3600000 is 1 hour, 172800000 is 2 days. Without this option: 2 days.',
		routing: { send: { type: 'body', property: 'maxAge' } },
	},
	{
		displayName: 'Proxy',
		name: 'proxy',
		type: 'options',
		options: [
			{ name: 'Automatic', value: 'auto', description: 'Basic, then better ones when it fails' },
			{ name: 'Basic', value: 'basic' },
			{ name: 'Enhanced', value: 'enhanced', description: 'For sites that are hard to fetch' },
			{
				name: 'Stealth',
				value: 'stealth',
				description: 'The older name of Enhanced, for older servers',
			},
		],
		default: 'auto',
		description: 'Which kind of proxy to use. Firecrawl recommends Automatic.',
		routing: { send: { type: 'body', property: 'proxy' } },
	},
	{
		displayName: 'Mobile',
		name: 'mobile',
		type: 'boolean',
		default: false,
		description: 'Whether to fetch the page as a phone would',
		routing: { send: { type: 'body', property: 'mobile' } },
	},
	headers,
	blockAds,
];

/** How long the service may take for a page. */
export const timeout: INodeProperties = {
	displayName: 'Timeout (Milliseconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1000, maxValue: 300_000, numberPrecision: 0 },
	default: 60_000,
	description:
		'How long Firecrawl may take for a page, with the time in its queue, 1000 to 300000 milliseconds',
	routing: { send: { type: 'body', property: 'timeout' } },
};

/** How a page is fetched, as few need it. */
const rareFetch: INodeProperties[] = [
	{
		displayName: 'Fast Mode',
		name: 'fastMode',
		type: 'boolean',
		default: false,
		description: 'Whether to fetch in a quicker, lighter way',
		routing: { send: { type: 'body', property: 'fastMode' } },
	},
	{
		displayName: 'Lockdown',
		name: 'lockdown',
		type: 'boolean',
		default: false,
		description:
			'Whether to answer from the cache only and never contact the site. Costs 5 credits for each page found.',
		routing: { send: { type: 'body', property: 'lockdown' } },
	},
	{
		displayName: 'Min Age (Milliseconds)',
		name: 'minAge',
		type: 'number',
		typeOptions: { numberPrecision: 0 },
		default: 0,
		description: 'Accept only a cached copy of at least this age. Without one, the page fails.',
		routing: { send: { type: 'body', property: 'minAge' } },
	},
	{
		displayName: 'Profile',
		name: 'profile',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Set profile',
		description: 'Browser storage (cookies, logins) that is kept between scrapes',
		options: [
			{
				displayName: 'Profile',
				name: 'profile',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						typeOptions: { maxLength: 128 },
						default: '',
						required: true,
						placeholder: 'e.g. shop-login',
						description:
							'Name of the profile, at most 128 characters. Scrapes with the same name share their storage.',
						routing: { send: { type: 'body', property: 'name' } },
					},
					{
						displayName: 'Save Changes',
						name: 'saveChanges',
						type: 'boolean',
						default: true,
						description:
							'Whether to keep what changed in the storage. Only one scrape at a time may save.',
						routing: { send: { type: 'body', property: 'saveChanges' } },
					},
				],
			},
		],
		routing: { send: { type: 'body', property: 'profile' } },
	},
	skipTlsVerification,
	{
		displayName: 'Store in Cache',
		name: 'storeInCache',
		type: 'boolean',
		default: true,
		description:
			'Whether the page may go into the shared cache. Always off with actions or headers.',
		routing: { send: { type: 'body', property: 'storeInCache' } },
	},
];

/** What is masked. */
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
		{
			displayName: 'Kinds of Data',
			name: 'entities',
			type: 'multiOptions',
			options: [
				{ name: 'Email', value: 'EMAIL' },
				{ name: 'Financial', value: 'FINANCIAL' },
				{ name: 'Location', value: 'LOCATION' },
				{ name: 'Person', value: 'PERSON' },
				{ name: 'Phone', value: 'PHONE' },
				{ name: 'Secret', value: 'SECRET' },
			],
			default: [],
			description: 'What to mask. With none chosen, all of them.',
			routing: { send: { type: 'body', property: 'entities' } },
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{ name: 'Accurate', value: 'accurate', description: 'Language model only' },
				{ name: 'Aggressive', value: 'aggressive', description: 'Language model and rules' },
				{ name: 'Fast', value: 'fast', description: 'Rules only' },
			],
			default: 'accurate',
			description: 'How personal data is found',
			routing: { send: { type: 'body', property: 'mode' } },
		},
		{
			displayName: 'Replace With',
			name: 'replaceStyle',
			type: 'options',
			options: [
				{ name: 'Asterisks', value: 'mask' },
				{ name: 'Nothing', value: 'remove' },
				{ name: 'Placeholder', value: 'tag', description: 'Names the kind of data' },
			],
			default: 'tag',
			description: 'What to put in its place',
			routing: { send: { type: 'body', property: 'replaceStyle' } },
		},
	],
	routing: { send: { type: 'body', property: 'redactPII' } },
};

/** What is kept by the service. */
export const zeroDataRetention: INodeProperties = {
	displayName: 'Zero Data Retention',
	name: 'zeroDataRetention',
	type: 'boolean',
	default: false,
	description:
		'Whether Firecrawl stores nothing of the pages. Must be enabled for your team. Costs 1 more credit for each page.',
	routing: { send: { type: 'body', property: 'zeroDataRetention' } },
};

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
];

const rare: INodeProperties[] = [
	...rareFetch,
	...rareContent,
	redactPersonalData,
	zeroDataRetention,
	threatProtection,
	auditMetadata,
];

/** What an operation has otherwise than the others. */
interface Deviations {
	/** Names of options that it has elsewhere, such as `zeroDataRetention` of a crawl. */
	without?: string[];
	/** Options of pages that are not sent, such as what is stored as a file. */
	more?: INodeProperties[];
	/** What stands at the end of the list, behind the rare options. */
	last?: INodeProperties[];
}

/**
 * How pages are scraped. `parent` is where the request has these options: nothing for Scrape and Batch
 * Scrape, whose body holds them itself, `scrapeOptions` for Crawl and Search.
 */
export function scrapeOptions(
	parent?: string,
	{ without = [], more = [], last = [] }: Deviations = {},
): INodeProperties {
	const kept = (options: INodeProperties[]) =>
		options.filter(({ name }) => !without.includes(name));
	return {
		...scrapeOptionList(...kept(common), ...more, rareOptions(...kept(rare)), ...last),
		...(parent !== undefined && { routing: { send: { type: 'body', property: parent } } }),
	};
}

/** The same list for an operation that has only some of these options, in the same order. */
export function scrapeOptionList(...options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Page Options',
		name: 'scrapeOptions',
		type: 'collection',
		placeholder: 'Add page option',
		default: {},
		description: 'How each page is fetched, and which parts of it are kept',
		displayOptions: whereScraped,
		options,
	};
}
