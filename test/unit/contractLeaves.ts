import operationsJson from '../fixtures/contract/operations.json';
import shapesJson from '../fixtures/contract/shapes.json';

/** One parameter of the contract, with the place it has in the request. */
export interface ContractLeaf {
	/** `body formats[json].prompt`, `query k`, `path`. */
	place: string;
	types: string[];
	required: boolean;
	min?: number;
	max?: number;
	maxLength?: number;
	maxItems?: number;
	default?: unknown;
	choices?: string[];
}

interface ContractField {
	name: string;
	in?: string;
	type?: string;
	required?: boolean;
	default?: unknown;
	min?: number;
	max?: number;
	maxLength?: number;
	maxItems?: number;
	enum?: string[];
	$shape?: string;
	spread?: boolean;
	items?: { type?: string; $shape?: string; enum?: string[] };
}

interface Shape {
	kind: string;
	fields?: ContractField[];
	variants?: Array<{ value: string; fields: ContractField[] }>;
	values?: string[];
	items?: { $shape?: string };
}

export interface ContractOperation {
	id: string;
	/** The operation of the node, where others have the same path: `dataTool.run`. */
	node?: string;
	method: string;
	path: string;
	rateLimitBucket: string | null;
	parameters: ContractField[];
}

const shapes = shapesJson as Record<string, Shape>;

/** The project's own copy of the contract for these resources (made from operations.json, shapes.json). */
export const contractOperations = operationsJson as ContractOperation[];

export function leavesOfOperation({ parameters }: ContractOperation): ContractLeaf[] {
	return parameters.flatMap((field) => {
		if (field.in === 'path') return [{ place: 'path', types: ['string'], required: true }];
		return field.in === 'multipart' ? leavesOfPart(field) : leavesOf(field, `${field.in ?? 'body'} `);
	});
}

/** Of a form, one part is the file; the other is the body of the request as JSON text. */
function leavesOfPart(field: ContractField): ContractLeaf[] {
	if (field.type === 'binary') {
		return [{ place: `file ${field.name}`, types: ['binary'], required: true }];
	}
	const inner = (shapeOf(field.$shape)?.fields ?? []).flatMap((one) => leavesOf(one, 'body '));
	return [{ place: `part ${field.name}`, types: ['object'], required: false }, ...inner];
}

function leavesOf(field: ContractField, prefix: string): ContractLeaf[] {
	const shape = shapeOf(field.$shape);
	if (field.spread) return (shape?.fields ?? []).flatMap((inner) => leavesOf(inner, prefix));
	const place = prefix + field.name;
	const itemShape = shapeOf(field.items?.$shape) ?? shapeOf(shape?.items?.$shape);
	const itemChoices = field.items?.enum ?? itemShape?.values;
	const leaf: ContractLeaf = {
		place,
		types: (field.type ?? 'string').split('|'),
		required: field.required ?? false,
		...(field.min !== undefined && { min: field.min }),
		...(field.max !== undefined && { max: field.max }),
		...(field.maxLength !== undefined && { maxLength: field.maxLength }),
		...(field.maxItems !== undefined && { maxItems: field.maxItems }),
		...('default' in field && { default: field.default }),
		...(field.enum && { choices: field.enum }),
		...(!field.enum && itemChoices && { choices: itemChoices }),
	};
	// The node knows its formats one by one, whether or not they have options.
	if (leaf.choices && !itemShape && place.endsWith('ormats')) {
		const kinds = leaf.choices.map((value) => ({ place: `${place}[${value}]` }));
		return [leaf, ...kinds.map((kind) => ({ ...kind, types: ['variant'], required: false }))];
	}
	if (itemShape?.variants) return [leaf, ...variantLeaves(itemShape, place)];
	const inner = itemShape?.fields
		? itemShape.fields.flatMap((one) => leavesOf(one, `${place}[].`))
		: (shape?.fields ?? []).flatMap((one) => leavesOf(one, `${place}.`));
	return [leaf, ...inner];
}

function variantLeaves({ variants = [] }: Shape, place: string): ContractLeaf[] {
	return variants.flatMap(({ value, fields }) => [
		{ place: `${place}[${value}]`, types: ['variant'], required: false },
		...fields.flatMap((field) => leavesOf(field, `${place}[${value}].`)),
	]);
}

function shapeOf(name: string | undefined): Shape | undefined {
	return name === undefined ? undefined : shapes[name];
}
