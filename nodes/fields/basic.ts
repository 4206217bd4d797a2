import type { INodeProperties } from 'n8n-workflow';
import { choiceField, groupField, jsonField, numberField, switchField, textField } from './field';

/** An address that is needed, sent as `url`. `description` says what is done with it. */
export function url(description: string, placeholder: string): INodeProperties {
	return textField('url', 'URL', description, {
		typeOptions: { sentAs: 'url' },
		required: true,
		placeholder,
	});
}

/** Return All and Limit, for operations that put out one item per element. */
export const returnAllOrLimit: INodeProperties[] = [
	switchField('returnAll', 'Return All', false, 'Whether to return all results or only up to a given limit', {
		send: false,
	}),
	numberField('limit', 'Limit', 50, 'Max number of results to return', {
		min: 1,
		displayOptions: { show: { returnAll: [false] } },
		send: false,
	}),
];

/**
 * The one list of options of an operation, in the order in which people need them. Groups of options are in
 * it too rather than below it: each group that stands for itself makes the panel a seventh of a screen
 * longer.
 */
export function optionList(...options: INodeProperties[]): INodeProperties {
	return optionListNamed('Options', ...options);
}

/** The same where Page Options stand beside it: its name says what these options are about. */
export function optionListNamed(displayName: string, ...options: INodeProperties[]): INodeProperties {
	return groupField('options', displayName, 'Add option', '', options);
}

/** The fields inside a collection. */
export function optionFields(field: INodeProperties): INodeProperties[] {
	return (field.options ?? []).filter(
		(option): option is INodeProperties => 'displayName' in option && 'type' in option,
	);
}

/**
 * The escape hatch, an option of every operation with a body: for what the service learns before this
 * package does.
 */
export const additionalFields: INodeProperties = jsonField(
	'additionalFields',
	'Additional Fields (JSON)',
	'{}',
	'Extra fields for the API request, as a JSON object. They override the fields of the panel.',
	{ typeOptions: { sentAs: 'body' }, placeholder: 'e.g. { "newOption": true }', send: false },
);

/** Options that few need, as one group: the list that holds it stays short. */
export function rareOptions(...options: INodeProperties[]): INodeProperties {
	return groupField(
		'rareOptions',
		'Rare and Enterprise',
		'Add rare option',
		'Settings that are rarely needed or need an enterprise plan',
		options,
	);
}

/** An option of every operation that costs; its value is read by cost/creditCap.ts. */
export const maxCredits: INodeProperties = {
	displayName: 'Max Credits (This Run)',
	name: 'maxCredits',
	type: 'number',
	// An expression that gives nothing must not lift the cap.
	typeOptions: { minValue: 1, numberPrecision: 0, isNeeded: true },
	default: 1000,
	description:
		'How many credits this node may cost in one execution: all items, loops, retries and AI agent calls together. Nothing is sent that could cost more. Without this option: no limit.',
};

/** An option of every operation that may cost; its value is read by run/price/wantsPrice.ts. */
export const onlyPrice: INodeProperties = switchField(
	'onlyPrice',
	'Only Tell the Price',
	true,
	'Whether to only tell what this would cost. Nothing is sent that costs: each item comes out with an estimate, such as for a question to a person.',
	// An expression that gives nothing must not spend.
	{ typeOptions: { isNeeded: true }, send: false },
);

/** The options of every operation with a price that can be known before. */
export const costLimits: INodeProperties[] = [maxCredits, onlyPrice];

/** The location that a request should appear to come from (shape `location`). Also an option of Map. */
export const location: INodeProperties = groupField(
	'location',
	'Location',
	'Add location option',
	'Where the request should appear to come from',
	[
		textField('country', 'Country', 'Two-letter country code (ISO 3166-1), such as DE', {
			default: 'US',
			typeOptions: { sentAs: 'countryCode' },
			placeholder: 'e.g. DE',
		}),
		textField(
			'languages',
			'Languages',
			'Preferred languages as codes such as de-DE, best first, separated by commas. Without this option: those of the country.',
			{ typeOptions: { sentAs: 'list' }, placeholder: 'e.g. de-DE, en' },
		),
	],
	{ send: 'location' },
);

