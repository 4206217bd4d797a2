import type { FieldType, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { escapeHtml } from '../../../operation/hint';
import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { isText } from '../../../text/values';
import { contractIn } from './catalogue';

/** Most characters of an example that the editor shows. */
const MAX_EXAMPLE = 400;

/** Most inputs that it shows, and characters of the name of one: a catalogue may hold anything. */
const MAX_FIELDS = 200;
const MAX_NAME = 200;

/**
 * The inputs of a data tool as fields of n8n's resource mapper: by their names and types, the required ones first.
 * Where there are none to show, the notice says so, with the example of the catalogue for the inputs as JSON.
 */
export function inputFields(answer: JsonObject, values: JsonObject): ResourceMapperFields {
	const contract = contractIn(answer, values);
	if (!contract) return { fields: [], emptyFieldsNotice: 'The catalogue has no such tool: check Provider and Tool.' };
	const { options, examples } = contract;
	const fields = Array.isArray(options) ? options.filter(isJsonObject).flatMap(fieldOf) : [];
	return { fields: fields.sort(requiredFirst).slice(0, MAX_FIELDS), emptyFieldsNotice: noFieldsText(examples) };
}

function requiredFirst(left: ResourceMapperField, right: ResourceMapperField): number {
	return Number(right.required) - Number(left.required);
}

/** The types of n8n's fields for those of JSON. Of any other type, the value goes out as it is given. */
const TYPES: Readonly<Record<string, FieldType>> = {
	string: 'string',
	number: 'number',
	integer: 'number',
	boolean: 'boolean',
	array: 'array',
	object: 'object',
};

function fieldOf({ name, type, required }: JsonObject): ResourceMapperField[] {
	if (!isText(name) || name.length > MAX_NAME) return [];
	const known = isText(type) && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
	const isRequired = required === true;
	return [
		{
			id: name,
			displayName: known || !isText(type) ? name : `${name} (${type.slice(0, MAX_NAME)})`,
			required: isRequired,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			// Only what somebody has set is sent: n8n gives a switch that nobody has touched the value false.
			...(!isRequired && { removed: true }),
			...(known && { type: known }),
		},
	];
}

function noFieldsText(examples: unknown): string {
	const [given] = [examples].flat();
	// An example may be the whole call.
	const example: unknown = isJsonObject(given) && isJsonObject(given.options) ? given.options : given;
	const text = example === undefined ? '' : JSON.stringify(example);
	const shown = text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text;
	const sample = shown === '' ? '' : ` An example from the catalogue: ${shown}`;
	// n8n renders this as HTML.
	return `The catalogue lists no inputs of this tool. If it needs any, choose Inputs As → JSON.${escapeHtml(sample)}`;
}
