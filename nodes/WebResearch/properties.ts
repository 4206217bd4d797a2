import type { INodeProperties } from 'n8n-workflow';
import { noticeField } from '../fields/field';
import { mainFields, options, pageOptions } from './panel';
import { checkFields } from './check/checkPanel';
import { rowFields } from './rows/rowPanel';

/** Without `noDataExpression` n8n's editor lists the operations, too, and an expression could not be checked. */
const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: 'research',
	options: [
		{
			name: 'Check a Text Against Its Sources',
			value: 'checkText',
			action: 'Check a text against its sources',
			description:
				'A report of an agent, a chat or a colleague in, for each sentence a verdict out: do the pages that it cites say so?',
		},
		{
			name: 'Fill Columns of a Row',
			value: 'fillColumns',
			action: 'Fill columns of a row',
			description:
				'Find out the same about each item, such as head office and price: a table in, its cells with sources out',
		},
		{
			name: 'Research a Question',
			value: 'research',
			action: 'Research a question',
			description: 'A question in, a written analysis with sources out',
		},
	],
};

/** The notice above the fields, before a question costs anything. */
const costNotice: INodeProperties = noticeField(
	'costNotice',
	'Up to about 50 credits (220 with long PDFs) and tokens each.',
);

/** These fields where the operation is chosen. */
function shownFor(chosen: string, fields: readonly INodeProperties[]): INodeProperties[] {
	return fields.map(({ displayOptions: { show, ...rest } = {}, ...field }) => ({
		...field,
		displayOptions: { ...rest, show: { operation: [chosen], ...show } },
	}));
}

/** The panel's properties; the build puts their JSON in place of this file (gulpfile.js). */
export function readProperties(): INodeProperties[] {
	return [
		operation,
		...shownFor('research', [costNotice, ...mainFields(false), options]),
		...shownFor('fillColumns', rowFields),
		...shownFor('checkText', checkFields),
		pageOptions,
	];
}
