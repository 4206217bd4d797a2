import type { INodeProperties } from 'n8n-workflow';

/** Most pages of one file (shape `parser`). */
const MAX_PDF_PAGES = 10_000;

const pdfOptions: INodeProperties = {
	displayName: 'PDF Options',
	name: 'pdfOptions',
	type: 'collection',
	placeholder: 'Add PDF option',
	default: {},
	description: 'How PDF files are read',
	displayOptions: { show: { type: ['pdf'] } },
	options: [
		{
			displayName: 'Layout Blocks',
			name: 'blocks',
			type: 'boolean',
			default: false,
			description: 'Whether to return typed layout blocks as well',
			routing: { send: { type: 'body', property: 'blocks' } },
		},
		{
			displayName: 'Markdown by Page',
			name: 'pages',
			type: 'boolean',
			default: false,
			description: 'Whether to return the Markdown of each page as well',
			routing: { send: { type: 'body', property: 'pages' } },
		},
		{
			displayName: 'Max Pages',
			name: 'maxPages',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_PDF_PAGES, numberPrecision: 0 },
			default: 20,
			description: `How many pages of a file to read at most, 1 to ${MAX_PDF_PAGES}. Each costs 1 credit. Without this option: all pages.`,
			routing: { send: { type: 'body', property: 'maxPages' } },
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{ name: 'Automatic', value: 'auto', description: 'Embedded text, else OCR' },
				{ name: 'Fast', value: 'fast', description: 'Embedded text only' },
				{ name: 'OCR', value: 'ocr', description: 'OCR on every page' },
			],
			default: 'auto',
			description: 'How to read the text of the file',
			routing: { send: { type: 'body', property: 'mode' } },
		},
		{
			displayName: 'Page Markers',
			name: 'pageMarkers',
			type: 'boolean',
			default: false,
			description: 'Whether to put an HTML comment with the page number between pages',
			routing: { send: { type: 'body', property: 'pageMarkers' } },
		},
	],
};

/** How files are read (shape `parser`). An empty list is a choice of its own: do not read them. */
export const parsers: INodeProperties = {
	displayName: 'File Parsers',
	name: 'parsers',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, shorthand: 'type', whenEmpty: [] },
	default: {},
	placeholder: 'Add parser',
	description:
		'Which kinds of files to turn into text. Without this option: PDF files. Added but left empty: PDF files are returned as Base64, for 1 credit.',
	options: [
		{
			displayName: 'Parser',
			name: 'parser',
			values: [
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'Image', value: 'image', description: 'Text in images, by OCR' },
						{ name: 'PDF', value: 'pdf', description: 'PDF files to Markdown' },
					],
					default: 'pdf',
					required: true,
					description: 'Kind of file to read',
					routing: { send: { type: 'body', property: 'type' } },
				},
				pdfOptions,
			],
		},
	],
	routing: { send: { type: 'body', property: 'parsers' } },
};
