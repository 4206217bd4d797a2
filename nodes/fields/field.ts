import type { INodeProperties } from 'n8n-workflow';

/** Further properties of a field: any property of n8n's, and what the functions below say shorter. */
type FieldMore = Partial<INodeProperties> & {
	/** Bounds of a number. */
	min?: number;
	max?: number;
	/** Name in the body of the request, where it is not that of the field; false for what is not sent as it is. */
	send?: string | false;
};

type Default = INodeProperties['default'];

/** A choice in the panel: its label, its value, and what it does. */
type FieldChoice = readonly [name: string, value: string | number | boolean, description?: string];

/** A text, sent in the body under its own name unless `send` says otherwise, as all fields below are. Default: empty. */
export function textField(
	name: string,
	displayName: string,
	description: string,
	more: FieldMore = {},
): INodeProperties {
	return aText(name, displayName, more.default ?? '', description, more);
}

const aText = fieldOf('string');

/** A whole number. */
export const numberField = fieldOf('number');

/** True or false. */
export const switchField = fieldOf('boolean');

/** A JSON object. */
export const jsonField = fieldOf('json');

/** One of several values. */
export const choiceField = choiceOf('options');

/** A list made of several values. */
export const choicesField = choiceOf('multiOptions');

/** A text that the panel shows among the fields. */
export function noticeField(name: string, text: string): INodeProperties {
	return { displayName: text, name, type: 'notice', default: '' };
}

/** A group of fields that are added one by one; `add`: what its button says. Not sent as a whole unless `send` says where. */
export function groupField(
	name: string,
	displayName: string,
	add: string,
	description: string,
	options: INodeProperties[],
	{ send, ...more }: Omit<FieldMore, 'min' | 'max'> = {},
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: add,
		default: {},
		...(description !== '' && { description }),
		...more,
		options,
		...(typeof send === 'string' && { routing: { send: { type: 'body', property: send } } }),
	};
}

/** A table: rows of the same fields, each with a name and a label; the rest as in a group. */
export function rowsField(
	name: string,
	displayName: string,
	add: string,
	description: string,
	[rowName, rowLabel, values]: readonly [name: string, label: string, fields: INodeProperties[]],
	more: Omit<FieldMore, 'min' | 'max'> = {},
): INodeProperties {
	return {
		...groupField(name, displayName, add, description, [], more),
		type: 'fixedCollection',
		options: [{ displayName: rowLabel, name: rowName, values }],
	};
}

function fieldOf(type: INodeProperties['type']) {
	return (
		name: string,
		displayName: string,
		byDefault: Default,
		description: string,
		{ min, max, send = name, typeOptions, ...more }: FieldMore = {},
	): INodeProperties => {
		const options = {
			...typeOptions,
			...(min !== undefined && { minValue: min }),
			...(max !== undefined && { maxValue: max }),
			...(type === 'number' && { numberPrecision: 0 }),
		};
		return {
			displayName,
			name,
			type,
			...(Object.keys(options).length > 0 && { typeOptions: options }),
			default: byDefault,
			description,
			...more,
			...(send !== false && { routing: { send: { type: 'body', property: send } } }),
		};
	};
}

function choiceOf(type: 'options' | 'multiOptions') {
	const field = fieldOf(type);
	return (
		name: string,
		displayName: string,
		byDefault: Default,
		description: string,
		choices: readonly FieldChoice[],
		more: FieldMore = {},
	): INodeProperties => ({
		...field(name, displayName, byDefault, description, more),
		options: choices.map(([label, value, about]) => ({
			name: label,
			value,
			...(about !== undefined && { description: about }),
		})),
	});
}
