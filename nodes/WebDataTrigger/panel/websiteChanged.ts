import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { findOperation } from '../../WebData/resources';

/** Options of Monitor · Create that a monitor of a trigger can have: its webhook is the trigger's own. */
const OPTIONS_OF_MONITOR = ['judgeEnabled', 'retentionDays', 'notification'];

/** The fields of Monitor · Create that say what a monitor watches, and when. */
export function monitorFields(): INodeProperties[] {
	const fields = findOperation('monitor', 'create')?.operation.fields ?? [];
	return fields
		.filter(({ name }) => name !== 'name')
		.map((field) =>
			field.name !== 'options'
				? field
				: {
						...field,
						displayName: 'Monitor Options',
						options: field.options?.filter(({ name }) => OPTIONS_OF_MONITOR.includes(name)),
					},
		);
}

const monitorBy: INodeProperties = {
	displayName: 'Monitor',
	name: 'monitorBy',
	type: 'options',
	options: [
		{
			name: 'Existing',
			value: 'existing',
			description: 'One that you have: its webhook is set to this workflow while it is active',
		},
		{
			name: 'Own',
			value: 'own',
			description: 'Made when the workflow is activated, removed when it is deactivated',
		},
	],
	default: 'own',
	description: 'Which monitor of the service looks at the pages',
};

const monitorId: INodeProperties = {
	displayName: 'Existing Monitor',
	name: 'monitorId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a monitor…',
			typeOptions: { searchListMethod: 'searchMonitors', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 01a1ffaa-742a-707a-9bc7-4a76f671b387',
		},
	],
	description:
		'Its earlier webhook is put back on deactivation. Where there was none, the address stays with it and answers 404 from then on: the service cannot remove one.',
	displayOptions: { show: { monitorBy: ['existing'] } },
};

const ownNotice: INodeProperties = {
	displayName:
		'Each check costs 1 credit a page. The first check is what later ones are compared with and starts nothing. Activating anew begins anew, and so does a change of this node, in n8n 1 of any node: an existing monitor keeps its history.',
	name: 'ownNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { monitorBy: ['own'] } },
};

const changes: INodeProperties = {
	displayName: 'Changes',
	name: 'changes',
	type: 'multiOptions',
	options: [
		{ name: 'Changed', value: 'changed', description: 'The page is not as it was' },
		{ name: 'Failed', value: 'error', description: 'The page could not be read' },
		{ name: 'New', value: 'new', description: 'The page or search result was not there before' },
		{ name: 'Removed', value: 'removed', description: 'The page is not found or watched any more' },
	],
	default: ['changed', 'new', 'removed'],
	description: 'What starts the workflow',
};

const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One Execution per Page',
			value: 'atOnce',
			description: 'As soon as the service has looked at the page',
		},
		{
			name: 'One Item per Check',
			value: 'check',
			description: 'State and counts of the check, with the pages that count in one list',
		},
		{
			name: 'One Item per Page',
			value: 'pages',
			description: 'When the check has ended: its pages that count, read from the service',
		},
	],
	default: 'pages',
	description: 'What the workflow starts with',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'triggerOptions',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Only What Matters',
			name: 'onlyMeaningful',
			type: 'boolean',
			default: true,
			description:
				'Whether to leave out changes that the service has judged not to meet the goal. Default: off.',
		},
		{
			displayName: 'Report First Check',
			name: 'reportFirst',
			type: 'boolean',
			default: true,
			description:
				'Whether the pages of the first check of an own monitor, all of them new, start the workflow as well. Default: off.',
		},
	],
};

/** The fields of Website Changed. */
export function websiteChangedFields(): INodeProperties[] {
	const own = updateDisplayOptions({ show: { monitorBy: ['own'] } }, monitorFields());
	return [monitorBy, monitorId, ownNotice, ...own, changes, output, options];
}
