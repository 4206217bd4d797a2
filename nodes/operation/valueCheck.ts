import { proveValues } from '../proof/proveValues';
import type { ProvenValue } from '../proof/proveValues';
import { isJsonObject } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import { fieldOf, pathOfField } from '../text/jsonPaths';
import { citedAddress, directiveFor, shownPage } from '../text/textJump';
import { isText } from '../text/values';
import type { CheckedValues, PageDetail, ValueCheck } from './operation';
import { filesToStore } from './pages';
import { addressOfPage } from './webPage';

/** The check that the values of an operation's fields ask for; undefined without one. `sent` is the body of a start. */
export function valueCheckOf(values: JsonObject, sent: JsonObject = {}): ValueCheck | undefined {
	const { jsonFormatOptions, options, formats, waitForCompletion, output } = values;
	const isStart = Array.isArray(formats);
	// A start that is not waited for gives no pages; a Get gives those that are there.
	if ((isStart && waitForCompletion === false) || output === 'status') return undefined;
	const groups = [jsonFormatOptions, options].filter(isJsonObject);
	const chosen = groups.map(({ checkValues }) => checkValues).find(isText);
	if (chosen === undefined) return undefined;
	const own = isJsonObject(sent.scrapeOptions) ? sent.scrapeOptions : sent;
	const hidesText = isStart && !formats.includes('markdown') && !filesToStore(values).includes('markdown');
	return { leavesOut: chosen === 'leaveOut', hidesText, schema: schemaIn(own), leftOut: leftOutBy(own) };
}

function schemaIn({ formats }: JsonObject): unknown {
	const all: unknown[] = Array.isArray(formats) ? formats : [];
	return all.filter(isJsonObject).find(({ type }) => type === 'json')?.schema;
}

/** What the service leaves out of a page by these settings. Main content only is its default. */
function leftOutBy({ onlyMainContent, includeTags, excludeTags, parsers }: JsonObject): string[] {
	const hasTags = (tags: unknown) => Array.isArray(tags) && tags.length > 0;
	const list: unknown[] = Array.isArray(parsers) ? parsers : [];
	const isLimited = list.some((one) => isJsonObject(one) && one.maxPages !== undefined);
	return [
		...(onlyMainContent === false ? [] : ['Only Main Content']),
		...(hasTags(includeTags) ? ['Include Tags'] : []),
		...(hasTags(excludeTags) ? ['Exclude Tags'] : []),
		...(isLimited ? ['Max Pages of PDF files'] : []),
	];
}

export interface CheckedPage {
	page: JsonObject;
	/** Undefined for a page without JSON. */
	checked?: CheckedValues;
}

/**
 * A page with what is known of the values of its JSON: `unproven` and `unchecked` are paths as in n8n's Split Out, and
 * in full detail `proofs` has each value with the words of the page that say it, and a link that jumps there. A page
 * without a text proves nothing: none of its values is checked. Its Markdown is gone where it was asked for only for this.
 */
export function checkedPage(page: JsonObject, check: ValueCheck | undefined, detail: PageDetail): CheckedPage {
	if (!check) return { page };
	const shown = withoutHiddenText(page, check);
	if (page.json === undefined || page.json === null) return { page: shown };
	const text = textIn(page.markdown);
	const url = addressOfPage(page);
	const metadata = isJsonObject(page.metadata) ? page.metadata : {};
	const proven = proveValues(page.json, { markdown: text, url, metadata }, check.schema);
	const unproven = proven.filter(({ state }) => state === 'absent').map(({ path }) => path);
	const unchecked = proven.filter(({ state }) => state === 'unchecked').map(({ path }) => path);
	const told = {
		...(check.leavesOut && { json: withoutValues(page.json, new Set(unproven)) }),
		unproven,
		unchecked,
		...(detail === 'fullDocument' && { proofs: proofsOf(proven, text, url) }),
	};
	const checked = {
		values: proven.length,
		unproven: unproven.map(fieldOf),
		unchecked: unchecked.length,
		withoutText: text === '' ? 1 : 0,
		check,
	};
	return { page: { ...shown, ...told }, checked };
}

/** A page without the Markdown that was asked for only for the check. */
export function withoutHiddenText(page: JsonObject, { hidesText }: ValueCheck): JsonObject {
	if (!hidesText) return page;
	const shown = { ...page };
	delete shown.markdown;
	return shown;
}

/** The Markdown of a page; empty where it has none, and for that of a file which was not read. */
function textIn(markdown: unknown): string {
	return typeof markdown !== 'string' || /^(JVBERi0|%PDF-)/.test(markdown) ? '' : markdown;
}

/** Values that are nested deeper were not checked. */
const MAX_DEPTH = 110;

/** The JSON with null in the places of these paths. */
function withoutValues(value: unknown, paths: ReadonlySet<string>, path = '', depth = 0): unknown {
	if (paths.has(path)) return null;
	if (depth > MAX_DEPTH) return value;
	if (Array.isArray(value)) return value.map((one, index) => withoutValues(one, paths, `${path}[${index}]`, depth + 1));
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, withoutValues(one, paths, pathOfField(path, name), depth + 1)]),
	);
}

/** Each value with what is known of it: `verified` is null where only a reader can tell. */
function proofsOf(proven: readonly ProvenValue[], markdown: string, url: string): JsonObject[] {
	const shown = shownPage(markdown);
	return proven.map(({ path, value, state, reason, words, line }) => {
		if (state !== 'found') return { path, value, verified: state === 'absent' ? false : null, reason };
		const quote = line?.replaceAll('\t', ' | ');
		const jump = line === undefined ? undefined : directiveFor(shown, line);
		const link = citedAddress(url, jump === undefined ? [] : [jump]);
		return {
			path,
			value,
			verified: true,
			by: 'code',
			words,
			...(quote !== undefined && { quote }),
			source: url,
			link,
		};
	});
}
