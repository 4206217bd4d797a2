import type { INodeProperties } from 'n8n-workflow';

/** The fields inside a collection. */
export function optionFields(field: INodeProperties): INodeProperties[] {
	return (field.options ?? []).filter(
		(option): option is INodeProperties => 'displayName' in option && 'type' in option,
	);
}
