import type { INodeProperties } from 'n8n-workflow';
import { refusedInput } from '../../service/http/failure';
import { readLinePattern } from '../../text/linePatterns';
import { optionList, returnAllOrLimit } from '../basic';
import { choiceField, choicesField, numberField, switchField, textField } from '../field';
import { checkValues, example, schema } from '../formats';
import { jobId, onUnclearStart, waitForCompletion, waitOptions, whenWaitedFor } from './wait';

/** An option: what of a page becomes binary data. Read by filesToStore in operation/pages.ts. */
export const storeAsFiles: INodeProperties = choicesField(
	'storeAsFiles',
	'Store as Files',
	['screenshot'],
	'What to return as binary files instead of JSON fields. The formats needed are requested automatically.',
	[
		['HTML', 'html', 'In the binary field html'],
		['Markdown', 'markdown', 'In the binary field markdown'],
		['PDF Files', 'pdf', 'Downloaded in the binary field pdf, printed by an action in pdf_1 …'],
		['Raw HTML', 'rawHtml', 'In the binary field rawHtml'],
		['Screenshots', 'screenshot', 'In the binary field screenshot; those of actions in screenshot_1 …'],
	],
	{ send: false },
);

/** The same for operations that may put out something else than pages, and for Scrape, which cannot. */
export const storePagesAsFiles: INodeProperties = {
	...storeAsFiles,
	displayOptions: { hide: { '/output': ['job', 'status'], '/waitForCompletion': [false] } },
};

/** An option: most characters of each text of a page. Read by pageTextBound in operation/pageText.ts. */
export const maxPageCharacters: INodeProperties = numberField(
	'maxPageCharacters',
	'Max Characters per Page',
	20000,
	'How many characters of Markdown and HTML to return for each page. A longer text is cut, near a paragraph: see cutAt and length. AI agents get 20,000 unless you set it.',
	{
		min: 1,
		send: false,
		displayOptions: { hide: { '/output': ['file', 'status'], '/waitForCompletion': [false] } },
	},
);

/** The options of the pages of a crawl or a batch that are not sent. */
export const optionsOfPages = [storePagesAsFiles, maxPageCharacters];

/** An option beside it: a long text can be read in parts. */
export const fromCharacter: INodeProperties = numberField(
	'fromCharacter',
	'From Character',
	0,
	'How many characters to leave out at the beginning: the cutAt of the call before, to read on. Scrape and Parse pay for the page again.',
	{ min: 0, send: false },
);

export const ignoredLines: INodeProperties = textField(
	'ignoredLines',
	'Ignore Lines Matching',
	'Lines to ignore in comparisons: regular expressions, one per line, case-insensitive',
	{ typeOptions: { rows: 3 }, placeholder: 'e.g. \\d+ (views|comments)', send: false },
);

export const ignoredParts: INodeProperties = textField(
	'ignoredParts',
	'Ignore Parts Matching',
	'Parts of lines to ignore, in the same way: the rest of the line counts',
	{ typeOptions: { rows: 3 }, placeholder: 'e.g. as of [\\w ]+', send: false },
);

/** What a user ignores in comparisons. */
export interface IgnoredText {
	lines: RegExp[];
	parts: RegExp[];
}

/** The patterns of both fields. Throws a ServiceFailure of kind badInput. */
export function ignoredText({ ignoredLines: lines, ignoredParts: parts }: Record<string, unknown>): IgnoredText {
	const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
	return {
		lines: readPatterns(textOf(lines), ignoredLines.displayName),
		parts: readPatterns(textOf(parts), ignoredParts.displayName),
	};
}

/**
 * One regular expression a line. Throws a ServiceFailure of kind badInput that names one that is none, or that
 * could keep n8n busy for ever.
 */
function readPatterns(text: string, name: string): RegExp[] {
	return text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((line) => {
			const read = readLinePattern(line);
			if (read instanceof RegExp) return read;
			throw refusedInput(`"${name}" holds a line that ${read.problem}: ${line}.`);
		});
}

/** Shown for outputs with pages that can be left out. */
const displayOptions = { hide: { '/output': ['status'] } };

/** An option: where the memory of a node is. Its value is read by memoryTableOf in run/memory/memory.ts. */
export const memoryTable: INodeProperties = textField(
	'memoryTable',
	'Memory Table',
	'Name of the n8n Data Table that remembers what was found, one row a node. It is made when missing; all who may open the project can read it. On n8n 1.123: the ID of a table with the columns key and value (String) and version (Number).',
	{ default: 'web_data_memory', placeholder: 'e.g. web_data_memory', send: false },
);

/** Options: pages that are as they were in the last run are left out; read by run/changes/pageChanges.ts. */
const onlyChanged: INodeProperties[] = [
	{
		displayName: 'Only New and Changed Pages',
		name: 'onlyChanged',
		type: 'boolean',
		default: true,
		displayOptions,
		description:
			'Whether to return only what is new, changed or gone since the last production run. Firecrawl fetches each page again, for the same credits, unless you set Max Age: its cache may be two days old. Manual runs record nothing.',
	},
	{ ...ignoredLines, displayOptions },
	{ ...ignoredParts, displayOptions },
	{ ...memoryTable, displayOptions },
];

