import type { INodeProperties } from 'n8n-workflow';
import { choiceField, groupField, numberField, rowsField, switchField } from '../field';

/** Most pages of one file (shape `parser`). */
const MAX_PDF_PAGES = 10_000;

const pdfOptions: INodeProperties = groupField(
	'pdfOptions',
	'PDF Options',
	'Add PDF option',
	'How PDF files are read',
	[
		switchField('blocks', 'Layout Blocks', false, 'Whether to return typed layout blocks as well'),
		switchField('pages', 'Markdown by Page', false, 'Whether to return the Markdown of each page as well'),
		numberField(
			'maxPages',
			'Max Pages',
			20,
			`How many pages of a file to read at most, 1 to ${MAX_PDF_PAGES}. Each costs 1 credit. Without this option: all pages.`,
			{ min: 1, max: MAX_PDF_PAGES },
		),
		choiceField('mode', 'Mode', 'auto', 'How to read the text of the file', [
			['Automatic', 'auto', 'Embedded text, else OCR'],
			['Fast', 'fast', 'Embedded text only'],
			['OCR', 'ocr', 'OCR on every page'],
		]),
		switchField(
			'pageMarkers',
			'Page Markers',
			false,
			'Whether to put an HTML comment with the page number between pages',
		),
	],
	{ displayOptions: { show: { type: ['pdf'] } } },
);

/** The parsers for files (shape `parser`). An empty list is a choice of its own: do not read them. */
export const parsers: INodeProperties = rowsField(
	'parsers',
	'File Parsers',
	'Add parser',
	'Which kinds of files to turn into text. Without this option: PDF files, and images on newer servers. Added but left empty: PDF files are returned as Base64, for 1 credit.',
	[
		'parser',
		'Parser',
		[
			choiceField(
				'type',
				'Type',
				'pdf',
				'Kind of file to read',
				[
					['Image', 'image', 'Text in images, by OCR'],
					['PDF', 'pdf', 'PDF files to Markdown'],
				],
				{ required: true },
			),
			pdfOptions,
		],
	],
	{ typeOptions: { multipleValues: true, shorthand: 'type', whenEmpty: [] }, send: 'parsers' },
);
