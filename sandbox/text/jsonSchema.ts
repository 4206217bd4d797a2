import { z } from 'zod';

const record = z.record(z.unknown());

/** The parts of a JSON Schema that are read; anything else in it is passed over. */
const schemaNode = z
	.object({
		type: z
			.union([z.string(), z.array(z.string())])
			.optional()
			.catch(undefined),
		description: z.string().optional().catch(undefined),
		const: z.unknown(),
		enum: z.array(z.unknown()).min(1).optional().catch(undefined),
		format: z.string().optional().catch(undefined),
		minLength: z.number().optional().catch(undefined),
		maxLength: z.number().optional().catch(undefined),
		minimum: z.number().optional().catch(undefined),
		maximum: z.number().optional().catch(undefined),
		exclusiveMinimum: z.number().optional().catch(undefined),
		exclusiveMaximum: z.number().optional().catch(undefined),
		multipleOf: z.number().positive().optional().catch(undefined),
		properties: record.optional().catch(undefined),
		items: z.unknown(),
		minItems: z.number().optional().catch(undefined),
		maxItems: z.number().optional().catch(undefined),
		anyOf: z.array(z.unknown()).min(1).optional().catch(undefined),
		oneOf: z.array(z.unknown()).min(1).optional().catch(undefined),
		allOf: z.array(z.unknown()).min(1).optional().catch(undefined),
		$ref: z.string().optional().catch(undefined),
	})
	.passthrough();

export type SchemaNode = z.output<typeof schemaNode>;

function follow(root: unknown, pointer: string): unknown {
	const parts = pointer
		.replace(/^#\/?/, '')
		.split('/')
		.filter(Boolean)
		.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
	let current = root;
	for (const part of parts) {
		const read = record.safeParse(current);
		current = read.success && Object.hasOwn(read.data, part) ? read.data[part] : undefined;
	}
	return current;
}

function merged(nodes: readonly SchemaNode[]): SchemaNode {
	const properties = Object.assign({}, ...nodes.map((node) => node.properties ?? {}));
	const all: SchemaNode = Object.assign({}, ...nodes);
	return Object.keys(properties).length > 0 ? { ...all, properties } : all;
}

/**
 * Reads one node of a schema: follows a reference inside the schema, joins `allOf`, takes the first of
 * `anyOf` and `oneOf`. Anything that is no schema counts as one without demands.
 */
export function readSchema(node: unknown, root: unknown, depth = 0): SchemaNode {
	const read = schemaNode.safeParse(node);
	if (!read.success || depth > 16) return {};
	const { $ref, anyOf, oneOf, allOf, ...rest } = read.data;
	const further = [
		...($ref === undefined ? [] : [follow(root, $ref)]),
		...(allOf ?? []),
		...(anyOf ?? oneOf ?? []).slice(0, 1),
	];
	if (further.length === 0) return rest;
	return merged([rest, ...further.map((inner) => readSchema(inner, root, depth + 1))]);
}

/** The type a node asks for, or the one its other demands speak of. */
export function typeOf(node: SchemaNode): string {
	const named = Array.isArray(node.type) ? (node.type.find((type) => type !== 'null') ?? 'null') : node.type;
	if (named) return named;
	if (node.properties) return 'object';
	if (node.items !== undefined || node.minItems !== undefined) return 'array';
	if (node.minimum !== undefined || node.maximum !== undefined || node.multipleOf) return 'number';
	return 'string';
}
