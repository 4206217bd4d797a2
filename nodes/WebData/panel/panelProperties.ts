import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { optionFields } from '../../fields/basic';
import type { OperationBase, Resource } from '../../operation/operation';
import { answersWithoutKey } from '../../service/http/withoutKey';

/** An operation of a resource, by the values of the two parameters. */
interface OperationName {
	resource: string;
	operation: string;
}

/** Values of both parameters; shown is every pair of them that there is. */
interface ShownFor {
	resource: string[];
	operation: string[];
}

/**
 * Says "shown for these operations" the way n8n can: by values of resource AND values of operation. One
 * answer where no other operation of `all` has such a pair of values; else those of the operation that
 * is in the way are an answer of their own.
 */
function shownFor(wanted: OperationName[], all: OperationName[]): ShownFor[] {
	const values = valuesOf(wanted);
	const stranger = all.find((one) => isIn(one, values) && !wanted.includes(one));
	if (!stranger) return wanted.length === 0 ? [] : [values];
	const isNamesake = ({ operation }: OperationName) => operation === stranger.operation;
	const others = wanted.filter((one) => !isNamesake(one));
	return [...shownFor(others, all), valuesOf(wanted.filter(isNamesake))];
}

/** The least conditions that tell these operations from the others of `all`. Empty when there are none. */
function leastConditions(wanted: ShownFor, all: OperationName[]): Partial<ShownFor> {
	const count = ({ resource, operation }: ShownFor) => all.filter((one) => isIn(one, { resource, operation })).length;
	const most = count(wanted);
	const everything = valuesOf(all);
	if (most === all.length) return {};
	if (count({ ...everything, resource: wanted.resource }) === most) {
		return { resource: wanted.resource };
	}
	if (count({ ...everything, operation: wanted.operation }) === most) {
		return { operation: wanted.operation };
	}
	return wanted;
}

function valuesOf(names: OperationName[]): ShownFor {
	return {
		resource: [...new Set(names.map(({ resource }) => resource))],
		operation: [...new Set(names.map(({ operation }) => operation))],
	};
}

/** Whether the values name this operation. */
function isIn(one: OperationName, { resource, operation }: ShownFor): boolean {
	return resource.includes(one.resource) && operation.includes(one.operation);
}

interface OwnFields {
	name: OperationName;
	fields: INodeProperties[];
}

/** A field of the panel, and the operations that have it. */
interface MergedField {
	/** Without `routing`, and without the options of a collection: those are in `options`. */
	field: INodeProperties;
	names: OperationName[];
	options: MergedField[];
}

/**
 * The fields of all operations in one list, each once where it looks the same, so that n8n stores one
 * value for all of them and the editor loads it once. Every operation finds its own fields in its own
 * order. Of collections only the frame must look the same: their options are merged as well, unless two
 * operations have different options of one name, which n8n's editor cannot tell apart, or the same options
 * in another order.
 */
function mergedFields(lists: OwnFields[]): MergedField[] {
	const merged: MergedField[] = [];
	for (const { name, fields } of lists) {
		let next = 0;
		for (const field of fields) {
			const found = bestMatch(merged, next, field);
			if (found === -1) merged.splice(next, 0, newField(field, name));
			else add(merged[found], field, name);
			next = (found === -1 ? next : found) + 1;
		}
	}
	return merged;
}

/** The index of the field that looks like this one and has most options in common with it; -1 for none. */
function bestMatch(merged: MergedField[], from: number, field: INodeProperties): number {
	let [best, most] = [-1, -1];
	for (const [index, one] of merged.entries()) {
		if (index < from || !isSame(one, field)) continue;
		const count = sizeInCommon(one, field);
		if (count > most) [best, most] = [index, count];
	}
	return best;
}

/** The size of the options of a collection that are there already, in characters of the panel. */
function sizeInCommon(merged: MergedField, field: INodeProperties): number {
	if (!isCollection(field)) return 0;
	const names = new Set(merged.options.map((option) => option.field.name));
	return optionFields(field)
		.filter(({ name }) => names.has(name))
		.reduce((sum, option) => sum + JSON.stringify(option).length, 0);
}

function newField(field: INodeProperties, name: OperationName): MergedField {
	const options = isCollection(field) ? optionFields(field) : [];
	return { field: frame(field), names: [name], options: options.map((one) => newField(one, name)) };
}

/**
 * Options stand where the first operation has them. Others come right before the one that follows them, or
 * last: what all lists end with stays at their end.
 */
function add(merged: MergedField | undefined, field: INodeProperties, name: OperationName): void {
	if (!merged) return;
	merged.names.push(name);
	if (!isCollection(field)) return;
	let end = merged.options.length;
	for (const option of optionFields(field).reverse()) {
		const found = merged.options.findIndex((one) => one.field.name === option.name);
		if (found === -1) merged.options.splice(end, 0, newField(option, name));
		else add(merged.options[found], option, name);
		end = found === -1 ? end : found;
	}
}

/** Whether a field looks like one of the panel, and its options can stand beside those. */
function isSame(merged: MergedField, field: INodeProperties): boolean {
	if (JSON.stringify(frame(field)) !== JSON.stringify(merged.field)) return false;
	if (!isCollection(field)) return true;
	let last = -1;
	return optionFields(field).every((option) => {
		const at = merged.options.findIndex(({ field: { name } }) => name === option.name);
		const namesake = merged.options[at];
		if (!namesake) return true;
		// Options that both have must stand in the same order, or one of them would lose its own.
		const isInOrder = at > last;
		last = at;
		return isInOrder && isSame(namesake, option);
	});
}

function isCollection({ type }: INodeProperties): boolean {
	return type === 'collection';
}

