import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { dataToolPrice } from '../../../cost/prices';
import { additionalFields, fromList, costLimits, optionList } from '../../../fields/basic';
import { choiceField, jsonField, numberField, textField } from '../../../fields/field';
import { toolName } from '../../../operation/dataTools';
import type { CallAnswer, CallOperation, Explained, ItemDraft, Resource } from '../../../operation/operation';
import { isJsonObject } from '../../../service/http/answer';
import { asSentence, refusedInput, shorten } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { trimEnd } from '../../../text/ends';
import { isText } from '../../../text/values';
import { contractRequest, contractsIn, elementIn, find, providerList, toolList } from './catalogue';
import { inputFields } from './inputFields';
import { explainRefusal } from './refusals';

/** The server caps the work of a request at so much (docs/reference/service-notes.md#data-tools). */
const MAX_TIMEOUT_MS = 50_000;

/** Most bytes of the inputs of a request. */
const MAX_INPUT_BYTES = 256 * 1024;

/** The service's own time-out must come first: its answer says what happened. */
const SPARE_MS = 30_000;

const inputsAs: INodeProperties = choiceField(
	'inputsAs',
	'Inputs As',
	'fields',
	'How to give the inputs of the tool',
	[
		['Fields', 'fields', 'One field for each input, by the tool’s own list'],
		['JSON', 'json', 'All inputs as one JSON object, also those beyond the 200 that the list shows'],
	],
	{ send: false },
);

const inputs: INodeProperties = {
	displayName: 'Inputs',
	name: 'inputs',
	type: 'resourceMapper',
	default: { mappingMode: 'defineBelow', value: null },
	description: 'What the tool is to work with. An expression can give an object with the inputs by name.',
	displayOptions: { show: { inputsAs: ['fields'] } },
	typeOptions: {
		maxJsonBytes: MAX_INPUT_BYTES,
		loadOptionsDependsOn: ['provider.value', 'capability.value'],
		resourceMapper: {
			resourceMapperMethod: 'dataToolInputs',
			mode: 'add',
			fieldWords: { singular: 'input', plural: 'inputs' },
			addAllFields: false,
			valuesLabel: 'Inputs',
			supportAutoMap: false,
			noFieldsError: 'Choose a provider and a tool first, or give the inputs as JSON.',
		},
	},
	routing: { send: { type: 'body', property: 'alexandria.options' } },
};

const inputsJson: INodeProperties = jsonField(
	'inputsJson',
	'Inputs (JSON)',
	'{}',
	'The inputs of the tool as a JSON object, by the names that Data Tool · Find shows in "options"',
	{
		displayOptions: { show: { inputsAs: ['json'] } },
		typeOptions: { maxJsonBytes: MAX_INPUT_BYTES },
		placeholder: 'e.g. { "name": "Acme", "country": "NO" }',
		send: 'alexandria.options',
	},
);

const output: INodeProperties = choiceField(
	'output',
	'Output',
	'call',
	'What to return for each call',
	[
		['One Item per Call', 'call', 'The whole answer of the tool, with its price, as one item'],
		['One Item per Record', 'records', 'Each record as a separate item, where the tool answers with a list'],
	],
	{ send: false },
);

const FIELDS: INodeProperties[] = [
	fromList(
		textField('provider', 'Provider', 'Who offers the data, as Data Tool · Find names it (provider)', {
			required: true,
			placeholder: 'e.g. open-registry',
			send: 'alexandria.provider',
		}),
		'dataToolProviders',
	),
	fromList(
		textField('capability', 'Tool', 'What to run, as Data Tool · Find names it (capability)', {
			required: true,
			placeholder: 'e.g. company-profile',
			send: 'alexandria.capability',
		}),
		'dataToolTools',
	),
	inputsAs,
	inputs,
	inputsJson,
	output,
	optionList(
		numberField(
			'timeout',
			'Timeout (Milliseconds)',
			30_000,
			`How many milliseconds the tool may take. Firecrawl stops it after ${MAX_TIMEOUT_MS} in any case.`,
			{ min: 1 },
		),
		...costLimits,
		numberField(
			'maxRecords',
			'Max Records',
			100,
			'How many records the inputs let the tool return at most. Not sent: Max Credits counts with it where each record costs.',
			{ min: 1, send: false },
		),
		textField(
			'version',
			'Version',
			'Version of the tool, such as 1.2.0, at most 128 characters. Without this option: the newest.',
			{
				typeOptions: { maxLength: 128 },
				placeholder: 'e.g. 1.2.0',
				send: 'alexandria.version',
			},
		),
		additionalFields,
	),
];

/** The records of an answer, where it is a list; undefined where it is not. */
function recordsIn({ data, records }: JsonObject): unknown[] | undefined {
	return [data, records].find((one) => Array.isArray(one));
}

function toItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	const element = elementIn(body);
	if (!element || !('data' in element || 'records' in element)) return undefined;
	const records = values.output === 'records' ? recordsIn(element) : undefined;
	if (records) {
		return records.map((record) => ({ json: (isJsonObject(record) ? record : { value: record }) as IDataObject }));
	}
	const { provider = values.provider, capability = values.capability, ...answer } = element;
	const scrapeId = body.scrape_id;
	return [{ json: { provider, capability, ...answer, ...(isText(scrapeId) && { scrapeId }) } as IDataObject }];
}

/** The failure of the provider, in its own words, and whether it was charged (docs/reference/service-notes.md#data-tools). */
function failureIn({ body, values }: CallAnswer): (Explained & { isPaid: boolean }) | undefined {
	const { error } = elementIn(body) ?? {};
	if (!isJsonObject(error)) return undefined;
	const { code, message, status, chargeId } = error;
	const isPaid = isCharged(error);
	const name = toolName(values);
	const facts = [code, typeof status === 'number' && `HTTP ${status}`].filter(isText).map((fact) => shorten(fact, 80));
	const said = shorten(isText(message) ? message : 'it does not say why');
	const told = asSentence(
		`${name} failed: ${trimEnd(said, /[.\s]/)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`,
	);
	const cost = isPaid
		? `Firecrawl had charged for it by then (charge ${shorten(String(chargeId), 80)}), so no retry of this execution sends it again: a new execution does.`
		: 'Nothing was charged, and a retry asks again.';
	return {
		title: shorten(`${name} failed`, 140),
		message: `${told} ${cost}`,
		details: {
			...(isText(code) && { code }),
			...(typeof status === 'number' && { status }),
			...(isPaid && { chargeId: shorten(String(chargeId), 80) }),
		} as IDataObject,
		isPaid,
	};
}

/** What it has cost: `creditsCost` of the answer is the sum of its elements. A failure without a charge costs nothing. */
function creditsIn(body: JsonObject): number | undefined {
	const { creditsCost } = isJsonObject(body.data) ? body.data : {};
	if (typeof creditsCost === 'number' && creditsCost >= 0) return creditsCost;
	const { error } = elementIn(body) ?? {};
	return isJsonObject(error) && !isCharged(error) ? 0 : undefined;
}

/** Credits were taken before it failed. */
const isCharged = ({ chargeId }: JsonObject): boolean => isText(chargeId) || typeof chargeId === 'number';

export const run: CallOperation = {
	kind: 'call',
	value: 'run',
	name: 'Run',
	action: 'Run data tool',
	description: 'Get data from a provider. Costs what the tool says; look first with Find.',
	request: { method: 'POST', path: '/v2/scrape', bucket: 'scrape', needsKey: true },
	isPaidOnceById: true,
	timeoutMs: ({ timeout }) =>
		(typeof timeout === 'number' ? Math.min(timeout, MAX_TIMEOUT_MS) : MAX_TIMEOUT_MS) + SPARE_MS,
	toItems,
	failureIn,
	explain: explainRefusal,
	usage: {
		unit: 'record',
		read: ({ body }) => {
			const element = elementIn(body) ?? {};
			return { amount: recordsIn(element)?.length ?? 1, credits: creditsIn(body) };
		},
	},
	worstCase: dataToolPrice,
	price: {
		request: contractRequest,
		read(answer, values) {
			const { maxRecords } = isJsonObject(values.options) ? values.options : {};
			const bound = typeof maxRecords === 'number' ? { maxRecords } : {};
			const prices = contractsIn(answer, values).map(({ creditsCost, perRecord }) => ({
				creditsCost,
				perRecord,
				...bound,
			}));
			const isNamed = prices.every(({ creditsCost }) => typeof creditsCost === 'number' && creditsCost >= 0);
			// Of several entries the dearest counts: nobody knows which one is charged.
			const creditsOf = (price: JsonObject) => dataToolPrice(price).credits;
			const [dearest] = prices.sort((one, other) => (creditsOf(one) < creditsOf(other) ? 1 : -1));
			if (dearest && isNamed) return dearest;
			throw refusedInput(
				`The catalogue of data tools names no price of ${toolName(values)}, so its cost is not known before: check both names with Data Tool · Find, or run it without Max Credits (This Run).`,
			);
		},
	},
	inputs: {
		about: ['provider', 'capability'],
		whenNotChosen:
			'Choose Provider and Tool, and their inputs are shown here. Where those are expressions, choose Inputs As → JSON.',
		request: contractRequest,
		fieldsOf: inputFields,
	},
	fields: FIELDS,
};

export const dataTool: Resource = {
	value: 'dataTool',
	name: 'Data Tool',
	description: 'Ready-made data from providers: find a tool, then run it',
	operations: [find, run],
	lists: [providerList, toolList],
	defaultOperation: 'run',
};
