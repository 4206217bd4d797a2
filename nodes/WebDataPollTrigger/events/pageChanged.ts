import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { url } from '../../fields/basic';
import { switchField } from '../../fields/field';
import { ignoredLines, ignoredParts, ignoredText } from '../../fields/job/pages';
import { noMeasureOf } from '../../operation/comparable';
import type { JsonObject } from '../../service/http/transport';
import { sameAddress } from '../../text/addresses';
import { MEASURE, comparedLines, contentHash, visibleLines } from '../../text/contentHash';
import { asPageLines, differenceOf, linesMark, MAX_LINES, readLinesMark } from '../marks/pageLines';
import type { LineDifference } from '../marks/pageLines';
import { PollFailure } from './pollEvent';
import type { PollEvent, PollReader } from './pollEvent';

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
		ignoredParts,
		onlyMainContent,
		ignoreMovedLines,
	],
	isOfAccount: () => false,
	watched: ({ values }) => ({
		address: sameAddress(String(values.url ?? '')),
		ignoredLines: values.ignoredLines,
		...(values.ignoredParts !== '' && { ignoredParts: values.ignoredParts }),
		// What another measure has left can be compared with nothing.
		measure: MEASURE,
		onlyMainContent: values.onlyMainContent,
	}),
	isMark: (mark) => readLinesMark(mark) !== undefined && typeof mark.hash === 'string',
	async poll({ items, pause }, values, mark) {
		const { lines, parts } = ignoredText(values);
		const page = await scrape(items, values, mark?.url);
		const { url: address, title, markdown } = page.json;
		const all = visibleLines({ markdown }) ?? [];
		const text = comparedLines(all.slice(0, MAX_LINES), lines, parts);
		// A page without text is no measure: at each check everything would be gone, and then new.
		if (text.length === 0) throw noMeasure(values.url, 'it has no text', 'empty');
		const texts = [...comparedLines(typeof title === 'string' ? [title] : [], lines, parts), ...text];
		const hash = contentHash(texts);
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
			// The same words are the same page, wherever their lines break.
			news: hash !== mark?.hash && isChange(difference, values.ignoreMovedLines === true) ? [item] : [],
			mark: { ...linesMark(now), hash, url: address ?? null },
			sample: item,
		};
	},
};

function isChange({ added, removed, moved, removedWithoutText }: LineDifference, ignoresMoved: boolean): boolean {
	const moves = ignoresMoved ? 0 : moved.length;
	return added.length + removed.length + removedWithoutText + moves > 0;
}

/** The fields that stand before the difference. */
function leading({ url: address, title }: IDataObject): IDataObject {
	return { url: address, ...(title !== undefined && { title }) };
}

/** The page as it is. `before` is the address at which it ended at the last poll. Throws where it is no measure. */
async function scrape(items: PollReader['items'], values: JsonObject, before: unknown): Promise<INodeExecutionData> {
	const parameters = {
		url: String(values.url ?? ''),
		formats: ['markdown'],
		output: 'simplified',
		// A copy of up to two days would hide a change.
		scrapeOptions: { maxAge: 0, onlyMainContent: values.onlyMainContent !== false },
	};
	const [page] = await items({ resource: 'page', operation: 'scrape', parameters });
	if (!page) throw noMeasure(parameters.url, 'it put out nothing', 'empty');
	const { statusCode, pageError, url: endedAt } = page.json;
	// Wherever the first poll ends is what is watched.
	const found = noMeasureOf(
		{
			status: typeof statusCode === 'number' ? statusCode : undefined,
			error: typeof pageError === 'string' ? pageError : '',
			endedAt: String(endedAt ?? ''),
		},
		[parameters.url, typeof before === 'string' ? before : String(endedAt ?? '')],
	);
	if (found) throw noMeasure(parameters.url, found.why, found.code);
	return page;
}

/** The text of an error page is no change of the page. */
function noMeasure(address: unknown, why: string, trouble: string): PollFailure {
	return new PollFailure({
		trouble: `page ${trouble}`,
		message: `${String(address)} could not be compared: ${why}. The next polls look again.`,
	});
}
