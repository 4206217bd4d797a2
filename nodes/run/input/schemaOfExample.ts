import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';

/**
 * The JSON Schema that describes an example: the same fields, all required, with the types of the
 * example's values. The example itself always fits its schema. A field that is null or an empty list
 * in the example may be anything, a list takes the shapes of all its entries.
 */
export function schemaOfExample(example: unknown): JsonObject {
	if (Array.isArray(example)) return { type: 'array', ...schemaOfEntries(example) };
	if (isJsonObject(example)) {
		const names = Object.keys(example);
		return {
			type: 'object',
			properties: Object.fromEntries(names.map((name) => [name, schemaOfExample(example[name])])),
			...(names.length > 0 && { required: names }),
		};
	}
	switch (typeof example) {
		case 'string':
			return { type: 'string' };
		// A whole number in an example does not say that all are whole: 499 today, 499.5 tomorrow.
		case 'number':
			return { type: 'number' };
		case 'boolean':
			return { type: 'boolean' };
		default:
			return {};
	}
}

function schemaOfEntries(entries: unknown[]): JsonObject {
	const byText = new Map(entries.map(schemaOfExample).map((schema) => [JSON.stringify(schema), schema]));
	const [first, ...others] = byText.values();
	if (first === undefined) return {};
	return { items: others.length === 0 ? first : { anyOf: [first, ...others] } };
}

/** Any of these makes an object a JSON Schema (JSON Schema 2020-12 and the drafts before it). */
const SCHEMA_KEYWORDS = [
	'$id',
	'$ref',
	'$schema',
	'$defs',
	'definitions',
	'properties',
	'patternProperties',
	'additionalProperties',
	'items',
	'prefixItems',
	'anyOf',
	'allOf',
	'oneOf',
	'not',
	'if',
	'enum',
	'const',
	'required',
];

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** The advice where somebody has put a JSON Schema in the place of an example; undefined for an example. */
export function exampleFault(object: JsonObject): string | undefined {
	const isSchema =
		typeof object.$schema === 'string' ||
		(object.type === 'object' && isJsonObject(object.properties)) ||
		(object.type === 'array' && isJsonObject(object.items));
	const inner = innerSchema(object);
	if (inner !== undefined) {
		return `must be an example of the data. What "${inner}" holds looks like a JSON Schema: put that into JSON Schema, with "JSON From" set to JSON Schema where there is such a choice`;
	}
	return isSchema || areProperties(object)
		? 'must be an example of the data. This looks like a JSON Schema: put it into JSON Schema, with "JSON From" set to JSON Schema where there is such a choice'
		: undefined;
}

/**
 * The advice where a JSON Schema is wanted and something else is given: an example such as { "name": "string" }, the
 * properties of a schema alone, or a schema with what an API wraps around it. As a schema each would allow everything:
 * the service takes it, and the result is whatever the model likes.
 */
export function schemaFault(object: JsonObject): string | undefined {
	if (!isExample(object)) return undefined;
	const inner = innerSchema(object);
	if (inner !== undefined) {
		return `must be the JSON Schema itself: leave out what stands around it, and write what "${inner}" holds`;
	}
	if (areProperties(object)) {
		return 'must be a whole JSON Schema. These are the properties of one: write { "type": "object", "properties": … } around them';
	}
	if (Object.values(object).every((type) => TYPES.includes(String(type)))) {
		const [name = ''] = Object.keys(object);
		const properties = JSON.stringify({ [name]: { type: object[name] } });
		return `must be a whole JSON Schema. These are fields and their types: write { "type": "object", "properties": ${properties} }, and so on`;
	}
	return 'must be a JSON Schema such as { "type": "object", "properties": { "name": { "type": "string" } } }. This looks like an example: set "JSON From" to Example';
}

/** Objects that APIs wrap a schema in. */
const WRAPPERS = ['schema', 'json_schema', 'jsonSchema', 'parameters', 'response_format', 'function'];
const MAX_WRAPPERS = 3;

/** The path of a JSON Schema inside an object, as `json_schema.schema`; undefined where none does. */
function innerSchema(object: JsonObject, depth = 1): string | undefined {
	for (const name of WRAPPERS) {
		const part = object[name];
		if (!isJsonObject(part) || Object.keys(part).length === 0) continue;
		if (!isExample(part)) return name;
		const inner = depth < MAX_WRAPPERS ? innerSchema(part, depth + 1) : undefined;
		if (inner !== undefined) return `${name}.${inner}`;
	}
	return undefined;
}

/** Whether an object is what stands in the properties of a schema. */
function areProperties(object: JsonObject): boolean {
	const parts = Object.values(object);
	const isProperty = (part: unknown) => isJsonObject(part) && !isExample(part) && Object.keys(part).length > 0;
	return parts.length > 0 && isExample(object) && parts.every(isProperty);
}

function isExample(object: JsonObject): boolean {
	const names = Object.keys(object);
	if (names.length === 0 || SCHEMA_KEYWORDS.some((keyword) => names.includes(keyword))) return false;
	// A type alone is a schema, right or wrong; { "type": "house", "price": 5 } has a field of that name.
	const types: unknown[] = [object.type].flat();
	if (!names.includes('type')) return true;
	return names.length > 1 && !types.every((type) => TYPES.includes(String(type)));
}
