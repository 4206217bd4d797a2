import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, ISupplyDataFunctions } from 'n8n-workflow';
import { named } from '../operation/hint';
import { pageKey } from '../text/addresses';
import { count } from '../text/amounts';
import { comparedLines, contentHash, visibleLines } from '../text/contentHash';
import { withoutDataUris } from '../text/dataUris';
import { cutAtHeadings, withoutSmall } from '../text/markdown/cutMarkdown';
import type { Section } from '../text/markdown/cutMarkdown';
import { withHashHeadings } from '../text/markdown/readMarkdown';
import { citedAddress, directiveFor, shownPage } from '../text/textJump';
import { textOf } from '../text/values';

/** A document as LangChain and n8n's vector stores have it. */
interface Document {
	pageContent: string;
	metadata: IDataObject;
}

/**
 * The documents of all input items, as a vector store of n8n reads them.
 *
 * A vector store asks for the documents once and then inserts what it got for EACH of its input items
 * (`processDocument`, docs/reference/n8n-internals.md#document-loaders): a plain array would be inserted as often as there are
 * items. It begins each item with `map`, whose callback names the item as `pairedItem`. From then on this array
 * holds the documents of that item only.
 */
export class DocumentList extends Array<Document> {
	/** An array made from it by n8n is a plain one. */
	static override get [Symbol.species](): ArrayConstructor {
		return Array;
	}

	#byItem: ReadonlyMap<number, Document[]> = new Map();

	/** Until an item is asked for, it holds the documents of all. */
	static ofItems(byItem: ReadonlyMap<number, Document[]>): DocumentList {
		const list = new DocumentList();
		list.#byItem = byItem;
		list.hold([...byItem.values()].flat());
		return list;
	}

