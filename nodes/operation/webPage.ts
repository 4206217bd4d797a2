import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import { remarksOf } from '../service/results/pageErrors';
import { isText } from '../text/values';
import type { CallUsage, PageDetail } from './operation';

/** Fields of an answer around its result; what items show of them is told elsewhere. */
const KNOWN = [
	'success',
	'data',
	'links',
	'id',
	'scrape_id',
	'creditsUsed',
	'warning',
	'warnings',
	'replacement',
	'error',
];

/** Fields of an answer that nobody here knows: a newer server's, such as `agent_hints`. */
export function unknownFields(body: JsonObject): string[] {
	const isNone = (value: unknown) => value === null || value === undefined;
	return Object.keys(body).filter((name) => !KNOWN.includes(name) && !isNone(body[name]));
}

/** The address a page ended at, for its item and the names of its files; empty when there is none. */
export function addressOfPage(page: JsonObject): string {
	const { url, sourceURL } = metadataOf(page);
	return [url, page.url, sourceURL].find(isText) ?? '';
}

/** The address a page was asked for by, as the service noted it; empty when it did not. */
export function sourceUrlOf(page: JsonObject): string {
	const { sourceURL, url } = metadataOf(page);
	return [sourceURL, page.url, url].find(isText) ?? '';
}

/** False for a page that tells where it ended at most, not what it was asked for by. */
export function namesItsSource(page: JsonObject): boolean {
	return isText(metadataOf(page).sourceURL);
}

/** Told of every page at the top of its item, in this order and place, so they are no content. */
const TOLD_ABOVE = ['url', 'title', 'description', 'language', 'metadata'];

/**
 * A page as the json of an item, the same whatever operation it comes from: what it is, its content in
 * every format it has, how it was had; with all of the metadata as the service gave it, if wanted.
 * `requested` is the address it was asked for by: it is told where it is another one, or where the page
 * failed. Titles may be lists (docs/reference/service-notes.md#where-servers-differ). Content that says nothing (null) is
 * left out, and `error` is renamed, since n8n takes an item with that name for a failed one
 * (docs/reference/n8n-internals.md#fields-named-error).
 */
export function webPageJson(page: JsonObject, detail: PageDetail, requested = sourceUrlOf(page)): IDataObject {
	const metadata = metadataOf(page);
	const url = addressOfPage(page) || requested;
	const content: JsonObject = {};
	for (const [name, value] of Object.entries(page)) {
		if (value === null || value === undefined || TOLD_ABOVE.includes(name)) continue;
		if (!isPdfBytes(value)) content[name === 'error' ? 'pageError' : name] = value;
	}
	const fault = faultOfPage(page);
	if (fault !== undefined) content.pageError ??= fault;
	const isAsAsked = isSameAddress(requested, url) && !hasFailed(page);
	return {
		url: url || null,
		...(requested !== '' && !isAsAsked && { requestedUrl: requested }),
		title: textOf(page.title) ?? textOf(metadata.title) ?? null,
		description: textOf(page.description) ?? textOf(metadata.description) ?? null,
		language: textOf(metadata.language) ?? null,
		...content,
		statusCode: statusOfPage(page) ?? null,
		scrapeId: metadata.scrapeId ?? null,
		creditsUsed: creditsOfPage(page) ?? null,
		...(detail === 'fullDocument' && { metadata }),
	} as IDataObject;
}

const UNREAD_PDF =
	'The service gave the bytes of a PDF file where its text should be: read it with Parse · Parse File, or add the PDF parser to File Parsers';

/** Bytes that were read as text are broken beyond repair; whole files come as base64 (pages.ts). */
function isPdfBytes(value: unknown): boolean {
	return typeof value === 'string' && value.startsWith('%PDF-');
}

/** The reason why the service could not read a page, in its words: beside the page, or in what it tells of it. */
export function errorOfPage(page: JsonObject): string | undefined {
	return [page.error, metadataOf(page).error].find(isText);
}

/** The reason why a page has no content although the service put it out; undefined where it has. */
export function faultOfPage(page: JsonObject): string | undefined {
	const { error } = metadataOf(page);
	if (Object.values(page).some(isPdfBytes)) return UNREAD_PDF;
	return isText(error) ? error : undefined;
}

