import type { INodeProperties } from 'n8n-workflow';

/** Lists of the service that an ID can be chosen from: methods of the node (run/listSearch.ts). */
export const LISTS = [
	'agentGetMany',
	'browserGetMany',
	'crawlGetActive',
	'monitorGetChecks',
	'monitorGetMany',
] as const;

export type ListName = (typeof LISTS)[number];

/** The name of the list that an operation of a resource reads. */
export function listNameOf(resource: string, operation: string): string {
	return `${resource}${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
}

/** The field of an ID as a choice from one of these lists, where the ID can be typed as well. */
export function fromList(field: INodeProperties, list: ListName): INodeProperties {
	const { name, displayName, placeholder = '', typeOptions, required, description } = field;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		...(typeOptions && { typeOptions }),
		default: { mode: 'list', value: '' },
		...(required && { required }),
		...(description !== undefined && { description }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose…',
				typeOptions: { searchListMethod: list, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
		],
	};
}

/** What was chosen or typed: the ID, also where the field was given as text, by an expression or a model. */
export function chosenValue(value: unknown): unknown {
	const isChoice = typeof value === 'object' && value !== null && 'mode' in value;
	return isChoice && 'value' in value ? value.value : value;
}