/** The choice of the output of a job that gathers pages. The values are those of PageOutput in resources/pages.ts. */
export const pagesOutput: INodeProperties = choiceField(
	'output',
	'Output',
	'pages',
	'What to return for each job',
	[
		[
			'One File',
			'file',
			'All pages in one file, one JSON object per line (JSON Lines), for large sites. 64 MB at most where n8n keeps files in memory.',
		],
		['One Item per Job', 'job', 'State and counters of the job, with all of its pages in one list'],
		['One Item per Page', 'pages', 'Each page as a separate item: URL, title, description, content, status'],
		['One Item per Page (Full Document)', 'fullPages', 'The same with all metadata of the page'],
		['Status Only', 'status', 'State and counters of the job, without its pages'],
	],
	{ send: false },
);

/** An option: what of each page becomes binary data of its item. */
const filesOfPages: INodeProperties = {
	...storeAsFiles,
	displayOptions: { show: { '/output': ['pages', 'fullPages'] } },
};

/** An option: what becomes of pages that could not be scraped; its value is read by run/jobs/planJobs.ts. */
const failedPages: INodeProperties = switchField(
	'failedPages',
	'Output Failed Pages',
	true,
	'Whether to return failed pages as items, with the reason in pageError. Without this option, a hint counts them.',
	{ displayOptions: { show: { '/output': ['pages', 'fullPages'] } }, send: false },
);

/** For jobs that end without success; its value is read by run/jobs/planJobs.ts. */
const onFailure: INodeProperties = choiceField(
	'onFailure',
	'On Failure',
	'fail',
	'What to do with a job that fails or is cancelled',
	[
		['Fail', 'fail', 'Error that names the job ID and the reason'],
		['Output the Pages It Has', 'output', 'The pages scraped so far; each item has the job’s state'],
	],
	{ send: false },
);

/** An option: stops paying for what nobody waits for any more; its value is read by run/jobs/planJobs.ts. */
export const cancelOnStop: INodeProperties = switchField(
	'cancelOnStop',
	'Cancel on Stop',
	true,
	'Whether to cancel the jobs when you stop the execution or it times out. Get still returns the pages that are done. Stopping a wait in the background cancels nothing.',
	{ send: false },
);

/** The options that every start of such a job has, most of them for a node that waits. */
export const optionsOfPagesStart: INodeProperties[] = [
	...[waitOptions(onFailure, cancelOnStop), ...onlyChanged, failedPages].map(whenWaitedFor),
	onUnclearStart,
];

/** All by default: nobody expects that a crawl of 2,000 pages comes out as 50. */
export const pageCount = returnAllOrLimit.map((field) => ({
	...field,
	...(field.name === 'returnAll' && { default: true }),
	displayOptions: {
		show: { ...field.displayOptions?.show, output: ['pages', 'fullPages', 'job', 'file'] },
	},
}));

/** With a limit: a long result can be read in parts, each from where the one before has ended. */
const fromPage: INodeProperties = {
	displayName: 'From Page',
	name: 'fromPage',
	type: 'number',
	// Left empty it would mean the first page: a loop that does not stop at null would never end.
	typeOptions: { minValue: 1, numberPrecision: 0, isNeeded: true },
	default: 1,
	displayOptions: { show: { returnAll: [false], output: ['pages', 'fullPages', 'job', 'file'] } },
	description:
		'First page to return, counted from 1. The last item holds nextPage, where the next part begins; it is null after the last page. Use it in a loop after the job has ended; while it runs, there is always a next part.',
};

/** An option of Get: the pages may have JSON, and need Markdown for the look-up. */
export const checkKeptValues: INodeProperties = {
	...checkValues,
	displayOptions,
	description:
		'What to do with values of the JSON format that do not stand on their page. Code looks each one up, which needs Markdown among the formats that were asked for; their paths come out in unproven.',
};

/** The fields of Get for a job that gathers pages. */
export const getPagesFields = (id = jobId): INodeProperties[] => [
	id,
	waitForCompletion,
	pagesOutput,
	...pageCount,
	fromPage,
	optionList(
		checkKeptValues,
		...onlyChanged,
		failedPages,
		filesOfPages,
		maxPageCharacters,
		onFailure,
		whenWaitedFor(waitOptions()),
	),
];

/**
 * The structure of the data of a whole job: not at all, like an example, or by a JSON Schema. Sent as the body's
 * `schema`.
 */
export const structureFields: INodeProperties[] = [
	choiceField(
		'structure',
		'JSON From',
		'prompt',
		'How to describe the data you want',
		[
			['Example', 'example', 'An object like the one you want'],
			['JSON Schema', 'schema', 'A JSON Schema the data must follow'],
			['Prompt Only', 'prompt', 'The prompt describes the data'],
		],
		{ send: false },
	),
	{ ...example, displayOptions: { show: { structure: ['example'] } } },
	{ ...schema, displayOptions: { show: { structure: ['schema'] } } },
];
