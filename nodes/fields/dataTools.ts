import type { INodeProperties } from 'n8n-workflow';
import { choiceField, switchField } from './field';

/** Asks for the data tools that fit what is found. `byDefault`: the detail that the service gives where none is named. */
export function toolFields(byDefault: 'compact' | 'summary', of: string): INodeProperties[] {
	return [
		switchField(
			'domainTools',
			'Domain Tools',
			true,
			`Whether to add the data tools that fit ${of}. Firecrawl opens them to some teams.`,
		),
		choiceField('toolDetail', 'Tool Detail', byDefault, 'How much to tell of each data tool', [
			['Compact', 'compact', 'Its names and its price'],
			['Full', 'full', 'All that the catalogue has of it'],
			['Summary', 'summary', 'Its names, its price and what it does'],
		]),
	];
}
