import type { INodeProperties } from 'n8n-workflow';

/** Options that few need, as one group: the list that holds it stays short. */
export function rareOptions(...options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Rare and Enterprise',
		name: 'rareOptions',
		type: 'collection',
		placeholder: 'Add rare option',
		default: {},
		description: 'Settings that are rarely needed or need an enterprise plan',
		options,
	};
}
