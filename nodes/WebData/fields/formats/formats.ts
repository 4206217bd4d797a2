import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { optionFields } from '../basic/optionFields';
import { formatSettings } from './formatSettings';
import { whereScraped } from './whereScraped';

/** What most people ask for. */
const EVERYDAY: INodePropertyOptions[] = [
	{ name: 'Markdown', value: 'markdown', description: 'Clean Markdown' },
	{
		name: 'JSON',
		value: 'json',
		description: 'Structured data by example, schema or prompt. Costs 4 more credits.',
	},
	{ name: 'HTML', value: 'html', description: 'Cleaned HTML with absolute URLs' },
	{ name: 'Links', value: 'links', description: 'All links of the page' },
	{
		name: 'Screenshot',
		value: 'screenshot',
		description: 'Image of the page, as a link valid for 24 hours',
	},
	{ name: 'Summary', value: 'summary', description: 'Short summary of the page' },
];

const OTHERS: INodePropertyOptions[] = [
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
		description: 'What changed since your last scrape of the page. Choose Markdown as well.',
	},
	{
		name: 'Highlights',
		value: 'highlights',
		description: 'Passages of the page that match a request. Costs 4 more credits.',
	},
	{ name: 'Images', value: 'images', description: 'URLs of all images' },
	{ name: 'Menu', value: 'menu', description: 'Record of a restaurant menu (private beta)' },
	{ name: 'Product', value: 'product', description: 'Record of the product on a shop page' },
	{
		name: 'Question',
		value: 'question',
		description: 'Answer to one question about the page. Costs 4 more credits.',
	},
	{
		name: 'Raw File (Base64)',
		value: 'rawBase64',
		description:
			'The page or file exactly as received, as Base64. Alone, without other formats. Not on older servers.',
	},
	{ name: 'Raw HTML', value: 'rawHtml', description: 'HTML exactly as received' },
	{
		name: 'Video',
		value: 'video',
		description: 'Video of the page, as a link valid for 1 hour. Costs 4 more credits.',
	},
];

/**
 * Every output format of the contract (shape `format`) but the deprecated `query`, which `question`
 * replaces. A format goes out as its bare name, which servers of both generations read, or as an object
 * when its group of settings below says something.
 */
const formatNames: INodeProperties = {
	displayName: 'Formats',
	name: 'formats',
	type: 'multiOptions',
	options: [...EVERYDAY, ...OTHERS],
	typeOptions: { alone: 'rawBase64' },
	default: ['markdown'],
	description:
		'What to return for each page. Formats with settings show them below once they are chosen.',
	// Always sent: without formats a search scrapes nothing.
	required: true,
	displayOptions: whereScraped,
};

/**
 * The output formats and their settings. `parent` is where the request has its scrape options: nothing
 * for Scrape and Batch Scrape, whose body holds them itself, `scrapeOptions` for Crawl and Search.
 */
export function formats(parent?: string): INodeProperties[] {
	const property = parent === undefined ? 'formats' : `${parent}.formats`;
	return [
		{ ...formatNames, routing: { send: { type: 'body', property } } },
		...formatSettings(property),
	];
}

/** What can be made of a file (shape `parseFormat`). */
const OF_FILES = ['html', 'images', 'json', 'links', 'markdown', 'rawHtml', 'summary'];

/** The same for uploaded files, of which fewer things can be made. */
export function fileFormats(): INodeProperties[] {
	const [names, ...settings] = formats();
	if (!names) return [];
	const options = optionsOf(names).filter(({ value }) => OF_FILES.includes(String(value)));
	const isOfFiles = ({ displayOptions }: INodeProperties) =>
		displayOptions?.show?.['/formats']?.some((format) => OF_FILES.includes(String(format)));
	return [
		{
			...names,
			options,
			description:
				'What to return for each file. Formats with settings show them below once they are chosen.',
		},
		...settings.filter(isOfFiles).map(withoutCheckOfSite),
	];
}

/** Whether a page tries to steer the extraction is asked of sites only (shape `parseFormat`). */
function withoutCheckOfSite(field: INodeProperties): INodeProperties {
	if (field.type !== 'collection') return field;
	return {
		...field,
		options: optionFields(field).filter(({ name }) => name !== 'checkPromptInjection'),
	};
}

function optionsOf({ options = [] }: INodeProperties): INodePropertyOptions[] {
	return options.filter((option): option is INodePropertyOptions => 'value' in option);
}
