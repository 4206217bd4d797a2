import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import { cutWithin } from '../text/markdown/cutMarkdown';

/** The part of the text of each page that is put out, in characters. */
export interface PageTextBound {
	/** Characters to leave out at the beginning. */
	from: number;
	/** Most characters to put out. */
	most: number;
}

/** The texts of a page that are cut. */
const TEXTS = ['markdown', 'html', 'rawHtml'];

/**
 * Characters of a page that an AI agent gets unless the user says otherwise: about 5,000 tokens. It pays for them again
 * in each of its further steps.
 */
export const AGENT_PAGE_CHARACTERS = 20_000;

/** A cut stands at the end of a paragraph where one ends in the last fifth. */
const NEAR_SHARE = 0.8;

/** The bound that the values of an operation's fields set (fields/job/pages.ts); undefined: whole texts. */
export function pageTextBound({ options, scrapeOptions }: JsonObject, asText: boolean): PageTextBound | undefined {
	const chosen: JsonObject = {
		...(isJsonObject(options) && options),
		...(isJsonObject(scrapeOptions) && scrapeOptions),
	};
	const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
	const from = numberOf(chosen.fromCharacter) ?? 0;
	const most = numberOf(chosen.maxPageCharacters) ?? (asText ? AGENT_PAGE_CHARACTERS : undefined);
	return from === 0 && most === undefined ? undefined : { from, most: most ?? Infinity };
}

/**
 * The json of a page with its texts within the bound. Where a text is cut, `length` is its length, and `cutAt` the
 * number of characters up to which it was put out, if anything is left: both of the first text, where there are several.
 */
export function withinBound(json: IDataObject, bound: PageTextBound | undefined): IDataObject {
	if (!bound) return json;
	const told: IDataObject = {};
	const cut = Object.entries(json).map(([name, value]): [string, IDataObject[string]] => {
		const isText = TEXTS.includes(name) && typeof value === 'string';
		if (!isText || (bound.from === 0 && value.length <= bound.most)) return [name, value];
		const text = value.slice(bound.from);
		const kept = text.slice(0, endOfText(text, bound.most));
		const end = Math.min(value.length, bound.from) + kept.length;
		told.length ??= value.length;
		if (end < value.length) told.cutAt ??= end;
		return [name, kept];
	});
	return { ...Object.fromEntries(cut), ...told };
}

/** The number of pages whose text is cut: the item itself, or those in a list of it. */
export function cutPagesIn(json: IDataObject): number {
	const lists: unknown[] = Object.values(json).filter(Array.isArray).flat();
	const isCut = (page: JsonObject) =>
		typeof page.cutAt === 'number' && TEXTS.some((name) => typeof page[name] === 'string');
	return [json, ...lists].filter((page) => isJsonObject(page) && isCut(page)).length;
}

/** The json of a page with one text, which may be cut already, with at most so many characters of it. */
export function withLessText(json: IDataObject, most: number): IDataObject {
	const [text, ...more] = TEXTS.map((name) => json[name]).filter((value) => typeof value === 'string');
	if (text === undefined || text.length <= most || more.length > 0) return json;
	const { length, cutAt } = json;
	const whole = typeof length === 'number' ? length : text.length;
	const start = (typeof cutAt === 'number' ? cutAt : whole) - text.length;
	const cut = withinBound(json, { from: 0, most });
	return { ...cut, length: whole, cutAt: start + Number(cut.cutAt) };
}

function endOfText(text: string, most: number): number {
	if (text.length <= most) return text.length;
	const paragraph = text.slice(0, most).lastIndexOf('\n\n') + 2;
	return paragraph > most * NEAR_SHARE ? paragraph : cutWithin(text, 0, most);
}