/** A field as the panel shows it. `routing` is for this node's own interpreter, not for n8n. */
function frame(field: INodeProperties): INodeProperties {
	const shown = { ...field };
	delete shown.routing;
	if (isCollection(field)) return { ...shown, options: [] };
	if (field.type !== 'fixedCollection') return shown;
	const groups = (field.options ?? []).map((group) =>
		'values' in group ? { ...group, values: group.values.map(withoutRouting) } : group,
	);
	return { ...shown, options: groups };
}

/** The same for the fields of a group, whatever is inside them. */
function withoutRouting(field: INodeProperties): INodeProperties {
	const shown = frame(field);
	return isCollection(field) ? { ...shown, options: optionFields(field).map(withoutRouting) } : shown;
}

/** The panel: resource, the operations of each, and their fields, each field once for all that have it. */
export function panelProperties(resources: Resource[], defaultResource: string): INodeProperties[] {
	const operations = resources.flatMap(({ value: resource, operations: own }) =>
		own.map(({ value: operation, fields }) => ({ name: { resource, operation }, fields })),
	);
	const fields = chosenFields(operations, { resource: 'resource', operation: 'operation' });
	return [
		resourceField(resources, defaultResource),
		...resources.map(operationField),
		...namesakesOfHiding(fields),
		...fields,
	];
}

/** The parameters that choose an operation. Without `operation`, each resource has one operation only. */
interface Chooser {
	resource: string;
	operation?: string;
}

/** The fields of these operations, each once where it looks the same, shown for the operations that have it. */
export function chosenFields(operations: OwnFields[], chooser: Chooser): INodeProperties[] {
	const names = operations.map(({ name }) => name);
	return mergedFields(operations).flatMap((field) => propertiesOf(field, names, chooser));
}

const resourceChooser: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: '',
};

function resourceField(resources: Resource[], defaultResource: string): INodeProperties {
	return {
		...resourceChooser,
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
		default: defaultResource,
	};
}

const operationChooser: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: '',
};

function operationField({ value: resource, operations, defaultOperation = 'start' }: Resource): INodeProperties {
	const byDefault = operations.find(({ value }) => value === defaultOperation) ?? operations[0];
	return {
		...operationChooser,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map((operation) => ({
			name: operation.name,
			value: operation.value,
			action: operation.action,
			description: describe(operation),
		})),
		default: byDefault?.value ?? '',
	};
}

/** An operation in the list: also that it works without a key, which nobody would try. */
function describe({ description, request }: OperationBase): string {
	return answersWithoutKey(request) ? `${description.replace(/\.$/, '')}. No account needed.` : description;
}

/** A field of the panel as n8n has it, shown for its own operations. */
function propertiesOf(merged: MergedField, all: OperationName[], chooser: Chooser): INodeProperties[] {
	const root = isEmptiedByEditor(merged.field) ? '/' : '';
	return shownFor(merged.names, all).map((values) =>
		withConditions(restricted(merged, values), conditionsOf(chooser, root, values), chooser),
	);
}

function conditionsOf(chooser: Chooser, root: '' | '/', { resource, operation }: Partial<ShownFor>): Conditions {
	return {
		...(resource && { [`${root}${chooser.resource}`]: resource }),
		...(operation && chooser.operation && { [`${root}${chooser.operation}`]: operation }),
	};
}

/**
 * Two fields of one name let n8n look at a field only where it is shown (getNodeParameters, n8n 1.123 to
 * 2.41). Such a field counts with its default even in operations that do not have it, and what it hides
 * in its own operation would be hidden in all. So every field that hides others has a namesake, which is
 * never shown.
 */
function namesakesOfHiding(fields: INodeProperties[]): INodeProperties[] {
	const hiding = fields.flatMap(({ displayOptions }) => Object.keys(displayOptions?.hide ?? {}));
	return [...new Set(hiding)].map((name) => ({
		displayName: name,
		name: name.replace('/', ''),
		type: 'hidden',
		default: '',
		displayOptions: { show: { resource: [''] } },
	}));
}

/** The field with only the options that these operations have. */
function restricted({ field, names, options }: MergedField, values: ShownFor): MergedField {
	return {
		field,
		names: names.filter((name) => isIn(name, values)),
		options: options.map((option) => restricted(option, values)).filter((option) => option.names.length > 0),
	};
}

/**
 * When a parameter changes, n8n's editor empties every group, list and multiple choice whose conditions
 * name that parameter (removeMismatchedOptionValues, n8n 2.40): what was set for Scrape would be lost on
 * the way to Crawl. It does not know the name with a slash, which means the same outside all groups.
 */
function isEmptiedByEditor({ type }: INodeProperties): boolean {
	return type === 'collection' || type === 'fixedCollection' || type === 'multiOptions';
}

/** The same for an option of a collection; `around` are the operations that have the collection. */
function optionsOf(merged: MergedField, around: OperationName[], chooser: Chooser): INodeProperties[] {
	return shownFor(merged.names, around).map((values) => {
		const conditions = conditionsOf(chooser, '/', leastConditions(values, around));
		return withConditions(restricted(merged, values), conditions, chooser);
	});
}

type Conditions = NonNullable<IDisplayOptions['show']>;

function withConditions(
	{ field, names, options }: MergedField,
	conditions: Conditions,
	chooser: Chooser,
): INodeProperties {
	const { displayOptions } = field;
	const show = { ...conditions, ...displayOptions?.show };
	return {
		...field,
		...(Object.keys(show).length > 0 && { displayOptions: { ...displayOptions, show } }),
		...(field.type === 'collection' && {
			options: options.flatMap((option) => optionsOf(option, names, chooser)),
		}),
	};
}
