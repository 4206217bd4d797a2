import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { remarksOf } from '../../../service/results/warnings';
import { onePerPage } from '../../../text/addressKey';
import { mapPrice } from '../../cost/prices';
import { mapOptions, maxLinks } from './mapOptions';
import { url } from '../../fields/basic/url';
import { readCredits } from '../../operation/webPage';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';

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

export const map: CallOperation = {
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
