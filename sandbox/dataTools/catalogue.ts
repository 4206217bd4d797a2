/** The catalogue of data tools as the service shows it. No recordings: docs/reference/service-notes.md#data-tools. */
import { z } from 'zod/v4';
import { TOOLS } from './tools.ts';
import type { DataTool } from './tools.ts';

const names = z.array(z.string()).min(1).max(50).optional();

/** What find-tools may be asked with. */
export const findOptions = z
	.object({
		query: z.string().min(1).max(2000).optional(),
		urls: z.array(z.string()).min(1).max(100).optional(),
		providers: names,
		categories: names,
		groups: names,
		capabilities: names,
		level: z.enum(['categories', 'providers', 'groups', 'tools']).optional(),
		expand: z.array(z.enum(['options', 'response', 'examples'])).optional(),
		limit: z.number().int().min(1).max(100).optional(),
		offset: z.number().int().min(0).default(0),
	})
	.strict()
	.refine(
		({ level, query, urls, providers, categories, groups, capabilities }) =>
			level !== 'categories' || !(query ?? urls ?? providers ?? categories ?? groups ?? capabilities),
		'The level categories takes limit and offset only',
	);

type FindOptions = z.output<typeof findOptions>;
type Level = NonNullable<FindOptions['level']>;

const CALL = { provider: 'firecrawl', capability: 'find-tools' };

/** Elements of a page where nobody says how many. */
const PAGE = 4;

/** Does a list of names, if it is given, hold this one? */
const allows = (wanted: string[] | undefined, name: string): boolean => !wanted || wanted.includes(name);

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** Does a word of the query stand in what is said of the tool? */
function isAbout({ name, description }: DataTool, query: string): boolean {
	const words = query.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
	return words.some((word) => `${name} ${description}`.toLowerCase().includes(word));
}

function matches(tool: DataTool, { query, providers, categories, groups, capabilities, urls }: FindOptions): boolean {
	if (query !== undefined && !isAbout(tool, query)) return false;
	const isNamed = allows(providers, tool.provider) && allows(capabilities, tool.capability);
	const isOfKind = allows(categories, tool.category) && allows(groups, tool.group);
	return isNamed && isOfKind && (!urls || urls.some((url) => tool.hosts.includes(hostOf(url))));
}

/** Nothing asked: the categories. A category: its providers. A provider or anything narrower: its tools. */
function usualLevel({ query, categories, providers, groups, capabilities, urls }: FindOptions): Level {
	if (query || providers || groups || capabilities || urls) return 'tools';
	return categories ? 'providers' : 'categories';
}

const KEY_OF = { categories: 'category', providers: 'provider', groups: 'group' } as const;

function itemsOf(level: Level, tools: DataTool[], expand: FindOptions['expand'] = []): Array<Record<string, unknown>> {
	if (level !== 'tools') {
		const ids = [...new Set(tools.map((tool) => tool[KEY_OF[level]]))];
		return ids.map((id) => ({ id, name: titleOf(id), next: { ...CALL, options: { [level]: [id] } } }));
	}
	return tools.map((tool) => toolOf(tool, expand));
}

/** A tool as the catalogue shows it. */
function toolOf(tool: DataTool, expand: NonNullable<FindOptions['expand']>): Record<string, unknown> {
	const { provider, capability, name, description, creditsCost, perRecord, requiresOneOf } = tool;
	const call = { provider, capability };
	return {
		id: `${provider}/${capability}`,
		...call,
		name,
		description,
		creditsCost,
		...(perRecord && { perRecord }),
		execute: call,
		...(expand.includes('options') && { options: tool.options, ...(requiresOneOf && { requiresOneOf }) }),
		...(expand.includes('response') && { response: tool.response }),
		...(expand.includes('examples') && { examples: [{ ...call, options: tool.example }] }),
	};
}

/** What a search and a scrape may ask of tools beside their results. */
export const toolFields = {
	domainTools: z.boolean().optional(),
	toolDetail: z.enum(['compact', 'summary', 'full']).optional(),
};

/** Tools that fit a query by its words, or know something about one of these addresses. */
export function fittingTools(
	{ query = '', urls = [] }: { query?: string; urls?: string[] },
	detail: 'compact' | 'summary' | 'full',
): Array<Record<string, unknown>> {
	const fits = (tool: DataTool): boolean =>
		isAbout(tool, query) || urls.some((url) => tool.hosts.includes(hostOf(url)));
	return TOOLS.filter(fits).map((tool) => {
		const { name, description, ...compact } = toolOf(tool, []);
		if (detail === 'compact') return compact;
		return detail === 'full' ? toolOf(tool, ['options', 'response', 'examples']) : { ...compact, name, description };
	});
}

/** `open-registry` as `Open registry`. */
const titleOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ');

/** A page of the catalogue, with the call for the next one. */
export function findTools(options: FindOptions): Record<string, unknown> {
	const { level = usualLevel(options), limit = PAGE, offset } = options;
	const all = itemsOf(
		level,
		TOOLS.filter((tool) => matches(tool, options)),
		options.expand,
	);
	const end = offset + limit;
	const next = end < all.length ? { next: { ...CALL, options: { ...options, level, offset: end } } } : {};
	return { level, items: all.slice(offset, end), total: all.length, ...next };
}
