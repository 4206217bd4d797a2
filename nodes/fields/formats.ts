import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { optionFields } from './basic';
import {
	choiceField,
	choicesField,
	groupField,
	jsonField,
	numberField,
	rowsField,
	switchField,
	textField,
} from './field';

/** Most characters of a prompt, a question or a request (shape `format`). */
export const MAX_PROMPT_LENGTH = 10_000;

const structure: INodeProperties = choiceField(
	'jsonFrom',
	'JSON From',
	'example',
	'How to describe the data you want',
	[
		['Example', 'example', 'An object like the ones you want'],
		['JSON Schema', 'schema', 'A JSON Schema the data must follow'],
		['Prompt Only', 'prompt', 'A description in plain words'],
	],
	{ send: false },
);

/** An example of the data, as an object like the ones that are wanted. */
export const example: INodeProperties = jsonField(
	'example',
	'Example',
	'{\n  "title": "Blue bicycle",\n  "price": 499.5,\n  "inStock": true\n}',
	'JSON object with the fields you want. Only names and types matter; the values are ignored.',
	{ typeOptions: { sentAs: 'schemaOfExample' }, required: true, send: 'schema' },
);

/** The same as JSON Schema. */
export const schema: INodeProperties = jsonField(
	'schema',
	'JSON Schema',
	'{\n  "type": "object",\n  "properties": {\n    "title": { "type": "string" }\n  },\n  "required": ["title"]\n}',
	'JSON Schema of the data you want, starting with { "type": "object", "properties": … }. For a plain example choose Example above.',
	{ typeOptions: { sentAs: 'jsonSchema' }, required: true },
);

const prompt: INodeProperties = textField(
	'jsonPrompt',
	'Prompt',
	`What to extract from the page, in plain words, at most ${MAX_PROMPT_LENGTH} characters`,
	{
		typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH },
		placeholder: 'e.g. Only products that can be ordered now',
		send: 'prompt',
	},
);

const checkPromptInjection: INodeProperties = switchField(
	'checkPromptInjection',
	'Check for Prompt Injection (Older Servers)',
	false,
	'Whether to check the page for text that tries to steer the extraction. Newer servers have a page option for it.',
);

const from = (choice: string) => ({ displayOptions: { show: { jsonFrom: [choice] } } });

/** An option: the values of each page's JSON are looked up on it. Read by valueCheckOf in operation/valueCheck.ts. */
export const checkValues: INodeProperties = choiceField(
	'checkValues',
	'Check Values on the Page',
	'list',
	'What to do with values that do not stand on the page they were read from. Code looks each one up, for no further credit; their paths come out in unproven.',
	[
		['Keep and List', 'list', 'They stay in the JSON'],
		['Leave Out', 'leaveOut', 'They are null in the JSON'],
	],
	{ send: false, displayOptions: { hide: { '/output': ['status', 'tools'], '/waitForCompletion': [false] } } },
);

/**
 * The settings of the JSON format. The service needs a schema or a prompt or both, and answers with nothing
 * otherwise (recording scrape-27): so one of them is always required here.
 */
const jsonSettings: INodeProperties[] = [
	structure,
	{ ...example, displayName: 'JSON Example', name: 'jsonExample', ...from('example') },
	{ ...schema, name: 'jsonSchema', ...from('schema') },
	{
		...prompt,
		displayName: 'JSON Prompt',
		typeOptions: { ...prompt.typeOptions, isNeeded: true },
		...from('prompt'),
	},
	groupField('jsonFormatOptions', 'JSON Options', 'Add JSON option', 'More about what to extract', [
		{ ...prompt, name: 'prompt', displayOptions: { hide: { '/jsonFrom': ['prompt'] } } },
		checkValues,
		checkPromptInjection,
	]),
];

/**
 * Options of a screenshot, the same for the format and for the browser action (shapes `format` and
 * `action`). No quality is sent by default: the service names none.
 */
export const screenshotOptions: INodeProperties = groupField(
	'screenshotOptions',
	'Screenshot Options',
	'Add screenshot option',
	'Size and quality of the image',
	[
		switchField('fullPage', 'Full Page', false, 'Whether to show the whole page instead of the visible part'),
		numberField('quality', 'Quality', 80, 'Image quality, 1 to 100, where 100 is the best', {
			min: 1,
			max: 100,
		}),
		rowsField(
			'viewport',
			'Viewport',
			'Set size',
			'Size of the browser window in pixels',
			[
				'size',
				'Size',
				[
					numberField('width', 'Width', 1280, 'Width in pixels, 1 to 7680', {
						min: 1,
						max: 7680,
						required: true,
					}),
					numberField('height', 'Height', 800, 'Height in pixels, 1 to 4320', {
						min: 1,
						max: 4320,
						required: true,
					}),
				],
			],
			{ send: 'viewport' },
		),
	],
);

