import { findOperation, resources } from '../../nodes/WebData/resources/index.ts';
import { isNeeded, ruleOf } from '../../nodes/fields/basic.ts';
import type { Operation } from '../../nodes/operation/operation.ts';
import different from '../fixtures/contract/different.json';
import leftOut from '../fixtures/contract/leftOut.json';
import { contractOperations, leavesOfOperation } from './contractLeaves.ts';
import type { ContractLeaf, ContractOperation } from './contractLeaves.ts';
import { choicesOf, nodeLeaves, typesOf } from './nodeLeaves.ts';
import type { NodeLeaf } from './nodeLeaves.ts';

const withoutNames = (path: string) => path.replace(/\{\w+\}/g, '{}');

const nodeOperations = resources.flatMap(({ operations }) => operations);

function inNode({ method, path, node }: ContractOperation): Operation | undefined {
	const [resource = '', name = ''] = node?.split('.') ?? [];
	if (node !== undefined) return findOperation(resource, name)?.operation;
	return nodeOperations.find(
		({ request }) => request.method === method && withoutNames(request.path) === withoutNames(path),
	);
}

function matches(pattern: string, text: string): boolean {
	const parts = pattern.split('*').map((part) => part.replace(/[.[\]\\^$()?+|{}]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`).test(text);
}

function isLeftOut(id: string, place: string): boolean {
	return leftOut.some(
		(entry) => entry.operations.split(', ').some((one) => matches(one, id)) && matches(entry.place, place),
	);
}

function mayDiffer(id: string, place: string, what: string): boolean {
	return different.some((entry) => entry.operation === id && entry.place === place && entry.what === what);
}

function leavesIn(operation: Operation | undefined): NodeLeaf[] {
	if (!operation) return [];
	const inPath = [...operation.request.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
	const pathFields = operation.fields.filter(({ name }) => inPath.includes(name));
	return [
		...pathFields.map((field) => ({ place: 'path', field })),
		...formLeaves(operation),
		...nodeLeaves(operation.fields),
	];
}

/** The parts of a form: its file, and the group of options that is its body. */
function formLeaves(operation: Operation): NodeLeaf[] {
	if (operation.kind !== 'call' || !operation.upload) return [];
	const { file, body } = operation.upload.parts;
	return operation.fields.flatMap((field) => {
		if (field.name === 'binaryField') return [{ place: `file ${file}`, field }];
		return field.name === 'scrapeOptions' ? [{ place: `part ${body}`, field }] : [];
	});
}

/** Fields that a place may come from; a group that is only a name in the path has none. */
function fieldsAt(leaves: NodeLeaf[], place: string) {
	return leaves.filter((leaf) => leaf.place === place).map(({ field }) => field);
}

/** Objects of which the node has the fields, each at its place, without a group of its own. */
function isSplit(leaves: NodeLeaf[], { place, types }: ContractLeaf): boolean {
	return types.includes('object') && leaves.some((leaf) => leaf.place.startsWith(`${place}.`));
}

it('compares the node with all 66 operations of the contract', () => {
	const ids = contractOperations.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids).toHaveLength(66);
});

const cases = contractOperations.map((operation) => [operation.id, operation] as const);

describe('every operation of the contract', () => {
	it.each(cases)('%s is in the node, or the table says why not', (id, operation) => {
		expect(inNode(operation) !== undefined || isLeftOut(id, '')).toBe(true);
	});

	it.each(cases)('%s counts against the column of the plan that the contract names', (id, operation) => {
		const { rateLimitBucket } = operation;
		if (rateLimitBucket === null || isLeftOut(id, '')) return;
		expect(inNode(operation)?.request.bucket).toBe(rateLimitBucket);
	});
});

describe.each(cases)('%s', (id, operation) => {
	const leaves = leavesIn(inNode(operation));
	const wanted = leavesOfOperation(operation).filter(({ place }) => !isLeftOut(id, place));

	it('has every parameter, or the table says why not', () => {
		const missing = wanted.filter((leaf) => fieldsAt(leaves, leaf.place).length === 0 && !isSplit(leaves, leaf));
		expect(missing.map(({ place }) => place)).toEqual([]);
	});

	it('sends nothing that the contract does not have', () => {
		const known = new Set(leavesOfOperation(operation).map(({ place }) => place));
		expect(leaves.map(({ place }) => place).filter((place) => !known.has(place))).toEqual([]);
	});

	it('has the types, limits, choices and defaults of the contract', () => {
		const wrong = wanted.flatMap((leaf) =>
			fieldsAt(leaves, leaf.place).flatMap((field) =>
				differences(leaf, { place: leaf.place, field })
					.filter((what) => !mayDiffer(id, leaf.place, what))
					.map((what) => `${leaf.place}: ${what}`),
			),
		);
		expect(wrong).toEqual([]);
	});
});

/** What of a field is not as the contract has it. */
function differences(leaf: ContractLeaf, { field }: NodeLeaf): string[] {
	if (leaf.types.includes('variant') || leaf.place === 'path') return [];
	const { minValue, maxValue } = field.typeOptions ?? {};
	const { maxLength, maxItems, sentAs } = ruleOf(field);
	const sendsSchema = sentAs === 'schemaOfExample';
	const isGroup = field.type === 'collection' || field.type === 'fixedCollection';
	// One URL for each item becomes the list that the service wants (StartJobOperation.joinBy).
	const isJoined = sentAs === 'url' && leaf.types.includes('array');
	// A field that stands for a group of one is there only when it is added.
	const isDotted = field.routing?.send?.property?.includes('.') ?? false;
	return [
		leaf.required && !isNeeded(field) && !isDotted && 'required',
		!isJoined && !typesOf(field).some((type) => leaf.types.includes(type)) && 'type',
		leaf.min !== undefined && !(Number(minValue) >= leaf.min) && 'min',
		leaf.max !== undefined && maxValue !== leaf.max && 'max',
		leaf.maxLength !== undefined && maxLength !== leaf.maxLength && 'maxLength',
		leaf.maxItems !== undefined && maxItems !== leaf.maxItems && 'maxItems',
		leaf.choices && !leaf.choices.every((choice) => choicesOf(field).includes(choice)) && 'choices',
		!isGroup && !sendsSchema && !hasDefault(leaf, field.default) && 'default',
	].filter((what) => typeof what === 'string');
}

function hasDefault(leaf: ContractLeaf, shown: unknown): boolean {
	if (leaf.default === undefined || leaf.required) return true;
	// An empty list is an empty text where a list is typed in.
	if (Array.isArray(leaf.default) && leaf.default.length === 0) return true;
	return JSON.stringify(shown) === JSON.stringify(leaf.default);
}

describe('the tables of exceptions', () => {
	it('name only what the contract has', () => {
		const all = contractOperations.flatMap((operation) =>
			['', ...leavesOfOperation(operation).map(({ place }) => place)].map((place) => ({
				id: operation.id,
				place,
			})),
		);
		const unused = leftOut.filter(
			(entry) =>
				!all.some(
					({ id, place }) =>
						entry.operations.split(', ').some((one) => matches(one, id)) && matches(entry.place, place),
				),
		);
		expect(unused).toEqual([]);
		expect(
			different.filter(({ operation, place }) => !all.some((one) => one.id === operation && one.place === place)),
		).toEqual([]);
	});
});
