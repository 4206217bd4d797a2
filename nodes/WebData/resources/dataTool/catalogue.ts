import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { additionalFields, optionList, returnAllOrLimit } from '../../../fields/basic';
import { choiceField, choicesField, textField } from '../../../fields/field';
import { toolEntry } from '../../../operation/dataTools';
import { choiceOf } from '../../../operation/operation';
import type { ListOperation } from '../../../operation/operation';
import { isJsonObject } from '../../../service/http/answer';
import { ServiceFailure, asSentence, shorten } from '../../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { ListPaging } from '../../../service/results/listParts';
import { count } from '../../../text/amounts';
import { isText, textOf } from '../../../text/values';
import { explainRefusal } from './refusals';

/** A look into the catalogue, which is a tool itself and costs nothing (docs/reference/service-notes.md#data-tools). */
const inCatalogue = (options: JsonObject) => ({
	method: 'POST' as const,
	path: '/v2/scrape',
	body: {
		alexandria: {
			provider: 'firecrawl',
			capability: 'find-tools',
			...(Object.keys(options).length > 0 && { options }),
		},
	},
	bucket: 'scrape' as const,
	isRead: true as const,
	needsKey: true as const,
});

/** The one element of an answer to one call; undefined when there is none. */
export function elementIn({ data }: JsonObject): JsonObject | undefined {
	const { alexandria } = isJsonObject(data) ? data : {};
	const [element] = [alexandria].flat();
	return isJsonObject(element) ? element : undefined;
}

interface CataloguePage {
	level: string;
	items: JsonObject[];
	/** What to ask for to get the next one; undefined for the last. */
	next: JsonObject | undefined;
}

/** A page of the catalogue; undefined where the answer holds none. Throws a ServiceFailure where it says why. */
function pageIn(answer: JsonObject): CataloguePage | undefined {
	const { data, error } = elementIn(answer) ?? {};
	if (isJsonObject(error)) {
		const said = [error.message, error.code].filter(isText).join(', ') || 'without a reason';
		const message = asSentence(`The catalogue of data tools could not be read: ${shorten(said)}`);
		throw new ServiceFailure({ kind: 'http', mayHaveExecuted: true, message });
	}
	if (!isJsonObject(data) || !Array.isArray(data.items)) return undefined;
	const { level, items, next } = data;
	// Of the call for the next page only what it asks for: who is called, and so what that costs, is not the server's choice.
	const options = isJsonObject(next) ? next.options : undefined;
	return { level: textOf(level), items: items.filter(isJsonObject), next: isJsonObject(options) ? options : undefined };
}

/** The entries of a page; those that are no tools say at which level they stand. */
function readEntries(answer: JsonObject): IDataObject[] | undefined {
	const page = pageIn(answer);
	const level = !page || page.level === '' || page.level === 'tools' ? {} : { level: page.level };
	return page?.items.map((item) => ({ ...level, ...toolEntry(item) }));
}

const paging: ListPaging = {
	query: {},
	next: (answer) => pageIn(answer)?.next,
	at: withOptions,
};

/** The same request of the catalogue with further options. */
function withOptions(request: ServiceRequest, more: JsonObject): ServiceRequest {
	const call = isJsonObject(request.body?.alexandria) ? request.body.alexandria : {};
	const before = isJsonObject(call.options) ? call.options : {};
	return { ...request, body: { ...request.body, alexandria: { ...call, options: { ...before, ...more } } } };
}

/** All categories are listed whatever else is asked for: the service refuses it. */
const notOfCategories = { displayOptions: { hide: { '/level': ['categories'] } } };

/** A text with commas, sent as a list of the catalogue's options. */
function listField(name: string, displayName: string, description: string, placeholder: string): INodeProperties {
	const send = `alexandria.options.${name}`;
	return textField(name, displayName, description, {
		typeOptions: { sentAs: 'list', maxItems: 50 },
		...notOfCategories,
		placeholder,
		send,
	});
}

