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
				name: 'Split at Headings',
				value: 'headings',
				description: 'Each document is a section of a page. Tables and code stay whole.',
			},
			{
				name: 'Use Text Splitter',
				value: 'splitter',
				description: 'Each document is a chunk from the connected text splitter',
			},
			{ name: 'Whole Pages', value: 'pages', description: 'Each document is a page' },
		],
		default: 'headings',
		description: 'How to split each page into documents',
	},
	{
		displayName: 'Max Characters',
		name: 'maxCharacters',
		type: 'number',
		typeOptions: { minValue: 100, maxValue: 100_000, numberPrecision: 0 },
		default: 2000,
		displayOptions: { show: { cut: ['headings'] } },
		description:
			'Maximum length of a document, 100 to 100000 characters. A longer section is split between paragraphs. Tables and code blocks stay whole, even if they are longer.',
	},
];
