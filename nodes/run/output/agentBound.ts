import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { cutPagesIn, withLessText } from '../../operation/pageText';
import { isJsonObject } from '../../service/http/answer';
import { withoutDataUris } from '../../text/dataUris';

/**
 * Most characters of JSON that an AI agent gets from one call: about 25,000 tokens. Models take from 32,000 to a
 * million, and a page of three million characters ends the whole conversation.
 */
const MAX_FOR_AGENT = 100_000;

/** Ways to get what is missing, the cheapest first. */
const LESS =
	'Ask for less, where the tool lets you: the answer to a question about the page (format Question) or its passages (Highlights), a limit, or one page; or read on with From Character set to cutAt.';

/** The room for the note of a cut and the brackets around it. */
const NOTE = 200;

/**
 * The items as an AI agent gets them, without pictures and other data inside of texts: whole, or with long texts and lists
 * cut and the last items left out. Where anything is cut, a last item says how much is missing and how to get it.
 */
export function boundForAgent(given: INodeExecutionData[]): INodeExecutionData[] {
	const items = given.map((item) => ({ ...item, json: readable(item.json) as IDataObject }));
	const sizes = items.map(({ json }) => sizeOf(json));
	const total = sizes.reduce((sum, size) => sum + size, 0);
	const cutPages = items.reduce((sum, { json }) => sum + cutPagesIn(json), 0);
	const { pairedItem = { item: 0 } } = items.at(-1) ?? {};
	if (total <= MAX_FOR_AGENT) {
		if (cutPages === 0) return items;
		const which = cutPages === 1 ? 'One page is' : `${cutPages} pages are`;
		return [...items, { json: { message: `${which} cut: see cutAt and length. ${LESS}` }, pairedItem }];
	}
	const kept: INodeExecutionData[] = [];
	let room = MAX_FOR_AGENT - 2 * NOTE;
	for (const [index, item] of items.entries()) {
		const share = Math.max(room / (items.length - index), Math.min(room, 500));
		const size = sizes[index] ?? 0;
		const json = size <= share ? item.json : (cut(withFittingText(item.json, share), share) as IDataObject);
		const left = room - Math.min(size, sizeOf(json));
		if (left < 0) break;
		kept.push({ ...item, json });
		room = left;
	}
	const dropped = items.length - kept.length;
	const some = dropped > 0 ? ` ${dropped} of ${items.length} items ${dropped === 1 ? 'is' : 'are'} left out.` : '';
	const message = `The result has ${total} characters, of which an AI agent gets at most ${MAX_FOR_AGENT}.${some} ${LESS}`;
	return [...kept, { json: { message }, pairedItem }];
}

/** The text of a page cut so that its item takes about so many characters of JSON. */
function withFittingText(json: IDataObject, room: number): IDataObject {
	const text = [json.markdown, json.html, json.rawHtml].find((value) => typeof value === 'string');
	if (text === undefined) return json;
	const size = sizeOf(text);
	const most = Math.floor(((room - NOTE - (sizeOf(json) - size)) * text.length) / size);
	return most > NOTE ? withLessText(json, most) : json;
}

function readable(value: unknown): unknown {
	if (typeof value === 'string') return withoutDataUris(value);
	if (Array.isArray(value)) return value.map(readable);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readable(one)]));
}

function sizeOf(value: unknown): number {
	return JSON.stringify(value)?.length ?? 0;
}

/** The value in about so many characters of JSON: what is small stays whole, what is longest is cut first. */
function cut(value: unknown, room: number): unknown {
	if (sizeOf(value) <= room) return value;
	if (typeof value === 'string') {
		const most = Math.max(0, Math.floor(room * (value.length / sizeOf(value))) - NOTE);
		const start = value.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
		return `${start}… (${value.length - start.length} of ${value.length} characters left out)`;
	}
	if (Array.isArray(value)) return cutList(value, room);
	return isJsonObject(value) ? cutObject(value, room) : value;
}

function cutList(list: unknown[], room: number): unknown[] {
	const kept: unknown[] = [];
	let left = room - NOTE;
	for (const entry of list) {
		const shown = list.length === 1 ? cut(entry, left) : entry;
		left -= sizeOf(shown) + 1;
		if (left < 0) break;
		kept.push(shown);
	}
	return kept.length === list.length
		? kept
		: [...kept, `… (${list.length - kept.length} of ${list.length} entries left out)`];
}

function cutObject(object: Record<string, unknown>, room: number): Record<string, unknown> {
	const bySize = Object.entries(object)
		.map(([name, value]) => ({ name, value, size: sizeOf(value) }))
		.sort((one, other) => one.size - other.size);
	const shown = new Map<string, unknown>();
	let left = room - 2;
	for (const [index, { name, value }] of bySize.entries()) {
		const kept = cut(value, (left - name.length - 4) / (bySize.length - index));
		shown.set(name, kept);
		left -= sizeOf(kept) + name.length + 4;
	}
	return Object.fromEntries(Object.keys(object).map((name) => [name, shown.get(name)]));
}