const FIELDS: INodeProperties[] = [
	choiceField(
		'level',
		'Show',
		'tools',
		'What to list of the catalogue',
		[
			['Categories', 'categories', 'What kinds of data there are'],
			['Groups', 'groups', 'Groups of tools'],
			['Providers', 'providers', 'Who offers data'],
			['Tools', 'tools', 'Each tool with its provider, capability, price, inputs and what it returns'],
		],
		{ required: true, send: 'alexandria.options.level' },
	),
	textField(
		'query',
		'Search For',
		'What the data is about, in plain words, at most 2000 characters. Empty: anything.',
		{
			typeOptions: { maxLength: 2000 },
			...notOfCategories,
			placeholder: 'e.g. owners of a company in Norway',
			send: 'alexandria.options.query',
		},
	),
	listField(
		'categories',
		'Categories',
		'Categories to look in, as the catalogue names them, separated by commas, at most 50. Empty: all.',
		'e.g. companies, prices',
	),
	textField('urls', 'URLs', 'Addresses that the data is about, one per line, at most 100. Empty: any.', {
		typeOptions: { sentAs: 'urls', rows: 2, maxItems: 100 },
		...notOfCategories,
		placeholder: 'e.g. https://example.com',
		send: 'alexandria.options.urls',
	}),
	listField(
		'providers',
		'Providers',
		'Providers whose tools to list, separated by commas, at most 50. Empty: all.',
		'e.g. open-registry',
	),
	choicesField(
		'expand',
		'Details',
		['options', 'response'],
		'What to tell of each tool beside its name, description and price',
		[
			['Examples', 'examples', 'Example calls'],
			['Inputs', 'options', 'The inputs that it takes, with their types'],
			['Results', 'response', 'The fields that it returns'],
		],
		{ required: true, displayOptions: { show: { level: ['tools'] } }, send: 'alexandria.options.expand' },
	),
	...returnAllOrLimit,
	optionList(
		listField(
			'capabilities',
			'Capabilities',
			'Names of tools, separated by commas, at most 50',
			'e.g. company-profile',
		),
		listField('groups', 'Groups', 'Groups of tools, separated by commas, at most 50', 'e.g. registry'),
		additionalFields,
	),
];

export const find: ListOperation = {
	kind: 'list',
	value: 'find',
	name: 'Find',
	action: 'Find data tools',
	description: 'See which tools there are, what they cost, take and return. Free.',
	request: inCatalogue({}),
	unit: 'entry of the catalogue',
	readList: readEntries,
	paging,
	explain: explainRefusal,
	fields: FIELDS,
};

/** The providers, as choices. */
export const providerList: ListOperation = {
	...find,
	value: 'providers',
	unit: 'provider',
	request: inCatalogue({ level: 'providers' }),
	choices: { of: ({ id, name, provider }) => choiceOf({ id: isText(provider) ? provider : id }, name) },
	fields: [],
};

/** The tools of the chosen provider, as choices with their prices. */
export const toolList: ListOperation = {
	...find,
	value: 'tools',
	unit: 'tool',
	request: inCatalogue({ level: 'tools' }),
	choices: {
		about: {
			names: ['provider'],
			body: ({ provider }) => ({ alexandria: { options: { providers: [provider] } } }),
		},
		of: ({ capability, name, creditsCost, perRecord }) =>
			choiceOf({ id: capability }, isText(name) ? name : capability, priceText(creditsCost, perRecord)),
	},
	fields: [],
};

function priceText(creditsCost: unknown, perRecord: unknown): string | undefined {
	if (typeof creditsCost !== 'number') return undefined;
	return `${count(creditsCost, 'credit')}${perRecord === true ? ' a record' : ''}`;
}

/** Asks for all that the catalogue has of one tool. */
export const contractRequest = ({ provider, capability }: JsonObject): ServiceRequest =>
	inCatalogue({
		level: 'tools',
		providers: [provider],
		capabilities: [capability],
		expand: ['options', 'response', 'examples'],
	});

/** The one tool of these names in the answer; undefined where it is not there. Throws as pageIn. */
export function contractIn(answer: JsonObject, values: JsonObject): IDataObject | undefined {
	return contractsIn(answer, values)[0];
}

/** All entries of one tool. */
export function contractsIn(answer: JsonObject, { provider, capability }: JsonObject): IDataObject[] {
	return readEntries(answer)?.filter((tool) => tool.provider === provider && tool.capability === capability) ?? [];
}