/**
 * The HTTP status that the site answered with; undefined where the service tells none, or where the page could not be
 * read: a search puts 500 there, beside its own error, whatever the reason is.
 */
function statusOfPage(page: JsonObject): number | undefined {
	const { statusCode, scrapeId, contentType } = metadataOf(page);
	const hasAnswered = errorOfPage(page) === undefined || scrapeId !== undefined || contentType !== undefined;
	return typeof statusCode === 'number' && hasAnswered ? statusCode : undefined;
}

/** The same, where it is an error: such a page is scraped all the same. */
export function httpErrorOf(page: JsonObject): number | undefined {
	const status = statusOfPage(page);
	return status !== undefined && status >= 400 ? status : undefined;
}

/** The credits that the page cost; undefined where the service does not say: below zero is unknown. */
export function creditsOfPage(page: JsonObject): number | undefined {
	return readCredits(metadataOf(page));
}

/** Credits as an answer tells them; undefined where it does not, or says -1, which is unknown. */
export function readCredits({ creditsUsed }: JsonObject): number | undefined {
	return typeof creditsUsed === 'number' && creditsUsed >= 0 ? creditsUsed : undefined;
}

/** A sum of credits is known only as long as all of them are. */
export function addCredits(left: number | undefined, right: number | undefined): number | undefined {
	return left === undefined || right === undefined ? undefined : left + right;
}

/** The page in an answer, with the remarks that stand beside it; undefined without one. */
export function pageOfAnswer(body: JsonObject): JsonObject | undefined {
	return isJsonObject(body.data) ? { ...remarksOf(body), ...body.data } : undefined;
}

/** The page in an answer, as the service gave it; none without one. */
export function pageIn({ body }: { body: JsonObject }): JsonObject[] {
	return isJsonObject(body.data) ? [body.data] : [];
}

/** The id under which the service keeps what it made of a page or file. */
export function scrapeIdOf({ data }: JsonObject): string | undefined {
	const { scrapeId } = isJsonObject(data) ? metadataOf(data) : {};
	return typeof scrapeId === 'string' ? scrapeId : undefined;
}

/** One page or file an answer, counted in this unit. */
export function scrapedUsage(unit: string): CallUsage {
	return {
		unit,
		read: ({ body }) => ({
			amount: 1,
			credits: isJsonObject(body.data) ? creditsOfPage(body.data) : undefined,
		}),
	};
}

/** True for a page that could not be read, and for one that the site answered with an HTTP error. */
function hasFailed(page: JsonObject): boolean {
	return errorOfPage(page) !== undefined || httpErrorOf(page) !== undefined;
}

/** People leave out the scheme, and nobody means a difference by the slash behind a host. */
function isSameAddress(requested: string, url: string): boolean {
	if (requested === url) return true;
	const hasScheme = /^[a-z]+:\/\//i.test(requested);
	const [left, right] = [hasScheme ? requested : `https://${requested}`, url].map((address) =>
		URL.canParse(address) ? new URL(address).href : address,
	);
	if (left === right || left === undefined || right === undefined) return true;
	return !hasScheme && left.replace(/^https:/, '') === right.replace(/^https?:/, '');
}

function metadataOf(page: JsonObject): JsonObject {
	return isJsonObject(page.metadata) ? page.metadata : {};
}

/** The service gives a list where the page says it several times. */
function textOf(value: unknown): string | undefined {
	return Array.isArray(value) ? value.find(isText) : isText(value) ? value : undefined;
}

/** What fills screens in n8n's table and JSON views, in the order in which it ends an item. */
const LONG_FIELDS = ['markdown', 'html', 'rawHtml', 'rawBase64'];

/** An item, or a page in one, with its long texts behind everything that is read at a glance. */
export function longFieldsLast(json: IDataObject): IDataObject {
	const long = LONG_FIELDS.filter((name) => name in json).map((name) => [name, json[name]] as const);
	if (long.length === 0) return json;
	const short = Object.entries(json).filter(([name]) => !LONG_FIELDS.includes(name));
	return Object.fromEntries([...short, ...long]);
}
