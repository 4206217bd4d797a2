import type { INodeProperties } from 'n8n-workflow';
import { chosenFields } from '../WebData/panel/panelProperties';
import { findOperation } from '../WebData/resources';
import { optionFields } from '../fields/basic';
import { choiceField, numberField } from '../fields/field';
import { SOURCES, isSetByLoader } from './sources';

const source: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	noDataExpression: true,
	options: SOURCES.map(({ name, value, description }) => ({ name, value, description })),
	default: 'crawl',
	description: 'What to load documents from',
};

/** The panel's properties; the build puts their JSON in place of this file (gulpfile.js). */
export function readProperties(): INodeProperties[] {
	const operations = SOURCES.map(({ value, resource, operation }) => ({
		name: { resource: value, operation },
		fields: ownFields(findOperation(resource, operation)?.operation.fields ?? []),
	}));
	const fields = chosenFields(operations, { resource: 'source' });
	// First what is loaded, then how it is cut, then the options of both.
	const isOptions = ({ type }: INodeProperties): boolean => type === 'collection';
	return [source, ...fields.filter((field) => !isOptions(field)), ...cutFields, ...fields.filter(isOptions)];
}

/** The fields of an operation that the loader has, without conditions on those that it has not. */
function ownFields(fields: INodeProperties[]): INodeProperties[] {
	return fields.filter(isShown).map((field) => {
		const shown = unconditional(field);
		if (field.type !== 'collection') return shown;
		return { ...shown, options: optionFields(field).filter(isShown).map(unconditional) };
	});
}

/** Formats of pages with settings of their own are not chosen here. */
function isShown({ name, displayOptions }: INodeProperties): boolean {
	return !isSetByLoader(name) && displayOptions?.show?.['/formats'] === undefined;
}

function unconditional({ displayOptions, ...field }: INodeProperties): INodeProperties {
	const kept = Object.entries(displayOptions?.show ?? {}).filter(([name]) => !isSetByLoader(name.replace('/', '')));
	return kept.length === 0 ? field : { ...field, displayOptions: { show: Object.fromEntries(kept) } };
}

/** The fields that say how pages become documents. */
const cutFields: INodeProperties[] = [
	choiceField(
		'cut',
		'Documents',
		'headings',
		'How to split each page into documents',
		[
			[
				'Split at Headings',
				'headings',
				'Each document is a section of a page. Tables and code stay whole, up to 8000 characters.',
			],
			['Use Text Splitter', 'splitter', 'Each document is a chunk from the connected text splitter'],
			['Whole Pages', 'pages', 'Each document is a page, however long it is'],
		],
		{ noDataExpression: true, send: false },
	),
	numberField(
		'maxCharacters',
		'Max Characters',
		2000,
		'Maximum length of a document, 100 to 100000 characters. A longer section is split between paragraphs. Tables and code stay whole up to 8000 characters; a longer table is split between rows, with its header repeated.',
		{ min: 100, max: 100_000, displayOptions: { show: { cut: ['headings'] } }, send: false },
	),
];
