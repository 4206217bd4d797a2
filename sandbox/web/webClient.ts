import { Agent, request as httpRequest } from 'undici';
import type { Dispatcher } from 'undici';

import { unreachable } from './scrapeFailure.ts';
import type { OwnSite } from './ownSite.ts';

/** What a URL gave, after redirects. */
export interface FetchedPage {
	/** Where it was in the end. */
	url: string;
	status: number;
	contentType: string;
	bytes: Buffer;
}

export interface FetchOptions {
	headers?: Record<string, string>;
	signal?: AbortSignal | undefined;
	/** Default: certificate errors are passed over, as `skipTlsVerification` has it. */
	verifyTls?: boolean;
}

/** Fetches pages over http and https. */
export interface WebClient {
	/** Rejects with a ScrapeFailure where no answer can be had, with the signal's reason where it was aborted. */
	fetch(url: string, options?: FetchOptions): Promise<FetchedPage>;
	/** Ends what is under way. */
	stop(): Promise<void>;
}

const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 5000;
const MAX_REDIRECTS = 10;
const MAX_BYTES = 20 * 1024 * 1024;
/** Names that nobody can own (RFC 6761): no resolver needs to be asked. */
const NO_HOST = /(?:^|\.)(?:example|invalid)$/;
const USER_AGENT = 'Mozilla/5.0 (compatible; web-data-sandbox)';

async function readBytes(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of body) {
		const bytes = Buffer.from(part);
		length += bytes.length;
		if (length > MAX_BYTES) throw unreachable();
		parts.push(bytes);
	}
	return Buffer.concat(parts);
}

function nextUrl(location: string | string[] | undefined, from: string): string | undefined {
	const to = Array.isArray(location) ? location[0] : location;
	return to !== undefined && URL.canParse(to, from) ? new URL(to, from).href : undefined;
}

/** See `WebClient`. `own`: what is served here and needs no internet. */
export function webClient(own: OwnSite): WebClient {
	const agent = (rejectUnauthorized: boolean): Agent =>
		new Agent({
			connections: CONNECTIONS,
			connect: { rejectUnauthorized, timeout: CONNECT_TIMEOUT_MS },
		});
	const lax = agent(false);
	const strict = agent(true);

	const follow = async (start: string, options: FetchOptions): Promise<FetchedPage> => {
		let url = start;
		for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
			const { protocol, hostname } = new URL(url);
			if (!/^https?:$/.test(protocol) || NO_HOST.test(hostname)) throw unreachable();
			const asked = own.has(url) ? own.locate(url) : { url, headers: {} };
			const { statusCode, headers, body } = await httpRequest(asked.url, {
				dispatcher: options.verifyTls ? strict : lax,
				headers: { 'user-agent': USER_AGENT, accept: '*/*', ...options.headers, ...asked.headers },
				...(options.signal && { signal: options.signal }),
			});
			const to = statusCode >= 300 && statusCode < 400 ? nextUrl(headers.location, url) : undefined;
			if (to === undefined) {
				const contentType = String(headers['content-type'] ?? '');
				return { url, status: statusCode, contentType, bytes: await readBytes(body) };
			}
			await body.dump();
			url = to;
		}
		throw unreachable();
	};

	return {
		async fetch(url, options = {}) {
			try {
				return await follow(url, options);
			} catch {
				options.signal?.throwIfAborted();
				throw unreachable();
			}
		},
		async stop() {
			await Promise.all([lax.destroy(), strict.destroy()]);
		},
	};
}

/** The page's text by the charset it names; UTF-8 where it names none or an unknown one. */
export function textOf({ contentType, bytes }: Pick<FetchedPage, 'contentType' | 'bytes'>): string {
	const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return bytes.toString('utf8');
	}
}

/** Whether it is a page rather than a file. Servers that name no type mostly send pages. */
export function isHtml(contentType: string): boolean {
	return contentType === '' || /\b(?:html|xhtml\+xml)\b/i.test(contentType);
}
