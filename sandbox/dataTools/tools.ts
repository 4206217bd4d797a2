/** The tools that there are, and what each answers. All of it is invented. */

interface ToolOption {
	name: string;
	type: string;
	required?: true;
	description?: string;
}

export interface DataTool {
	provider: string;
	capability: string;
	category: string;
	group: string;
	name: string;
	description: string;
	creditsCost: number;
	/** The price is for each record. */
	perRecord?: true;
	/** Hosts that it knows something about. */
	hosts: string[];
	options: ToolOption[];
	requiresOneOf?: string[][];
	response: { about: string; key?: string; fields: Array<{ name: string; type: string }> };
	example: Record<string, unknown>;
	/** An admin of the organization must accept these first. */
	terms?: { terms: string; version: string; url: string };
	run(options: Record<string, unknown>): ToolAnswer;
}

/** Data, or a failure of the provider; `isCharged`: after the credits were taken. */
type ToolAnswer =
	{ data: unknown } | { error: { code: string; message: string; status?: number }; isCharged?: boolean };

const COMPANIES = [
	{ name: 'Kestrel Couriers', country: 'NO', founded: 2011, employees: 48 },
	{ name: 'Tern Logistics', country: 'NO', founded: 1998, employees: 310 },
	{ name: 'Oriole Cargo', country: 'DE', founded: 2019, employees: 22 },
];

const matchesText = (text: string, part: unknown): boolean => text.toLowerCase().includes(String(part).toLowerCase());

/** A page of offers of a shop, which costs by its size. */
const offersOf = (count: number): Array<Record<string, unknown>> =>
	Array.from({ length: count }, (_none, index) => ({ shop: `Shop ${index + 1}`, price: 900 + 10 * index }));

const companyFields = [
	{ name: 'name', type: 'string' },
	{ name: 'country', type: 'string' },
	{ name: 'founded', type: 'number' },
	{ name: 'employees', type: 'number' },
];

export const TOOLS: DataTool[] = [
	{
		provider: 'open-registry',
		capability: 'company-profile',
		category: 'companies',
		group: 'registry',
		name: 'Company profile',
		description: 'The entry of one company in the register',
		creditsCost: 5,
		hosts: ['example.com'],
		options: [
			{ name: 'name', type: 'string', required: true, description: 'Name of the company' },
			{ name: 'country', type: 'string', description: 'Two-letter code' },
			{ name: 'year', type: 'integer' },
			{ name: 'withOwners', type: 'boolean' },
			{ name: 'fields', type: 'array' },
			{ name: 'filter', type: 'object' },
			{ name: 'asOf', type: 'iso-date' },
		],
		response: { about: 'A company', fields: companyFields },
		example: { name: 'Kestrel Couriers', country: 'NO' },
		run({ name, withOwners }) {
			// Providers fail in two ways: before and after the service has taken the credits.
			if (name === 'Late Ltd') {
				const error = { code: 'UPSTREAM_TIMEOUT', message: 'The register did not answer in time', status: 504 };
				return { error, isCharged: true };
			}
			const found = COMPANIES.find((one) => matchesText(one.name, name));
			if (found) return { data: { ...found, ...(withOwners === true && { owners: ['A. Kestrel'] }) } };
			return { error: { code: 'NOT_FOUND', message: 'No company of that name', status: 404 } };
		},
	},
	{
		provider: 'open-registry',
		capability: 'company-search',
		category: 'companies',
		group: 'registry',
		name: 'Company search',
		description: 'Companies by a part of their name',
		creditsCost: 2,
		perRecord: true,
		hosts: ['example.com'],
		options: [
			{ name: 'query', type: 'string', required: true },
			{ name: 'limit', type: 'integer' },
		],
		response: { about: 'Companies', fields: companyFields },
		example: { query: 'courier', limit: 10 },
		run({ query, limit }) {
			const found = COMPANIES.filter(({ name }) => matchesText(name, query));
			return { data: typeof limit === 'number' ? found.slice(0, limit) : found };
		},
	},
	{
		provider: 'price-watch',
		capability: 'offers',
		category: 'prices',
		group: 'offers',
		name: 'Offers of a product',
		description: 'What shops ask for a product today',
		creditsCost: 3,
		hosts: ['example.com', 'shop.example'],
		options: [
			{ name: 'url', type: 'string' },
			{ name: 'ean', type: 'string' },
		],
		requiresOneOf: [['url'], ['ean']],
		response: {
			about: 'Offers',
			key: 'offers',
			fields: [
				{ name: 'shop', type: 'string' },
				{ name: 'price', type: 'number' },
			],
		},
		example: { ean: '4006381333931' },
		run({ url, ean }) {
			if (url !== undefined || ean !== undefined) return { data: { offers: offersOf(2) } };
			return { error: { code: 'INVALID_OPTIONS', message: 'One of url and ean is needed', status: 400 } };
		},
	},
	{
		provider: 'price-watch',
		capability: 'currencies',
		category: 'prices',
		group: 'rates',
		name: 'Currencies',
		description: 'The currencies that offers are in',
		creditsCost: 1,
		hosts: [],
		options: [],
		response: { about: 'Codes', fields: [] },
		example: {},
		run: () => ({ data: ['NOK', 'EUR'] }),
	},
	{
		provider: 'people-index',
		capability: 'work-history',
		category: 'people',
		group: 'profiles',
		name: 'Work history',
		description: 'Where somebody has worked',
		creditsCost: 12,
		hosts: [],
		options: [{ name: 'profile', type: 'string', required: true }],
		response: { about: 'Positions', key: 'positions', fields: [{ name: 'company', type: 'string' }] },
		example: { profile: 'https://example.com/people/1' },
		terms: { terms: 'People Index data terms', version: '2026-09', url: 'https://www.firecrawl.dev/app/data-terms' },
		run: () => ({ data: { positions: [] } }),
	},
];
