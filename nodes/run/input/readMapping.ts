import type { INodeProperties } from 'n8n-workflow';
import { isJsonObject } from '../../service/http/answer';
import { refusedInput, shorten } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { isEmpty } from '../../text/values';

/** A field that n8n's resource mapper shows, as n8n stores it with the value; what it does not have is missing. */
interface MappedField {
	id: string;
	type: unknown;
	isRequired: boolean;
}

/** The fields that a resource mapper shows, and what stands in them. */
interface Mapping {
	values: JsonObject;
	fields: MappedField[];
}

/** The value of a resource mapper, as n8n stores it (ResourceMapperValue); undefined for anything else. */
export function mappingOf(value: unknown): Mapping | undefined {
	if (!isJsonObject(value) || typeof value.mappingMode !== 'string') return undefined;
	const schema: unknown[] = Array.isArray(value.schema) ? value.schema : [];
	const fields = schema.filter(isJsonObject).flatMap(({ id, type, required, removed }) => {
		return typeof id === 'string' && removed !== true ? [{ id, type, isRequired: required === true }] : [];
	});
	const values = isJsonObject(value.value) ? value.value : {};
	// What n8n keeps of fields that it does not show, such as those of another tool, is nobody's wish.
	const isShown = ([name]: [string, unknown]) => schema.length === 0 || fields.some(({ id }) => id === name);
	return { values: Object.fromEntries(Object.entries(values).filter(isShown)), fields };
}

/**
 * The object that a resource mapper's fields come to, each value of the type that its field has; undefined where none
 * is filled in. Inputs with an empty value are left out. n8n checks none of it where the whole value is read, and an
 * expression may give a text for anything. Throws a ServiceFailure of kind badInput that names the input.
 */
export function readMapping({ displayName }: INodeProperties, { values, fields }: Mapping): JsonObject | undefined {
	const filled = Object.entries(values).filter(([, one]) => !isEmpty(one));
	const missing = fields.find(({ id, isRequired }) => isRequired && !filled.some(([name]) => name === id));
	if (missing) throw refusedInput(`"${displayName}" needs "${shorten(missing.id, 80)}", which the tool requires.`);
	if (filled.length === 0) return undefined;
	const typeOf = new Map(fields.map(({ id, type }) => [id, type]));
	return Object.fromEntries(
		filled.map(([name, given]) => {
			const type = typeOf.get(name);
			const read = readAs(type, given);
			if (read !== undefined) return [name, read];
			throw refusedInput(`"${displayName}": "${shorten(name, 80)}" must be ${TYPES[String(type)] ?? 'a value'}.`);
		}),
	);
}

const TYPES: Readonly<Record<string, string>> = {
	number: 'a number',
	boolean: 'true or false',
	array: 'a list, such as ["a", "b"]',
	object: 'a JSON object, such as {"name": ""}',
	string: 'a text',
};

/** The value as this type; undefined where it is none. What has no type of these stays as it is. */
function readAs(type: unknown, given: unknown): unknown {
	switch (type) {
		case 'number': {
			const number = typeof given === 'string' ? Number(given) : given;
			return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
		}
		case 'boolean':
			return given === true || given === 'true' ? true : given === false || given === 'false' ? false : undefined;
		case 'string':
			return typeof given === 'object' ? undefined : String(given);
		case 'array': {
			const list = parsed(given);
			return Array.isArray(list) ? list : undefined;
		}
		case 'object': {
			const object = parsed(given);
			return isJsonObject(object) ? object : undefined;
		}
		default:
			return given;
	}
}

function parsed(given: unknown): unknown {
	if (typeof given !== 'string') return given;
	try {
		return JSON.parse(given);
	} catch {
		return undefined;
	}
}
