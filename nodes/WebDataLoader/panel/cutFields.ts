import type { INodeProperties } from 'n8n-workflow';

/** How pages become documents. */
export const cutFields: INodeProperties[] = [
	{
		displayName: 'Documents',
		name: 'cut',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Cut at Headings',
				value: 'headings',
				description: 'Each document is a section of a page. Tables and code stay whole.',
			},
			{
				name: 'Cut by Text Splitter',
				value: 'splitter',
				description: 'Each document is a piece that the connected text splitter makes',
			},
			{ name: 'Whole Pages', value: 'pages', description: 'Each document is a page' },
		],
		default: 'headings',
		description: 'How to make documents of each page',
	},
	{
		displayName: 'Max Characters',
		name: 'maxCharacters',
		type: 'number',
		typeOptions: { minValue: 100, maxValue: 100_000, numberPrecision: 0 },
		default: 2000,
		displayOptions: { show: { cut: ['headings'] } },
		description:
			'How long a document may be, 100 to 100000 characters. A longer section is cut between paragraphs. A table or code block that is longer stays whole.',
	},
];
