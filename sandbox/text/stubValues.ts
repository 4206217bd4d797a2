import { readSchema, typeOf } from './jsonSchema.ts';

const DEEPEST = 12;
const ITEMS_PER_LIST = 2;

function valueOf(schema: unknown, root: unknown, name: string, depth: number): unknown {
	const node = readSchema(schema, root);
	if (node.enum && node.enum.length > 0) return node.enum[0];
	switch (typeOf(node)) {
		case 'object': {
			if (depth >= DEEPEST) return {};
			const fields = Object.entries(node.properties ?? {});
			return Object.fromEntries(
				fields.map(([key, inner]) => [key, valueOf(inner, root, key, depth + 1)]),
			);
		}
		case 'array':
			return depth >= DEEPEST
				? []
				: Array.from({ length: ITEMS_PER_LIST }, () => valueOf(node.items, root, name, depth + 1));
		case 'integer':
			return 7;
		case 'number':
			return 7.5;
		case 'boolean':
			return true;
		case 'null':
			return null;
		default:
			return `stub ${name}`;
	}
}

/** A value that fits the JSON Schema, in the manner of the recorded stand-in: `stub ceo`, 7, true (recording agent-13). */
export function stubValues(schema: unknown): unknown {
	return valueOf(schema, schema, 'value', 0);
}