/**
 * Shown where pages are scraped at all. Only Search can do without; to the other operations, which have no such
 * parameter, the condition says nothing. It is the same for all, so that they share the field.
 */
export const whereScraped: IDisplayOptions = { hide: { '/withContent': [false] } };

const question: INodeProperties = textField(
	'question',
	'Question',
	`Question to answer from each page, in plain words, at most ${MAX_PROMPT_LENGTH} characters`,
	{
		typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH, isNeeded: true },
		placeholder: 'e.g. What does the basic plan cost?',
	},
);

const highlightsQuery: INodeProperties = textField(
	'highlightsQuery',
	'Look For',
	`Topic or question that the passages must be about, in plain words, at most ${MAX_PROMPT_LENGTH} characters`,
	{
		typeOptions: { rows: 2, maxLength: MAX_PROMPT_LENGTH, isNeeded: true },
		placeholder: 'e.g. opening hours',
		send: 'query',
	},
);

const attributes: INodeProperties = rowsField(
	'attributes',
	'Attributes',
	'Add attribute',
	'Which attribute to read from which elements of the page',
	[
		'selector',
		'Attribute',
		[
			textField('selector', 'CSS Selector', 'CSS selector of the elements to read from, such as a.download', {
				required: true,
				placeholder: 'e.g. a.download',
			}),
			textField('attribute', 'Attribute', 'Name of the HTML attribute to read, such as href', {
				required: true,
				placeholder: 'e.g. href',
			}),
		],
	],
	{ typeOptions: { multipleValues: true, isNeeded: true }, send: 'selectors' },
);

const changeTrackingOptions: INodeProperties = groupField(
	'changeTrackingOptions',
	'Change Tracking Options',
	'Add change tracking option',
	'What is compared with the last scrape, and how changes are shown',
	[
		choicesField('modes', 'Modes', [], 'How to show the changes. With none chosen, only whether the page changed.', [
			['Line by Line', 'git-diff', 'Which lines were changed'],
			['Field by Field', 'json', 'Previous and current value of each field. Costs 4 more credits for each page.'],
		]),
		textField('prompt', 'Prompt', 'What to compare, in plain words, for the mode Field by Field', {
			typeOptions: { rows: 2 },
			placeholder: 'e.g. Compare the prices',
		}),
		jsonField(
			'schema',
			'Schema',
			'{\n  "type": "object",\n  "properties": {\n    "price": { "type": "number" }\n  }\n}',
			'JSON Schema of the fields to compare, as a JSON object, for the mode Field by Field',
		),
		textField('tag', 'Tag', 'Name of a separate history: the page is compared with its last scrape with the same tag', {
			placeholder: 'e.g. daily',
		}),
	],
);

/**
 * The settings of the formats that have any, each shown when its format is chosen. `property` is where the
 * request has its formats: a setting goes to the entry of its own format there.
 */
function formatSettings(property: string): INodeProperties[] {
	const settingsOf = (format: string, field: INodeProperties): INodeProperties => {
		const own = field.routing?.send?.property;
		const entry = `${property}[${format}]`;
		const place = field.type === 'collection' ? entry : own && `${entry}.${own}`;
		return {
			...field,
			// With a slash: n8n's editor empties groups whose conditions name the parameter that changes,
			// and a format that is added would take away what is set for another one.
			displayOptions: {
				...whereScraped,
				show: { ...field.displayOptions?.show, '/formats': [format] },
			},
			...(place !== undefined && { routing: { send: { type: 'body', property: place } } }),
		};
	};
	return [
		...jsonSettings.map((field) => settingsOf('json', field)),
		settingsOf('question', question),
		settingsOf('highlights', highlightsQuery),
		settingsOf('attributes', attributes),
		settingsOf('screenshot', screenshotOptions),
		settingsOf('changeTracking', changeTrackingOptions),
	];
}

/** The formats that most people ask for. */
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
		description: 'The page or file exactly as received, as Base64. Alone, without other formats. Not on older servers.',
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
	typeOptions: { alone: ['rawBase64'] },
	default: ['markdown'],
	description: 'What to return for each page. Formats with settings show them below once they are chosen.',
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
	return [{ ...formatNames, routing: { send: { type: 'body', property } } }, ...formatSettings(property)];
}

/** The formats that can be made of a file (shape `parseFormat`). */
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
			description: 'What to return for each file. Formats with settings show them below once they are chosen.',
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
