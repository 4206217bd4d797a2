import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Resource } from '../operation/operation';
import { mergedFields } from './mergedFields';
import type { MergedField, OwnFields } from './mergedFields';
import { isIn, leastConditions, shownFor } from './shownFor';
import type { OperationName, ShownFor } from './shownFor';

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
export interface Chooser {
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

function operationField({
	value: resource,
	operations,
	defaultOperation = 'start',
}: Resource): INodeProperties {
	const byDefault = operations.find(({ value }) => value === defaultOperation) ?? operations[0];
	return {
		...operationChooser,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
		default: byDefault?.value ?? '',
	};
}

/** A field of the panel as n8n has it, shown for its own operations. */
function propertiesOf(
	merged: MergedField,
	all: OperationName[],
	chooser: Chooser,
): INodeProperties[] {
	const root = isEmptiedByEditor(merged.field) ? '/' : '';
	return shownFor(merged.names, all).map((values) =>
		withConditions(restricted(merged, values), conditionsOf(chooser, root, values), chooser),
	);
}

function conditionsOf(
	chooser: Chooser,
	root: '' | '/',
	{ resource, operation }: Partial<ShownFor>,
): Conditions {
	return {
		...(resource && { [`${root}${chooser.resource}`]: resource }),
		...(operation && chooser.operation && { [`${root}${chooser.operation}`]: operation }),
	};
}

/**
 * Two fields of one name let n8n look at a field only where it is shown (getNodeParameters, n8n 1.123 to
 * 2.41). One of a kind counts with its default even in operations that do not have it, and what it hides
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

/** What of a field belongs to some of its operations. */
function restricted({ field, names, options }: MergedField, values: ShownFor): MergedField {
	return {
		field,
		names: names.filter((name) => isIn(name, values)),
		options: options
			.map((option) => restricted(option, values))
			.filter((option) => option.names.length > 0),
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
function optionsOf(
	merged: MergedField,
	around: OperationName[],
	chooser: Chooser,
): INodeProperties[] {
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
