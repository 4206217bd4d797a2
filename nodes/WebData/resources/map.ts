import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { mapPrice } from '../../cost/prices';
import {
	additionalFields,
	auditMetadata,
	location,
	costLimits,
	optionList,
	rareOptions,
	url,
} from '../../fields/basic';
import { choiceField, numberField, switchField, textField } from '../../fields/field';
import { threatProtection } from '../../fields/scrape/threatProtection';
import type { CallAnswer, CallOperation, ItemDraft, Resource } from '../../operation/operation';
import { readCredits, unknownFields } from '../../operation/webPage';
import { isJsonObject } from '../../service/http/answer';
import { remarksOf } from '../../service/results/pageErrors';
import { mergePages } from '../../text/addresses';

/** Most links of one map (operation map.map); servers of 2025 stop at 30,000. */
const MAX_LINKS = 100_000;

const maxLinks: INodeProperties = numberField(
	'maxLinks',
	'Max Links',
	5000,
	`How many URLs to return at most, 1 to ${MAX_LINKS}`,
	{ min: 1, max: MAX_LINKS, send: 'limit' },
);

const options: INodeProperties[] = [
	textField('search', 'Search', 'Words to order the URLs by, best match first', {
		placeholder: 'e.g. pricing',
	}),
	choiceField('sitemap', 'Sitemap', 'include', 'How to use the sitemap of the site', [
		['Include', 'include', 'Sitemap and links of the pages'],
		['Only', 'only', 'URLs of the sitemap only'],
		['Skip', 'skip', 'Links of the pages only'],
	]),
	switchField('includeSubdomains', 'Include Subdomains', true, 'Whether to list URLs on subdomains as well'),
	switchField(
		'ignoreQueryParameters',
		'Ignore Query Parameters',
		true,
		'Whether to leave out URLs with a question mark',
	),
	location,
	switchField(
		'ignoreCache',
		'Ignore Cache',
		false,
		'Whether to read the sitemap again instead of a copy that is up to 7 days old',
	),
	numberField(
		'timeout',
		'Timeout (Milliseconds)',
		60_000,
		'How many milliseconds Firecrawl may take. Without this option: no limit.',
	),
];

const mapOptions: INodeProperties = optionList(
	...options,
	...costLimits,
	rareOptions(threatProtection, auditMetadata),
	additionalFields,
);

const output: INodeProperties = choiceField(
	'output',
	'Output',
	'links',
	'How to return the URLs',
	[
		['One Item per Link', 'links', 'Each URL as a separate item'],
		['One List', 'list', 'All URLs of the site in one item'],
	],
	{ send: false },
);

/** Links are objects, or bare texts on older servers (recording map-06). */
function readLinks(links: unknown): IDataObject[] | undefined {
	if (!Array.isArray(links)) return undefined;
	return links
		.map((link: unknown) => (typeof link === 'string' ? { url: link } : link))
		.filter(isJsonObject)
		.map((link) => link as IDataObject);
}

/** One link for each page, with the other addresses under which the service lists it. */
function toItems({ body, sent, values }: CallAnswer): ItemDraft[] | undefined {
	const all = readLinks(body.links);
	if (!all) return undefined;
	const drafts = mergePages(all, ({ url: address }) => (typeof address === 'string' ? address : '')).map(
		({ one, others }): ItemDraft => {
			if (others.length === 0) return { json: one };
			const merged = others.map((other) => `${other} (as ${String(one.url)})`);
			return { json: { ...one, alsoListedAs: others }, merged };
		},
	);
	if (values.output !== 'list') return drafts;
	const links = drafts.map(({ json }) => json);
	const merged = drafts.flatMap((draft) => draft.merged ?? []);
	const { id: mapId } = body;
	// Feedback takes the ID of a map (recording map-01 of 2026).
	const told = typeof mapId === 'string' ? { mapId } : {};
	const list = { site: String(sent.url), count: links.length, links, ...told };
	return [{ json: { ...list, ...remarksOf(body) } as IDataObject, merged }];
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
	timeoutMs: ({ timeout }) => (typeof timeout === 'number' ? timeout + SPARE_MS : DEFAULT_TIMEOUT_MS),
	toItems,
	notShown: ({ body }) => unknownFields(body),
	worstCase: mapPrice,
	usage: {
		unit: 'link',
		read: ({ body }) => ({
			amount: readLinks(body.links)?.length ?? 0,
			// A map has a price on some plans and none on others: only the service knows.
			credits: readCredits(body),
		}),
	},
	fields: [url('Address of the site whose URLs are listed', 'e.g. https://example.com'), maxLinks, output, mapOptions],
};

export const map: Resource = {
	value: 'map',
	name: 'Map',
	description: 'List the URLs of a site, fast and without reading its pages',
	operations: [mapSite],
};
