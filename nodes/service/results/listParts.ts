import type { ServiceClient } from '../client';
import { notTheService } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';

/** Most parts of one list that are asked for. */
const MAX_PARTS = 1000;

/** How a list continues in parts. */
export interface ListPaging {
	/** Sent with each request, beside what the fields send. */
	query: JsonObject;
	/** The parameters that ask for the part after this answer; undefined after the last. `count`: elements so far. */
	next(answer: JsonObject, count: number): JsonObject | undefined;
	/** The request with these parameters. Default: they go into its query. */
	at?(request: ServiceRequest, place: JsonObject): ServiceRequest;
}

/** The request for one part of a list. */
export function requestForPart(
	request: ServiceRequest,
	paging: ListPaging | undefined,
	place: JsonObject,
): ServiceRequest {
	if (paging?.at) return paging.at(request, place);
	const query = { ...request.query, ...paging?.query, ...place };
	return Object.keys(query).length > 0 ? { ...request, query } : request;
}

/** A list that comes in parts, and how to continue in it. */
interface ListInParts<Element extends object> {
	/** The noun for its elements: `monitor`. */
	unit: string;
	/** Undefined when the answer holds no list. */
	readList(answer: JsonObject): Element[] | undefined;
	paging?: ListPaging;
}

/**
 * The first `most` elements of a list, and the answer that held the last part. A list has ended when a part
 * holds nothing that was not there before: a server may give fewer at once than it was asked for, or begin
 * again when it does not know how to continue. Throws a ServiceFailure when an answer holds no list.
 */
export async function readListParts<Element extends object>(
	{ readList, paging, unit }: ListInParts<Element>,
	request: ServiceRequest,
	client: ServiceClient,
	most = Infinity,
): Promise<{ elements: Element[]; answer: JsonObject }> {
	const elements: Element[] = [];
	const known = new Set<string>();
	const asked = new Set<string>();
	let received = 0;
	let answer: JsonObject = {};
	let more: JsonObject | undefined = {};
	while (more && elements.length < most && asked.size < MAX_PARTS) {
		asked.add(JSON.stringify(more));
		answer = await client.call(requestForPart(request, paging, more));
		const list = readList(answer);
		if (!list) throw notTheService(client.baseUrl, `without a list of ${unit}s`);
		const unseen = list.filter((element) => !known.has(nameOf(element)));
		if (unseen.length === 0) break;
		for (const element of unseen) {
			known.add(nameOf(element));
			elements.push(element);
		}
		received += list.length;
		more = paging?.next(answer, received);
		if (more && asked.has(JSON.stringify(more))) more = undefined;
	}
	return { elements: elements.slice(0, most), answer };
}

/** The name that tells an element of a list from the others: its id, else all that it holds. */
function nameOf(element: object): string {
	return 'id' in element && typeof element.id === 'string' ? element.id : JSON.stringify(element);
}

/** Elements of a part of a list; the service takes 100 at most. */
const PART = 100;

/** Of lists with neither a total nor a link. A server may give fewer at once: only an empty part is the end. */
export const pagedByOffset = {
	query: { limit: PART },
	next: ({ data }: JsonObject, count: number): JsonObject | undefined =>
		Array.isArray(data) && data.length > 0 ? { offset: count } : undefined,
};
