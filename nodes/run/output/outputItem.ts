import type { IBinaryData, IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import type { FileDraft, ItemDraft } from '../../operation/operation';
import { longFieldsLast } from '../../operation/webPage';
import type { ServiceClient } from '../../service/client';
import { readBytes } from '../../service/http/answerBody';
import { ServiceFailure, executionStopped, reasonOf } from '../../service/http/failure';
import { failureFromNetworkError } from '../../service/http/networkFailure';
import { REQUEST_TIMEOUT_MS } from '../../service/http/transport';
import type { HttpResponse } from '../../service/http/transport';
import { readResponse } from '../connection/connect';
import type { RunContext } from '../connection/runContext';
import { isPublicHost } from '../../text/publicAddress';

/** The work that makes items, which learns when the execution is stopped. */
export interface ItemWork {
	ctx: RunContext;
	client: ServiceClient;
	/** One for all items of a run, since it has its bounds. */
	files: LinkedFiles;
}

/**
 * The JSON of an item of a result, its long fields last. The service has fields `error` in some records, of a
 * monitor's check for one, and n8n takes an item with such a field for a failed one
 * (docs/reference/n8n-internals.md#fields-named-error): here it is `reason`, or `errorText` beside a reason of its own.
 */
export function resultJson(json: IDataObject): IDataObject {
	const ordered = longFieldsLast(json);
	if (!('error' in ordered)) return ordered;
	const { error, ...rest } = ordered;
	const isSaid = error !== null && error !== undefined && error !== '';
	if (!isSaid) return rest;
	return 'reason' in rest ? { ...rest, errorText: error } : { reason: error, ...rest };
}

/**
 * The draft as an item of n8n, paired with its input item, its files as binary data. A file that cannot
 * be fetched does not take the result away, which is paid for: the item names it in `filesNotStored`.
 * Throws a ServiceFailure of kind aborted when the execution is stopped meanwhile.
 */
export async function itemOf(
	{ ctx, client, files: linkedFiles }: ItemWork,
	{ json: drafted, files = [] }: ItemDraft,
	item: number,
): Promise<INodeExecutionData> {
	const pairedItem = { item };
	if (files.length === 0) return { json: resultJson(drafted), pairedItem };
	const binary: Record<string, IBinaryData> = {};
	const filesNotStored: Array<{ field: string; url: string; reason: string }> = [];
	const fetchFile = linkedFiles.ofItem();
	for (const file of files) {
		client.throwIfStopped();
		const { field, fileName, mimeType } = file;
		const content = await contentOf(fetchFile, file);
		if ('reason' in content) filesNotStored.push({ field, ...content });
		else binary[field] = await ctx.helpers.prepareBinaryData(content.data, fileName, mimeType);
	}
	const json = resultJson(filesNotStored.length === 0 ? drafted : { ...drafted, filesNotStored });
	return { json, binary, pairedItem };
}

/** Files are fetched for so many items at a time. */
const CONCURRENT_ITEMS = 10;

/** A draft, and the input item that it belongs to. */
export interface PairedDraft {
	draft: ItemDraft;
	item: number;
	/** All input items that it may belong to, where there are several. */
	pairedItem?: IPairedItemData[];
}

/**
 * The drafts as items, in their order. Throws a ServiceFailure of kind aborted when the execution is
 * stopped meanwhile.
 */
export async function itemsInOrder(work: ItemWork, drafts: readonly PairedDraft[]): Promise<INodeExecutionData[]> {
	return await mapConcurrently(CONCURRENT_ITEMS, drafts, async ({ draft, item, pairedItem }) => {
		work.client.throwIfStopped();
		const made = await itemOf(work, draft, item);
		return pairedItem ? { ...made, pairedItem } : made;
	});
}

/** The same, by input item. */
export async function itemsOfDrafts(
	work: ItemWork,
	drafts: readonly PairedDraft[],
): Promise<Map<number, INodeExecutionData[]>> {
	const byInput = new Map<number, INodeExecutionData[]>();
	const made = await itemsInOrder(work, drafts);
	drafts.forEach(({ item }, index) => {
		const data = made[index];
		const own = byInput.get(item);
		if (data && own) own.push(data);
		else if (data) byInput.set(item, [data]);
	});
	return byInput;
}

type Content = { data: Buffer } | { url: string; reason: string };

async function contentOf(fetchFile: (url: string) => Promise<Buffer>, file: FileDraft): Promise<Content> {
	if ('text' in file) return { data: Buffer.from(file.text, 'utf8') };
	if ('base64' in file) return { data: Buffer.from(file.base64, 'base64') };
	const { url } = file;
	return await fetchFile(url).then(
		(data) => ({ data }),
		(error: unknown) => {
			if (error instanceof ServiceFailure && error.kind === 'aborted') throw error;
			return { url, reason: reasonOf(error) };
		},
	);
}

/**
 * Does the work for each, so many at a time, and gives the results in the order of `all`. After the first
 * failure nothing more is begun, and it is thrown.
 */
export async function mapConcurrently<T, R>(
	most: number,
	all: readonly T[],
	work: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	let hasFailed = false;
	const left = all.entries();
	const worker = async () => {
		for (const [index, one] of left) {
			if (hasFailed) return;
			const result = work(one, index);
			result.catch(() => {
				hasFailed = true;
			});
			results[index] = await result;
		}
	};
	await Promise.all(Array.from({ length: Math.min(most, all.length) }, worker));
	return results;
}

const MIB = 1024 * 1024;

/** Most files that are fetched by link, and their size together. What is more stays a link. */
const FILES_OF_AN_ITEM = { files: 50, bytes: 256 * MIB };
const FILES_OF_A_RUN = { files: 5000, bytes: 1024 * MIB };

const MAX_REDIRECTS = 5;

/** The files that were fetched so far. */
interface Fetched {
	files: number;
	bytes: number;
}

/** Fetches the files of one run by their links, without the credential, which is not for those hosts. */
export class LinkedFiles {
	private readonly ofRun: Fetched = { files: 0, bytes: 0 };

	private servicePrivate: Promise<boolean> | undefined;

	constructor(
		private readonly ctx: RunContext,
		private readonly client: ServiceClient,
	) {}

	/** A way to fetch the files of one item. It throws a ServiceFailure, of kind aborted after Stop. */
	ofItem(): (url: string) => Promise<Buffer> {
		const ofItem: Fetched = { files: 0, bytes: 0 };
		return async (url) => {
			throwIfMore(ofItem, FILES_OF_AN_ITEM, 'item');
			throwIfMore(this.ofRun, FILES_OF_A_RUN, 'run');
			for (const one of [ofItem, this.ofRun]) one.files += 1;
			const data = await this.fetch(url);
			for (const one of [ofItem, this.ofRun]) one.bytes += data.length;
			return data;
		};
	}

	/** Redirects are followed by hand, so that each place can be checked first. */
	private async fetch(link: string): Promise<Buffer> {
		let url = new URL(link);
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			this.client.throwIfStopped();
			await this.throwIfPrivate(url);
			const file = await this.send(url);
			const { statusCode, headers } = file;
			if (statusCode === 200) return await this.read(file, url.origin);
			file.body.destroy();
			const next = statusCode >= 300 && statusCode < 400 ? headers.location : undefined;
			if (typeof next !== 'string' || !URL.canParse(next, url.href)) {
				throw notFetched(url, `HTTP ${statusCode}`);
			}
			url = new URL(next, url);
		}
		throw notFetched(url, `more than ${MAX_REDIRECTS} redirects`);
	}

	private async send(url: URL): Promise<HttpResponse> {
		const { href, origin } = url;
		const abortSignal = this.ctx.getExecutionCancelSignal();
		const response: unknown = await this.ctx.helpers
			.httpRequest({
				url: href,
				method: 'GET',
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: REQUEST_TIMEOUT_MS,
				...(abortSignal && { abortSignal }),
			})
			.catch((error: unknown) => {
				this.client.throwIfStopped();
				const failure = failureFromNetworkError(error, origin);
				// Its advice is about the service, and a file may be anywhere.
				throw failure.kind === 'unreachable' ? notFetched(url, 'nothing answers there') : failure;
			});
		return readResponse(response);
	}

	/** Reads a file to its end, or until the execution is stopped. */
	private async read(file: HttpResponse, origin: string): Promise<Buffer> {
		const signal = this.ctx.getExecutionCancelSignal();
		const hangUp = () => file.body.destroy(new Error('stopped'));
		signal?.addEventListener('abort', hangUp, { once: true });
		try {
			return await readBytes(file, origin, REQUEST_TIMEOUT_MS);
		} catch (error) {
			throw this.client.stopped ? executionStopped({ mayHaveExecuted: true }) : error;
		} finally {
			signal?.removeEventListener('abort', hangUp);
		}
	}

	/**
	 * An address from an answer must not lead into the network that n8n stands in, unless the service stands there
	 * itself.
	 */
	private async throwIfPrivate(url: URL): Promise<void> {
		if (url.protocol !== 'http:' && url.protocol !== 'https:') {
			throw notFetched(url, 'it is no http or https address');
		}
		const own = new URL(this.client.baseUrl);
		if (url.origin === own.origin || (await this.isPublic(url))) return;
		this.servicePrivate ??= this.isPublic(own).then((isPublic) => !isPublic);
		if (await this.servicePrivate) return;
		throw notFetched(url, 'it is an address of a private network, and the service is a public one');
	}

	/** Asks n8n's own filter, which resolves names; n8n 1.123 has none, so the name itself decides there. */
	private async isPublic(url: URL): Promise<boolean> {
		const { helpers } = this.ctx;
		const { getSecureEgressFilter } = helpers as Partial<typeof helpers>;
		const filter = getSecureEgressFilter?.call(helpers, 'enforced');
		if (!filter) return isPublicHost(url.hostname);
		const result = await filter.validateUrl(url);
		// A name that cannot be resolved here may be known to a proxy: then the request itself decides.
		return result.ok || !/^Ssrf/.test(result.error.name);
	}
}

function throwIfMore(fetched: Fetched, most: Fetched, what: 'item' | 'run'): void {
	const isFull = fetched.files >= most.files || fetched.bytes >= most.bytes;
	if (!isFull) return;
	throw new ServiceFailure({
		kind: 'tooLarge',
		mayHaveExecuted: false,
		message: `It was left as a link: for one ${what} at most ${most.files} files and ${most.bytes / MIB} MB are fetched.`,
	});
}

function notFetched({ origin }: URL, why: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'http',
		mayHaveExecuted: true,
		message: `The file could not be fetched from ${origin}: ${why}.`,
	});
}
