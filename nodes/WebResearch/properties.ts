import type { INodeProperties } from 'n8n-workflow';
import { noticeField } from '../fields/field';
import { mainFields, options, pageOptions } from './panel';

/** The notice above the fields, before a question costs anything. */
const costNotice: INodeProperties = noticeField(
	'costNotice',
	'With the default limits, a question costs up to about 50 Firecrawl credits (20 pages and the searches), plus the tokens of your chat model. Optional: connect a cheaper model as <b>Reading Model</b>; it reads the pages, and the Chat Model plans and writes. Each statement of the analysis is checked against the page that it cites.',
);

/** The panel's properties; the build puts their JSON in place of this file (gulpfile.js). */
export function readProperties(): INodeProperties[] {
	return [costNotice, ...mainFields(false), options, pageOptions];
}
