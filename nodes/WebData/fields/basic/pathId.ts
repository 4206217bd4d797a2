import type { INodeProperties } from 'n8n-workflow';

/** An id that goes into the path of a request, where the path has `{name}`. */
export function pathId(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		typeOptions: { sentAs: 'id' },
		default: '',
		required: true,
		placeholder: 'e.g. 910303bc-…',
		description,
	};
}
