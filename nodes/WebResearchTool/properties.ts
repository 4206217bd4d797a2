import type { INodeProperties } from 'n8n-workflow';
import { mainFields, options, pageOptions } from '../WebResearch/panel';

/** The description that the agent's model reads when it decides whether to call the tool. */
const toolDescription: INodeProperties = {
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	typeOptions: { rows: 2 },
	default:
		'Researches a question on the web and returns an analysis with numbered sources. Every statement has a quote that was looked up in its page. Takes minutes: use it for questions that need several pages.',
	required: true,
	description: 'What the tool does, for the model of the agent',
};

/** The panel's properties; the build puts their JSON in place of this file (gulpfile.js). */
export function readProperties(): INodeProperties[] {
	return [toolDescription, ...mainFields(true), options, pageOptions];
}
