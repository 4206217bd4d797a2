import fc from 'fast-check';
import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { readProperties } from '../../nodes/WebData/properties.ts';
import { resources } from '../../nodes/WebData/resources/index.ts';
import { Chance } from './chance.ts';
import { randomSettings } from './randomSettings.ts';

const properties = readProperties();
const description = { name: 'webData', properties } as unknown as INodeTypeDescription;
const nodeWith = (parameters: INodeParameters): INode => ({
	id: '1',
	name: 'Web Data',
	type: 'webData',
	typeVersion: 1,
	position: [0, 0],
	parameters,
});

const operations = resources.flatMap(({ value, operations: own }) =>
	own.map((operation) => [value, operation.value, operation.fields] as const),
);

/** Settings as the panel makes them: a switch is on or off, not a text that an expression gives, a choice never empty. */
function settingsInPanel(seed: number, fields: INodeProperties[]): INodeParameters {
	const { given } = randomSettings(new Chance(seed), fields);
	const switches = fields.filter(({ type, name }) => type === 'boolean' && name in given);
	const set = switches.map(({ name }) => [name, String(given[name]) === 'true']);
	const choices = fields.filter(({ type, name }) => type === 'options' && name in given);
	const chosen = choices.map((field) => [field.name, choiceOf(field, given[field.name])]);
	return { ...given, ...Object.fromEntries([...set, ...chosen]) } as INodeParameters;
}

/** The choice of the panel that a text stands for; its default for none. */
function choiceOf({ options = [], default: byDefault }: INodeProperties, given: unknown): unknown {
	const values = options.map((option) => ('value' in option ? option.value : undefined));
	return values.find((value) => String(value) === given) ?? byDefault;
}

/** What n8n shows of the properties at these values, as a person sees it: no conditions, no routing. */
function shown(list: INodeProperties[], values: INodeParameters, root: INodeParameters): unknown[] {
	return list
		.filter((one) => NodeHelpers.displayParameter(values, one, nodeWith(root), description, root))
		.map((one) => {
			const { options = [], ...rest } = one;
			const looks = { ...rest, displayOptions: undefined, routing: undefined };
			if (one.type === 'collection') {
				const inner = (values[one.name] ?? {}) as INodeParameters;
				return { ...looks, options: shown(options as INodeProperties[], inner, root) };
			}
			const isList = one.type === 'fixedCollection';
			return { ...looks, options: isList ? withoutRouting(options) : options };
		});
}

function withoutRouting(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value, (name, one: unknown) => (name === 'routing' ? undefined : one)));
}

describe.each(operations)('%s %s', (resource, operation, fields) => {
	it('shows its own fields, in its own order, and no others', () => {
		fc.assert(
			fc.property(fc.nat(), (seed) => {
				const values = { resource, operation, ...settingsInPanel(seed, fields) };
				const isChooser = ({ name }: INodeProperties) => ['resource', 'operation'].includes(name);
				const panel = properties.filter((one) => !isChooser(one));
				expect(shown(panel, values, values)).toEqual(shown(fields, values, values));
			}),
			{ numRuns: 20, endOnFailure: true },
		);
	});

	it('gets from n8n what was set for each of its fields', () => {
		fc.assert(
			fc.property(fc.nat(), (seed) => {
				const values = { resource, operation, ...settingsInPanel(seed, fields) };
				const node = nodeWith(values);
				const read = (list: INodeProperties[]) =>
					NodeHelpers.getNodeParameters(list, values, true, false, node, description);
				expect(read(properties)).toEqual({ resource, operation, ...read(fields) });
			}),
			{ numRuns: 20, endOnFailure: true },
		);
	});
});

describe('what operations have in common', () => {
	const everything = JSON.stringify(properties);

	it.each(['Only Main Content', 'Redact Personal Data', 'Check for Prompt Injection'])(
		'%s stands in the panel once',
		(label) => {
			const copies = everything.split(`"displayName":${JSON.stringify(label)}`).length - 1;
			expect(copies).toBe(1);
		},
	);

	it('is kept when the operation is switched', () => {
		const set = {
			formats: ['markdown', 'screenshot'],
			screenshotOptions: { fullPage: true },
			scrapeOptions: {
				onlyMainContent: false,
				rareOptions: { lockdown: true, zeroDataRetention: true },
			},
		};
		const scrape = { resource: 'page', operation: 'scrape', url: 'https://a.example', ...set };
		const crawl = { ...scrape, resource: 'crawl', operation: 'start' };
		const kept = NodeHelpers.getNodeParameters(properties, crawl, true, false, nodeWith(crawl), description);
		expect(kept).toMatchObject({
			url: 'https://a.example',
			formats: set.formats,
			screenshotOptions: set.screenshotOptions,
			scrapeOptions: { onlyMainContent: false, rareOptions: { lockdown: true } },
		});
		expect(JSON.stringify(kept)).not.toContain('zeroDataRetention');
	});
});

it('n8n’s editor empties no group and no list when resource or operation change', () => {
	const emptied = properties.filter(
		({ type, displayOptions }) =>
			['collection', 'fixedCollection', 'multiOptions'].includes(type) &&
			(displayOptions?.show?.resource ?? displayOptions?.show?.operation) !== undefined,
	);
	expect(emptied.map(({ name }) => name)).toEqual([]);
});

it.each(resources.flatMap(({ operations: own }) => own).map((one) => [one.action, one] as const))(
	'%s: takes additional fields exactly when its request has a body',
	(_action, { request, fields }) => {
		const isBodyRead = request.path !== '/v2/monitor/{monitorId}/run';
		const hasBody = isBodyRead && ['POST', 'PUT', 'PATCH'].includes(request.method);
		expect(JSON.stringify(fields).includes('"additionalFields"')).toBe(hasBody);
	},
);

it.each(operations)('%s %s: has no list of options that offers nothing', (_one, _other, fields) => {
	for (const waitForCompletion of [true, false]) {
		const values = { waitForCompletion, output: 'pages' };
		const lists = shown(fields, values, values) as INodeProperties[];
		const empty = lists.filter(({ type, options }) => type === 'collection' && !options?.length);
		expect(empty.map(({ displayName }) => displayName)).toEqual([]);
	}
});

it('advises operations that are there for the result of a job or a call', () => {
	const names = resources.flatMap(({ name, operations }) => operations.map((one) => `${name} · ${one.name}`));
	const advised = resources.flatMap(({ operations }) =>
		operations.flatMap((one) => {
			if (one.kind === 'startJob' || one.kind === 'getJob') return one.result.collectWith;
			return one.kind === 'call' && one.recall ? one.recall.collectWith : [];
		}),
	);
	expect(advised.length).toBeGreaterThan(10);
	expect(advised.filter((one) => !names.includes(one))).toEqual([]);
});