/** Names the acting user in audit logs (shape `auditMetadata`). Also an option of Map. */
export const auditMetadata: INodeProperties = textField(
	'auditUsername',
	'Audit User Name',
	'Acting user to name in the log events of the organization (SIEM), at most 1024 characters. Enterprise only.',
	{
		typeOptions: { maxLength: 1024 },
		placeholder: 'e.g. jane@example.com',
		send: 'auditMetadata.username',
	},
);

/** Asks for the data tools that fit what is found. `byDefault`: the detail that the service gives where none is named. */
export function toolFields(byDefault: 'compact' | 'summary', of: string): INodeProperties[] {
	return [
		switchField(
			'domainTools',
			'Domain Tools',
			true,
			`Whether to add the data tools that fit ${of}. Firecrawl opens them to some teams.`,
		),
		choiceField('toolDetail', 'Tool Detail', byDefault, 'How much to tell of each data tool', [
			['Compact', 'compact', 'Its names and its price'],
			['Full', 'full', 'All that the catalogue has of it'],
			['Summary', 'summary', 'Its names, its price and what it does'],
		]),
	];
}

/** An id that goes into the path of a request, where the path has `{name}`. */
export function pathId(displayName: string, name: string, description: string): INodeProperties {
	return textField(name, displayName, description, {
		typeOptions: { sentAs: 'id' },
		required: true,
		placeholder: 'e.g. 910303bc-…',
		send: false,
	});
}

/** Lists of the service that an ID can be chosen from: methods of the node (listSearch.ts). */
export const LISTS = [
	'agentGetMany',
	'browserGetMany',
	'crawlGetActive',
	'dataToolProviders',
	'dataToolTools',
	'monitorGetChecks',
	'monitorGetMany',
] as const;

export type ListName = (typeof LISTS)[number];

