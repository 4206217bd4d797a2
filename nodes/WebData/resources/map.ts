import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isJsonObject } from '../../service/http/answer';
import { remarksOf } from '../../service/results/pageErrors';
import { onePerPage } from '../../text/addressKey';
import { mapPrice } from '../cost/prices';
import {
	additionalFields,
	auditMetadata,
	location,
	maxCredits,
	optionList,
	rareOptions,
	url,
} from '../fields/basic';
import { threatProtection } from '../fields/scrape/threatProtection';
import { readCredits } from '../operation/operation';
import type { CallAnswer, CallOperation, ItemDraft, Resource } from '../operation/operation';

/** Most links of one map (operation map.map); servers of 2025 stop at 30,000. */
const MAX_LINKS = 100_000;

const maxLinks: INodeProperties = {
	displayName: 'Max Links',
	name: 'maxLinks',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_LINKS, numberPrecision: 0 },
	default: 5000,
	description: `How many URLs to return at most, 1 to ${MAX_LINKS}`,
	routing: { send: { type: 'body', property: 'limit' } },
};

const options: INodeProperties[] = [
	{
		displayName: 'Search',
		name: 'search',
		type: 'string',
		default: '',
		placeholder: 'e.g. pricing',
		description: 'Words to order the URLs by, best match first',
		routing: { send: { type: 'body', property: 'search' } },
	},
	{
		displayName: 'Sitemap',
		name: 'sitemap',
		type: 'options',
		options: [
			{ name: 'Include', value: 'include', description: 'Sitemap and links of the pages' },
			{ name: 'Only', value: 'only', description: 'URLs of the sitemap only' },
			{ name: 'Skip', value: 'skip', description: 'Links of the pages only' },
		],
		default: 'include',
		description: 'How to use the sitemap of the site',
		routing: { send: { type: 'body', property: 'sitemap' } },
	},
	{
		displayName: 'Include Subdomains',
		name: 'includeSubdomains',
		type: 'boolean',
		default: true,
		description: 'Whether to list URLs on subdomains as well',
		routing: { send: { type: 'body', property: 'includeSubdomains' } },
	},
	{
		displayName: 'Ignore Query Parameters',
		name: 'ignoreQueryParameters',
		type: 'boolean',
		default: true,
		description: 'Whether to leave out URLs with a question mark',
		routing: { send: { type: 'body', property: 'ignoreQueryParameters' } },
	},
	location,
	{
		displayName: 'Ignore Cache',
		name: 'ignoreCache',
		type: 'boolean',
		default: false,
		description: 'Whether to read the sitemap again instead of a copy that is up to 7 days old',
		routing: { send: { type: 'body', property: 'ignoreCache' } },
	},
	{
		displayName: 'Timeout (Milliseconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { numberPrecision: 0 },
		default: 60_000,
		description: 'How many milliseconds Firecrawl may take. Without this option: no limit.',
		routing: { send: { type: 'body', property: 'timeout' } },
	},
];

const mapOptions: INodeProperties = optionList(
	...options,
	maxCredits,
	rareOptions(threatProtection, auditMetadata),
	additionalFields,
);

const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'One Item per Link', value: 'links', description: 'Each URL as a separate item' },
		{ name: 'One List', value: 'list', description: 'All URLs of the site in one item' },
	],
	default: 'links',
	description: 'How to return the URLs',
};

/** One link for each page. Links are objects, or bare texts on older servers (recording map-06). */
function readLinks(links: unknown): IDataObject[] | undefined {
	if (!Array.isArray(links)) return undefined;
	const all = links
		.map((link: unknown) => (typeof link === 'string' ? { url: link } : link))
		.filter(isJsonObject)
		.map((link) => link as IDataObject);
	return onePerPage(all, (link) => String(link.url));
}

function toItems({ body, sent, values }: CallAnswer): ItemDraft[] | undefined {
	const links = readLinks(body.links);
	if (!links) return undefined;
	if (values.output !== 'list') return links.map((json) => ({ json }));
	const { id: mapId } = body;
	// Feedback takes the ID of a map (recording map-01 of 2026).
	const told = typeof mapId === 'string' ? { mapId } : {};
	const list = { site: String(sent.url), count: links.length, links, ...told };
	return [{ json: { ...list, ...remarksOf(body) } as IDataObject }];
}

/** The service sets itself no end for a map, so this waits longer than for a page. */
const DEFAULT_TIMEOUT_MS = 180_000;
const SPARE_MS = 30_000;

const mapSite: CallOperation = {
	kind: 'call',
	value: 'map',
	name: 'Map',
	action: 'Map website to list of links',
	description: 'List the URLs of a site without reading its pages',
	request: { method: 'POST', path: '/v2/map', bucket: 'map' },
	timeoutMs: ({ timeout }) =>
		typeof timeout === 'number' ? timeout + SPARE_MS : DEFAULT_TIMEOUT_MS,
	toItems,
	worstCase: mapPrice,
	usage: {
		unit: 'link',
		read: ({ body }) => ({
			amount: readLinks(body.links)?.length ?? 0,
			// A map has a price on some plans and none on others: only the service knows.
			credits: readCredits(body),
		}),
	},
	fields: [
		url(
			'Address of the site whose URLs are listed',
			'e.g. https://example.com',
			'https://example.com',
		),
		maxLinks,
		output,
		mapOptions,
	],
};

export const map: Resource = {
	value: 'map',
	name: 'Map',
	description: 'List the URLs of a site, fast and without reading its pages',
	operations: [mapSite],
};
