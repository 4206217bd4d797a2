import type { INodeProperties } from 'n8n-workflow';

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
export const rareFetch: INodeProperties[] = [
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
