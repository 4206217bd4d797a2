import { ServiceClient, newSharedState } from '../../nodes/service/client';
import type { HttpOptions, JsonObject, ServiceRequest } from '../../nodes/service/http/transport';
import { paginate } from '../../nodes/service/results/pages';
import type { PagesParts } from '../../nodes/service/results/pages';
import { Secrets } from '../../nodes/service/secrets';
import { httpResponse } from './httpResponse.ts';
import { VirtualTime } from './virtualTime.ts';

export const BASE_URL = 'https://service.example';
export const REQUEST: ServiceRequest = {
	method: 'GET',
	path: '/v2/crawl/job-1',
	bucket: 'crawlStatus',
};

/** A page as servers give it. */
export function page(number: number): JsonObject {
	const url = `https://site.example/${number}`;
	return {
		markdown: `Page ${number}`,
		metadata: { scrapeId: `scrape-${number}`, sourceURL: url, url },
	};
}

export const pages = (from: number, to: number) =>
	Array.from({ length: to - from }, (_unused, index) => page(from + index));

interface FakeAnswer {
	status?: number;
	body: unknown;
	headers?: Record<string, string>;
}

export type Answering = (options: HttpOptions, count: number) => FakeAnswer;

/** Reads all pages from a server that answers so, in virtual time. */
export async function readFrom(answering: Answering, parts: Partial<PagesParts> = {}, signal?: AbortSignal) {
	const time = new VirtualTime();
	const seen: HttpOptions[] = [];
	const client = new ServiceClient({
		secrets: new Secrets(''),
		key: '',
		http: async (options) => {
			seen.push(options);
			const { status = 200, body, headers = {} } = answering(options, seen.length);
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			return await Promise.resolve(httpResponse({ status, headers, text }));
		},
		baseUrl: BASE_URL,
		shared: newSharedState(time),
		time,
		signal,
	});
	const slices: JsonObject[][] = [];
	const numbers: number[] = [];
	let reached: number | undefined;
	const reading = (async () => {
		for await (const slice of paginate({ client, request: REQUEST, ...parts })) {
			slices.push(slice.pages);
			numbers.push(...slice.numbers);
			reached = slice.reached;
		}
	})();
	const failure = await time.until(
		reading.then(
			() => undefined,
			(error: unknown) => error as Error,
		),
	);
	return { pages: slices.flat(), numbers, reached, slices, seen, failure, time };
}
