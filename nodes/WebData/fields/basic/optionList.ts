import type { INodeProperties } from 'n8n-workflow';

/**
 * The one list of options of an operation, in the order in which people need them. Groups of options are in
 * it too rather than below it: each group that stands for itself makes the panel a seventh of a screen
 * longer.
 */
export function optionList(...options: INodeProperties[]): INodeProperties {
	return optionListNamed('Options', ...options);
}

/** The same where Page Options stand beside it: its name says what these options are about. */
export function optionListNamed(
	displayName: string,
	...options: INodeProperties[]
): INodeProperties {
	return {
		displayName,
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}
