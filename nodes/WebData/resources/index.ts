import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';

import { batchScrape } from './batchScrape';
import { crawl } from './crawl';
import { deepResearch } from './deepResearch';
import { map } from './map';
import type { Operation, Resource } from '../operation/operation';
import { page } from './page';
import { search } from './search';

export const resources: Resource[] = [batchScrape, crawl, deepResearch, map, page, search];

export interface FoundOperation {
	resource: Resource;
	operation: Operation;
}

/** The operation that the two parameters name, or undefined. */
export function findOperation(
	resourceValue: string,
	operationValue: string,
): FoundOperation | undefined {
	const resource = resources.find(({ value }) => value === resourceValue);
	const operation = resource?.operations.find(({ value }) => value === operationValue);
	return resource && operation && { resource, operation };
}

/** The panel: resource, its operations, and the fields of each, shown for their operation only. */
export function panelProperties(): INodeProperties[] {
	return [resourceField(), ...resources.flatMap(operationFields)];
}

function resourceField(): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
		default: 'deepResearch',
	};
}

const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: '',
};

function operationFields({
	value: resource,
	operations,
	defaultOperation = 'start',
}: Resource): INodeProperties[] {
	const byDefault = operations.find(({ value }) => value === defaultOperation) ?? operations[0];
	const chooser: INodeProperties = {
		...operationField,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
		default: byDefault?.value ?? '',
	};
	return [
		chooser,
		...operations.flatMap(({ value: operation, fields }) =>
			updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, fields),
		),
	];
}