/** The name of the list that an operation of a resource reads. */
export function listNameOf(resource: string, operation: string): string {
	return `${resource}${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
}

/** The field of an ID as a choice from one of these lists, where the ID can be typed as well. */
export function fromList(field: INodeProperties, list: ListName): INodeProperties {
	const { name, displayName, placeholder = '', typeOptions, required, description, routing } = field;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		...(typeOptions && { typeOptions }),
		default: { mode: 'list', value: '' },
		...(required && { required }),
		...(description !== undefined && { description }),
		...(routing && { routing }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose…',
				typeOptions: { searchListMethod: list, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
		],
	};
}

/** The value that was chosen or typed: the ID, also where the field was given as text, by an expression or a model. */
export function chosenValue(value: unknown): unknown {
	const isChoice = typeof value === 'object' && value !== null && 'mode' in value;
	return isChoice && 'value' in value ? value.value : value;
}

/**
 * The files of an item that are sent, for operations with an `upload`. The values are read by run/files; nothing of
 * them goes into the request by itself.
 */
export const binaryFile: INodeProperties[] = [
	choiceField(
		'filesFrom',
		'Files',
		'field',
		'Which files of each item to convert. Each file becomes a separate item.',
		[
			[
				'All Binary Fields',
				'all',
				'Every file of the item. Files of a kind that Firecrawl cannot read are skipped, and a hint names them.',
			],
			['Named Binary Field', 'field', 'The file in one binary field'],
		],
		{ send: false },
	),
	textField(
		'binaryField',
		'Input Binary Field',
		'Name of the binary field, or several with commas between them. An expression can return a file of an earlier node.',
		{
			default: 'data',
			typeOptions: { sentAs: 'binaryFields', isNeeded: true },
			placeholder: 'e.g. attachment_0',
			displayOptions: { show: { filesFrom: ['field'] } },
			hint: 'Name of the binary field with the file, such as data or attachment_0',
			send: false,
		},
	),
];

/**
 * The rule for a field's value, beyond what n8n's own property data can say. It stands in the field's `typeOptions`,
 * which n8n keeps open for further keys, and is carried out by run/checkValue.ts and run/readFields.ts.
 */
interface ValueRule {
	/** The way in which the value is read; without it, as the field's own type. */
	sentAs?: SentAs;
	/** Most characters of a text. */
	maxLength?: number;
	/** Most entries of a list. */
	maxItems?: number;
	/** Most bytes of an object as JSON. */
	maxJsonBytes?: number;
	/** Of a list of groups: an entry that holds nothing but this property is sent as its bare value. */
	shorthand?: string;
	/** The value that is sent for a group that was added and left empty. Without it, nothing is sent. */
	whenEmpty?: boolean | string[];
	/**
	 * It may not be empty. Instead of n8n's `required` for a field that depends on another one: n8n shows it
	 * as well where that one is an expression, and would refuse to run the workflow while it is empty.
	 */
	isNeeded?: boolean;
	/** Empty means all, where it is stored so: an expression or an agent that gives nothing has chosen nothing. */
	isEmptyAll?: boolean;
	/** An expression may give other texts than the choices. */
	otherValues?: boolean;
	/** The choices that go with no other one. */
	alone?: string[];
	/** The value that is sent for an option that was not added, because servers differ in what they do then. */
	whenNotAdded?: boolean;
	/** Entries that are no web addresses are left out, and named, unless this option of the operation is off. */
	skipsInvalid?: string;
}

/**
 * - `list`: text with commas or line breaks between the entries, or an array from an expression. A comma
 *   inside brackets or quotes is part of its entry, for CSS selectors such as `:is(nav, footer)`.
 * - `lines`: the same, but only line breaks separate, for regular expressions such as `a{1,3}`.
 * - `url`: an http or https address. A bare domain is completed with `https://`.
 * - `urls`: a `lines` list of these, with commas between addresses as well.
 * - `token`: an ID of somebody else's, one line of letters, digits and `. _ : -`. `tokens`: a `list` of these.
 * - `countryCode`: two letters, sent in upper case.
 * - `date`: a day, sent as `YYYY-MM-DD`.
 * - `binaryFields`: names of binary fields as a `list`, or files themselves, from an expression.
 * - `id`: letters, digits, dashes and underscores, as it goes into a path.
 * - `numbers`: a `list` of whole numbers from 1.
 * - `codes`: a `list` of short names in lower case: letters, digits, `-` and `_`.
 * - `cron`, `scheduleText`, `timeZone`: when a monitor runs, as the service takes it.
 * - `stringMap`: a JSON object whose values are texts.
 * - `timeSpan`: a group with the days `from` and `to`, sent as the one text that the search takes.
 * - `body`: a JSON object whose fields go into the request's body, after all others.
 * - `schemaOfExample`: a JSON object to follow, sent as the JSON Schema that describes it.
 * - `jsonSchema`: a JSON Schema; an example in its place is refused.
 * - `objectOrList`: a JSON object, or a list of them.
 */
export type SentAs =
	| 'list'
	| 'lines'
	| 'url'
	| 'urls'
	| 'countryCode'
	| 'date'
	| 'id'
	| 'binaryFields'
	| 'numbers'
	| 'codes'
	| 'token'
	| 'tokens'
	| 'cron'
	| 'scheduleText'
	| 'timeZone'
	| 'stringMap'
	| 'timeSpan'
	| 'body'
	| 'schemaOfExample'
	| 'jsonSchema'
	| 'objectOrList';

/** Whether a field must have a value. */
export function isNeeded(field: INodeProperties): boolean {
	return field.required === true || ruleOf(field).isNeeded === true;
}

/** The rule of a field; empty for a field that has none. */
export function ruleOf(field: INodeProperties): ValueRule {
	return (field.typeOptions ?? {}) as ValueRule;
}

/**
 * The value of a switch, a number or a choice that an expression or an agent leaves empty: its default. Undefined for
 * a field that has none, and for text, where nothing is nothing.
 */
export function choiceByDefault({ type, default: byDefault }: INodeProperties): unknown {
	const isChoice = ['boolean', 'number', 'options', 'multiOptions'].includes(type);
	const isNone = byDefault === '' || (Array.isArray(byDefault) && byDefault.length === 0);
	return isChoice && !isNone ? byDefault : undefined;
}
