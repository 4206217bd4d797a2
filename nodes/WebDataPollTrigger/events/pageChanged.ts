import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { url } from '../../WebData/fields/basic';
import { switchField } from '../../WebData/fields/field';
import { ignoredLines, readPatterns, withoutIgnored } from '../../WebData/fields/job/pages';
import type { JsonObject } from '../../service/http/transport';
import { sameAddress } from '../../text/addresses';
import { asPageLines, differenceOf, linesMark, MAX_LINES, nonEmptyLines, readLinesMark } from '../marks/pageLines';
import type { LineDifference } from '../marks/pageLines';
import { PollFailure } from './pollEvent';
import type { PollEvent, Reader } from './pollEvent';

const ignoreMovedLines: INodeProperties = switchField(
	'ignoreMovedLines',
	'Ignore Moved Lines',
	false,
	'Whether to ignore lines that only moved, for pages that show their parts in another order each time. Two prices that swap places are then not noticed.',
	{ send: false },
);

const onlyMainContent: INodeProperties = switchField(
	'onlyMainContent',
	'Only Main Content',
	true,
	'Whether to leave out menus, headers and footers',
	{ send: false },
);

export const pageChanged: PollEvent = {
	value: 'pageChanged',
	name: 'Page Changed',
	description: 'The text of a page has changed',
	notice: 'Each poll costs 1 credit.',
	fields: [
		url('Address of the page to watch', 'e.g. https://example.com/prices'),
		ignoredLines,
		onlyMainContent,
		ignoreMovedLines,
	],
	isOfAccount: () => false,
	watched: ({ values }) => ({
		address: sameAddress(String(values.url ?? '')),
		ignoredLines: values.ignoredLines,
		onlyMainContent: values.onlyMainContent,
	}),
	isMark: (mark) => readLinesMark(mark) !== undefined,
	async look({ items, pause }, values, mark) {
		const patterns = readPatterns(String(values.ignoredLines ?? ''));
		const page = await scrape(items, values);
		const { markdown } = page.json;
		const all = nonEmptyLines(typeof markdown === 'string' ? markdown : '');
		const texts = withoutIgnored(all.slice(0, MAX_LINES), patterns);
		// A page without text is no measure: at each check everything would be gone, and then new.
		if (texts.length === 0) throw noMeasure(values.url, 'it has no text', 'empty');
		const now = await asPageLines({ texts, isCut: all.length > MAX_LINES }, pause);
		const difference = differenceOf(readLinesMark(mark) ?? now, now);
		const { removedWithoutText, ...shown } = difference;
		const item = {
			json: {
				...leading(page.json),
				...shown,
				...(removedWithoutText > 0 && { removedWithoutText }),
				...page.json,
			},
		};
		return {
			news: isChange(difference, values.ignoreMovedLines === true) ? [item] : [],
			mark: linesMark(now),
			sample: item,
		};
	},
};

function isChange({ added, removed, moved, removedWithoutText }: LineDifference, ignoresMoved: boolean): boolean {
	const moves = ignoresMoved ? 0 : moved.length;
	return added.length + removed.length + removedWithoutText + moves > 0;
}

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
	if (!page) throw noMeasure(parameters.url, 'it put out nothing', 'empty');
	const { statusCode } = page.json;
	if (typeof statusCode !== 'number' || statusCode < 400) return page;
	const mayBeGone = statusCode === 404 || statusCode === 410;
	throw noMeasure(
		parameters.url,
		`it answered with ${statusCode}${mayBeGone ? ', so it may be gone' : ''}`,
		String(statusCode),
	);
}

/** What an error page says is no change of the page. */
function noMeasure(address: unknown, why: string, trouble: string): PollFailure {
	return new PollFailure({
		trouble: `page ${trouble}`,
		message: `${String(address)} could not be compared: ${why}. The next polls look again.`,
	});
}
