import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { url } from '../../WebData/fields/basic/url';
import { readPatterns } from '../marks/linePatterns';
import { differenceOf, keptLines, linesOf } from '../marks/lineDifference';
import type { PollEvent, Reader } from './pollEvent';

const ignoredLines: INodeProperties = {
	displayName: 'Ignore Lines Matching',
	name: 'ignoredLines',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. \\d+ (views|comments)',
	description:
		'Lines of the page’s Markdown that are no change when they differ: one regular expression a line, upper and lower case alike',
};

const onlyMainContent: INodeProperties = {
	displayName: 'Only Main Content',
	name: 'onlyMainContent',
	type: 'boolean',
	default: true,
	description: 'Whether to leave out menus, headers and footers',
};

export const pageChanged: PollEvent = {
	value: 'pageChanged',
	name: 'Page Changed',
	description: 'The text of a page is not as it was',
	notice:
		'Each poll scrapes the page, for 1 credit: once an hour is 720 credits a month. Compared are lines of its Markdown, the first 50,000 characters of them.',
	fields: [
		url('Address of the page to watch', 'e.g. https://example.com/prices'),
		ignoredLines,
		onlyMainContent,
	],
	async look({ items }, values, mark) {
		const ignored = readPatterns(String(values.ignoredLines ?? ''));
		const page = await scrape(items, values);
		const { markdown } = page.json;
		const lines = keptLines(linesOf(typeof markdown === 'string' ? markdown : '', ignored));
		// A page without text is no measure: at each look everything would be gone, and then new.
		if (lines.length === 0) throw noMeasure(String(values.url), 'it has no text');
		const before = Array.isArray(mark?.lines) ? mark.lines.map(String) : lines;
		const difference = differenceOf(before, lines);
		const changed = difference.added.length > 0 || difference.removed.length > 0;
		const item = { json: { ...leading(page.json), ...difference, ...page.json } };
		return {
			news: changed ? [item] : [],
			mark: { lines },
			sample: item,
		};
	},
};

/** What stands before the difference. */
function leading({ url: address, title }: IDataObject): IDataObject {
	return { url: address, ...(title !== undefined && { title }) };
}

async function scrape(items: Reader['items'], values: JsonObject): Promise<INodeExecutionData> {
	const parameters = {
		url: String(values.url ?? ''),
		formats: ['markdown'],
		output: 'simplified',
		// A copy of up to two days would hide a change.
		scrapeOptions: { maxAge: 0, onlyMainContent: values.onlyMainContent !== false },
	};
	const [page] = await items({ resource: 'page', operation: 'scrape', parameters });
	if (!page) throw noMeasure(parameters.url, 'it put out nothing');
	const { statusCode } = page.json;
	if (typeof statusCode === 'number' && statusCode >= 400)
		throw noMeasure(parameters.url, `it answered with ${statusCode}`);
	return page;
}

/** What an error page says is no change of the page. */
function noMeasure(address: string, why: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'connection',
		reached: 'maybe',
		message: `${address} could not be compared: ${why}. The next poll looks again.`,
	});
}
