import type { INodeProperties } from 'n8n-workflow';

/** Which paper. The id goes into the path. */
export const paperId: INodeProperties = {
	displayName: 'Paper ID',
	name: 'paperId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. arxiv:1706.03762',
	description:
		'ID of the paper: paperId in the output of Search Papers, or one that begins with arxiv:, pmid:, pmcid: or doi:',
};

export const maxPapers: INodeProperties = {
	displayName: 'Max Papers',
	name: 'maxPapers',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 500, numberPrecision: 0 },
	default: 40,
	description: 'How many papers to return at most, 1 to 500',
	routing: { send: { type: 'query', property: 'k' } },
};