	override map<T>(callback: (document: Document, index: number, all: Document[]) => T, thisArg?: unknown): T[] {
		const item = itemOf(callback({ pageContent: '', metadata: {} }, 0, []));
		if (item !== undefined) this.hold(this.#byItem.get(item) ?? []);
		return Array.from(this).map(callback, thisArg);
	}

	private hold(documents: readonly Document[]): void {
		this.length = 0;
		for (const document of documents) this.push(document);
	}
}

/** The input item that something which n8n has made belongs to; undefined where it names none. */
function itemOf(made: unknown): number | undefined {
	const { pairedItem } = (made ?? {}) as { pairedItem?: unknown };
	const { item } = (pairedItem ?? {}) as { item?: unknown };
	return typeof item === 'number' ? item : undefined;
}

/** Cuts the text of a page into sections. */
type CutPage = (text: string) => Section[] | Promise<Section[]>;

/** All that was read for the input items, and what of it becomes no document. */
interface LoadedDocuments {
	byItem: Map<number, Document[]>;
	/** One for each page, for the output of the loader. */
	pages: IDataObject[];
	skipped: SkippedDocument[];
	/** Names of pages that have the very text of one before them. */
	equal: string[];
}

/** The pages that Web Data has put out as documents, by the input item that each belongs to. */
export async function documentsOf(
	items: readonly INodeExecutionData[],
	cut: CutPage,
	fetchedAt: string,
): Promise<LoadedDocuments> {
	const loaded: LoadedDocuments = { byItem: new Map(), pages: [], skipped: [], equal: [] };
	/** Addresses of pages that are loaded, by page. */
	const seen = new Map<string, string>();
	const texts = new Set<string>();
	for (const item of items) {
		const page = readPage(item.json);
		if ('why' in page) {
			loaded.skipped.push(page);
			continue;
		}
		const url = textOf(page.metadata.url);
		const key = pageKey(url);
		const known = url === '' ? undefined : seen.get(key);
		if (known !== undefined) {
			loaded.skipped.push({ name: known === page.name ? known : `${page.name} (as ${known})`, why: 'same' });
			continue;
		}
		seen.set(key, url);
		const hash = contentHash(comparedLines(visibleLines(item.json) ?? [], []));
		const text = contentHash(comparedLines(page.text.split('\n'), []));
		if (texts.has(text)) loaded.equal.push(page.name);
		texts.add(text);
		const pieces = await cut(page.text);
		const links = linksOf(url, page.text, pieces);
		const documents = pieces.map((piece, index) =>
			documentOf(page, piece, { link: links[index] ?? url, hash, position: index + 1, fetchedAt }),
		);
		const at = inputItemOf(item);
		const ofItem = loaded.byItem.get(at) ?? [];
		for (const document of documents) ofItem.push(document);
		loaded.byItem.set(at, ofItem);
		loaded.pages.push({ ...page.metadata, documents: documents.length });
	}
	return loaded;
}

function documentOf(
	{ metadata }: LoadedPage,
	{ text: pageContent, headingPath }: Section,
	place: IDataObject,
): Document {
	return { pageContent, metadata: { ...metadata, headingPath, ...place } };
}

/** Documents of a page that get a link of their own. Each is looked for in the whole page, which takes time on a long one. */
const MAX_LINKS = 2000;

/** The words of a heading often stand in a menu before it, which the text of a page does not have. */
const LEADING_HEADINGS = /^(?:#{1,6} .*(?:\n+|$))+/;

/**
 * For each piece of a page, in their order, the link that opens the page there and marks it; where no words lead there for
 * certain, the address. Fewer than pieces where the rest is the address, too: of a file, a whole page, or behind MAX_LINKS.
 */
function linksOf(url: string, text: string, pieces: readonly Section[]): string[] {
	if (url === '' || pieces.length === 1) return [];
	const page = shownPage(text);
	return pieces.slice(0, MAX_LINKS).map((piece) => {
		const jump = directiveFor(page, shownPage(piece.text.replace(LEADING_HEADINGS, '')).text);
		return citedAddress(url, jump === undefined ? [] : [jump]) ?? url;
	});
}

function inputItemOf({ pairedItem }: INodeExecutionData): number {
	const [first] = [pairedItem].flat();
	return typeof first === 'number' ? first : (first?.item ?? 0);
}

/** A page or file that was read, as far as documents need it. */
interface LoadedPage {
	/** Address of a page, name of a file. */
	name: string;
	text: string;
	/** The metadata of its documents. */
	metadata: IDataObject;
}

/** A page that becomes no document, and why. */
interface SkippedDocument {
	/** As of a page; of an item that failed, its error. */
	name: string;
	why: 'empty' | 'failed' | 'error' | 'same';
}

/** The json of an item of Web Data as a page: its text, or why it has none. */
function readPage(json: IDataObject): LoadedPage | SkippedDocument {
	const { url, requestedUrl, fileName, title, statusCode, pageError, markdown, error } = json;
	if (typeof error === 'string') return { name: error, why: 'error' };
	const name = [fileName, url, requestedUrl].map(textOf).find((text) => text !== '') ?? '';
	const isHttpError = typeof statusCode === 'number' && statusCode >= 400;
	if (isHttpError || textOf(pageError) !== '') return { name, why: 'failed' };
	const text = withHashHeadings(withoutDataUris(textOf(markdown))).trim();
	if (text === '') return { name, why: 'empty' };
	const isFile = textOf(fileName) !== '';
	const metadata: IDataObject = {
		// No key is missing in one document and there in the next: some vector stores have a column for each.
		// That of a file is an address of the service's own.
		url: isFile ? '' : textOf(url),
		title: textOf(title),
		...(isFile && { fileName: textOf(fileName) }),
	};
	return { name, text, metadata };
}

/** The hint for pages that became no document, one sentence for each reason; none without such pages. */
export function skippedText(skipped: readonly SkippedDocument[], unit: string): string[] {
	const of = (why: SkippedDocument['why'], text: string) => {
		const names = skipped.filter((page) => page.why === why).map(({ name }) => name);
		return names.length === 0
			? []
			: [`${count(names.length, unit)} ${text}, so no document was made: ${named(names)}.`];
	};
	const errors = [...new Set(skipped.filter(({ why }) => why === 'error').map(({ name }) => name))];
	const failed = skipped.filter(({ why }) => why === 'error').length;
	const [first] = errors;
	return [
		...(first === undefined
			? []
			: [`${count(failed, 'item')} failed, so no document was made of ${failed === 1 ? 'it' : 'them'}: ${first}`]),
		...of('failed', 'could not be read'),
		...of('empty', 'had no text'),
		...of('same', 'had the address of a page that is loaded already, or probably another spelling of it'),
	];
}

/** The hint for pages that have the text of another one; empty without such pages. */
export function equalText(equal: readonly string[], unit: string): string {
	if (equal.length === 0) return '';
	const have = equal.length === 1 ? 'has' : 'have';
	return `${count(equal.length, unit)} ${have} the same text as one before, so the store holds that text more than once: ${named(equal)}.`;
}

/** The part of a LangChain text splitter, as n8n hands it on, that is used here. */
interface TextSplitter {
	splitText(text: string): Promise<string[]>;
}

/** Bounds of Max Characters, as its field has them (properties.ts). */
const LEAST_CHARACTERS = 100;
const MAX_CHARACTERS = 100_000;

/** The cutter that the panel asks for. */
export async function cutFor(ctx: ISupplyDataFunctions): Promise<CutPage> {
	const wanted = ctx.getNodeParameter('cut', 0);
	if (wanted === 'headings') {
		const max = readMaxCharacters(ctx);
		return (text) => withoutSmall(cutAtHeadings(text, max), max);
	}
	if (wanted === 'splitter') {
		const splitter = await connectedSplitter(ctx);
		return async (text) => (await splitter.splitText(text)).map((piece) => ({ text: piece, headingPath: '' }));
	}
	return (text) => [{ text, headingPath: '' }];
}

function readMaxCharacters(ctx: ISupplyDataFunctions): number {
	const given = Number(ctx.getNodeParameter('maxCharacters', 0));
	if (Number.isInteger(given) && given >= LEAST_CHARACTERS && given <= MAX_CHARACTERS) return given;
	throw new NodeOperationError(
		ctx.getNode(),
		`"Max Characters" must be a whole number from ${LEAST_CHARACTERS} to ${MAX_CHARACTERS}.`,
	);
}

async function connectedSplitter(ctx: ISupplyDataFunctions): Promise<TextSplitter> {
	const connected: unknown = await ctx.getInputConnectionData(NodeConnectionTypes.AiTextSplitter, 0);
	if (isTextSplitter(connected)) return connected;
	throw new NodeOperationError(
		ctx.getNode(),
		'Connect a text splitter to the loader, or set Documents to Split at Headings.',
	);
}

function isTextSplitter(value: unknown): value is TextSplitter {
	return typeof value === 'object' && value !== null && 'splitText' in value;
}
