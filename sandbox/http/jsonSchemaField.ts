import { z } from 'zod';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

function hasKnownType(schema: unknown): boolean {
	if (typeof schema !== 'object' || schema === null || !('type' in schema)) return true;
	const types = Array.isArray(schema.type) ? schema.type : [schema.type];
	return types.every((type) => typeof type === 'string' && TYPES.includes(type));
}

const isSchema = (value: unknown): boolean =>
	(typeof value === 'object' && value !== null) || typeof value === 'boolean';

/** A JSON Schema as an agent takes it: null counts as none (recordings agent-61 to agent-63). */
export const agentSchemaField = z
	.unknown()
	.refine(
		(value) => value === undefined || value === null || isSchema(value),
		'Invalid JSON schema: schema must be object or boolean',
	)
	.refine(
		hasKnownType,
		'Invalid JSON schema: schema is invalid: data/type must be equal to one of the allowed values, data/type must be array, data/type must match a schema in anyOf',
	);

function isDictionary(schema: unknown): boolean {
	if (typeof schema !== 'object' || schema === null) return false;
	const { type, properties, additionalProperties } = Object(schema);
	return type === 'object' && properties === undefined && additionalProperties === true;
}

/** A JSON Schema as an extract takes it (recordings extract-71 to extract-73). */
export const extractSchemaField = z
	.unknown()
	.refine(
		(value) => value === undefined || (isSchema(value) && hasKnownType(value)),
		'Invalid JSON schema.',
	)
	.refine(
		(value) => !isDictionary(value),
		"Schema contains invalid structure for OpenAI: object type with no 'properties' defined but 'additionalProperties: true' (schema-less dictionary not supported by OpenAI). Please define specific properties for your object. Note: Recursive schemas using '$ref' are supported.",
	);
