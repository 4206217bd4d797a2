import type { INodeProperties } from 'n8n-workflow';
import { choiceField, groupField, textField } from './field';

/**
 * The place in the request where a value goes: into the request, or nowhere, where the node makes its own requests of
 * it.
 */
interface Where {
	send?: false;
}

/** Two ways to say of when web results may be: which one was meant, nobody knows. */
export const TWO_TIME_FILTERS = '"Published Between" cannot be set together with "Time Filter": remove one of them.';

/** The greatest age of web results. What another filter of the search is called, an expression may give. */
export function timeFilter(where: Where = {}): INodeProperties {
	return choiceField(
		'tbs',
		'Time Filter',
		'qdr:w',
		'How old web results may be. Not together with Published Between.',
		[
			['Last Hour', 'qdr:h'],
			['Last Day', 'qdr:d'],
			['Last Week', 'qdr:w'],
			['Last Month', 'qdr:m'],
			['Last Year', 'qdr:y'],
			['Newest First', 'sbd:1', 'Of any age'],
		],
		{ typeOptions: { otherValues: true }, ...where },
	);
}

/** The first and the last day of web results; either may be left out. */
export function publishedBetween(where: Where = {}): INodeProperties {
	const day = (name: string, label: string, about: string) =>
		textField(name, label, about, {
			typeOptions: { sentAs: 'date' },
			placeholder: 'e.g. 2026-01-31',
			send: false,
		});
	return groupField(
		'publishedBetween',
		'Published Between',
		'Add date',
		'Only web results of these days. Not together with Time Filter.',
		[day('from', 'From', 'The first day, as YYYY-MM-DD'), day('to', 'To', 'The last day, as YYYY-MM-DD')],
		{ typeOptions: { sentAs: 'timeSpan' }, ...(where.send === undefined && { send: 'tbs' }) },
	);
}
