import type { INodeProperties } from 'n8n-workflow';

import { formatFields } from './formatFields';

/**
 * Every output format of the contract (shape `format`) but the deprecated `query`, which `question`
 * replaces. Names without options go out as bare strings: servers of both generations read them.
 */
const formatType: INodeProperties = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{
			name: 'Attributes',
			value: 'attributes',
			description: 'Values of HTML attributes, found by CSS selector',
		},
		{
			name: 'Audio',
			value: 'audio',
			description: 'MP3 of a video page, as a link valid for 1 hour. Costs 4 more credits.',
		},
		{ name: 'Branding', value: 'branding', description: 'Colors, fonts and other brand design' },
		{
			name: 'Change Tracking',
			value: 'changeTracking',
			description: 'What changed since your last scrape of the page. Add Markdown as well.',
		},
		{
			name: 'Highlights',
			value: 'highlights',
			description: 'Passages of the page that match a request. Costs 4 more credits.',
		},
		{ name: 'HTML', value: 'html', description: 'Cleaned HTML with absolute URLs' },
		{ name: 'Images', value: 'images', description: 'URLs of all images' },
		{
			name: 'JSON',
			value: 'json',
			description: 'Structured data by example, schema or prompt. Costs 4 more credits.',
		},
		{ name: 'Links', value: 'links', description: 'All links of the page' },
		{ name: 'Markdown', value: 'markdown', description: 'Clean Markdown' },
		{ name: 'Menu', value: 'menu', description: 'Record of a restaurant menu (private beta)' },
		{ name: 'Product', value: 'product', description: 'Record of the product on a shop page' },
		{
			name: 'Question',
			value: 'question',
			description: 'Answer to one question about the page. Costs 4 more credits.',
		},
		{ name: 'Raw HTML', value: 'rawHtml', description: 'HTML exactly as received' },
		{
			name: 'Screenshot',
			value: 'screenshot',
			description: 'Image of the page, as a link valid for 24 hours. At most one.',
		},
		{ name: 'Summary', value: 'summary', description: 'Short summary of the page' },
		{
			name: 'Video',
			value: 'video',
			description: 'Video of the page, as a link valid for 1 hour. Costs 4 more credits.',
		},
	],
	default: 'markdown',
	required: true,
	description: 'What to return for each page. Default: Markdown.',
	routing: { send: { type: 'body', property: 'type' } },
};

/**
 * The list of output formats, each with its own options.
 * `parent` is where the request has its scrape options: nothing for Scrape and Batch Scrape, whose
 * body holds them itself, `scrapeOptions` for Crawl and Search.
 */
export function formats(parent?: string): INodeProperties {
	return {
		displayName: 'Formats',
		name: 'formats',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, shorthand: 'type' },
		// On the button, because the panel says nothing else of what an empty list means.
		placeholder: 'Add format (Markdown if none)',
		default: {},
		description: 'What to return for each page. Without any: Markdown.',
		options: [{ displayName: 'Format', name: 'format', values: [formatType, ...formatFields] }],
		routing: {
			send: { type: 'body', property: parent === undefined ? 'formats' : `${parent}.formats` },
		},
	};
}
