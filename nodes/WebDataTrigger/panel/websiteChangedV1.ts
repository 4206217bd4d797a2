import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { findOperation } from '../../WebData/resources';
import { changes, existingMonitor, output } from './websiteChanged';

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
			description:
				'A monitor that you have: its webhook points to this workflow while it is active',
		},
		{
			name: 'Own',
			value: 'own',
			description: 'Made when the workflow is activated, removed when it is deactivated',
		},
	],
	default: 'own',
	description: 'Which monitor of Firecrawl checks the pages',
};

const monitorId: INodeProperties = {
	...existingMonitor,
	required: true,
	displayOptions: { show: { monitorBy: ['existing'] } },
};

const ownNotice: INodeProperties = {
	displayName:
		'Each check costs 1 credit per page. The first check records the starting point. Reactivating starts a new history.',
	name: 'ownNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { monitorBy: ['own'] } },
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
				'Whether to skip changes that do not meet the goal. Without this option: all changes.',
		},
		{
			displayName: 'Report First Check',
			name: 'reportFirst',
			type: 'boolean',
			default: true,
			description:
				'Whether the first check of an own monitor starts the workflow, with all pages as new. Without this option it only records them.',
		},
		{
			displayName: 'Take Over',
			name: 'takeOver',
			type: 'boolean',
			default: true,
			description:
				'Whether to use the monitor even if another workflow uses it; that one then gets no more events. Without this option, activation fails.',
			displayOptions: { show: { '/monitorBy': ['existing'] } },
		},
	],
};

/**
 * The fields of Website Changed in version 1 of the node, for workflows that were made with it. Version 2 asks for
 * addresses first and has the rest in its options.
 */
export function websiteChangedFieldsV1(): INodeProperties[] {
	const own = updateDisplayOptions({ show: { monitorBy: ['own'] } }, monitorFields());
	return [monitorBy, monitorId, ownNotice, ...own, changes, output, options];
}
