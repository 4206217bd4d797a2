import { toolName } from '../../operation/dataTools';
import { MAX_NAMED, named } from '../../operation/hint';
import type { CallOperation, SentFile } from '../../operation/operation';
import { isJsonObject, readErrorText } from '../../service/http/answer';
import { ServiceFailure, notTheService, refusedInput, shorten } from '../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import type { LostStartFinding } from '../../service/jobs/jobOutcome';
import { trimEnd } from '../../text/ends';
import { unknownThing } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';
import { REPEATED_UP_TO_CREDITS } from '../paid/decide';
import type { Open } from '../paid/decide';

/** The request of a call; nothing where that could not be read. */
export interface AskedCall {
	values: JsonObject;
	/** Body and query together. */
	sent: JsonObject;
	file?: SentFile;
	request?: ServiceRequest;
}

/**
 * The reason why a call has no result: in the operation's own words where it has some, else with the address that it
 * was about, where the service failed on that. `lost`: what to say where its answer was lost.
 */
export function failedCall(
	failure: ServiceFailure,
	operation: CallOperation,
	asked: AskedCall,
	lost?: Pick<ItemFailure, 'message' | 'candidates'>,
): Omit<ItemFailure, 'item'> {
	const { values, file, request, sent } = asked;
	const { kind, message, httpCode } = failure;
	// These are about the execution and the panel, not about what the operation asked for.
	const isOwn = kind !== 'aborted' && kind !== 'badInput';
	const explained = isOwn ? operation.explain?.(failure, values, file, sent) : undefined;
	if (explained) {
		const { cost, ...told } = explained;
		if (cost === undefined) return { kind, httpCode, ...told };
		// A refusal after a lost answer says nothing of what that has cost.
		return { kind, httpCode, ...told, ...lost, message: `${told.message} ${lost?.message ?? cost}` };
	}
	const unknown = isOwn && request && unknownThing(operation.about, values, failure, request);
	if (unknown) return { kind, httpCode, ...unknown };
	const absent = isOwn ? noSuchSite(failure, asked) : undefined;
	if (absent) return { kind, httpCode, ...absent };
	const what = `No result for ${askedFor(asked)}`;
	const title = shorten(what, 140);
	if (lost) {
		return { kind, httpCode, ...lost, title, message: `${what}: ${message} ${lost.message}` };
	}
	// The other refusals are about the request or the account.
	const isAboutPage =
		failure.isAboutPage ||
		(kind === 'http' &&
			!failure.isMissingOnServer &&
			(httpCode === 404 || httpCode === 408 || Number(httpCode) >= 500));
	if (typeof asked.sent.url !== 'string' || !isAboutPage) return { kind, message, httpCode };
	return { kind, httpCode, title, message: `${what}: ${message}` };
}

/** The code for a site whose host name has no address, as after a typing error. */
const NO_SUCH_HOST = 'SCRAPE_DNS_RESOLUTION_ERROR';

/** The error where there is no site of that name; undefined for any other failure. */
function noSuchSite({ answer }: ServiceFailure, asked: AskedCall): Pick<ItemFailure, 'title' | 'message'> | undefined {
	if (answer?.code !== NO_SUCH_HOST) return undefined;
	const what = `No website was found at ${askedFor(asked)}`;
	const said = trimEnd(readErrorText(answer), /\./);
	return {
		title: shorten(what, 140),
		message: `${what} (DNS): check the spelling of the address. The service says: ${said} (${NO_SUCH_HOST}).`,
	};
}

/** The thing that a call was about, as the user knows it: an address, words, a data tool, or a file. */
export function askedFor({ sent, file }: Pick<AskedCall, 'sent' | 'file'>): string {
	const tool = isJsonObject(sent.alexandria) ? toolName(sent.alexandria) : undefined;
	const asked = [sent.url, sent.query, sent.intent, sent.name, tool, file?.fileName];
	return shorten(String(asked.find((one) => typeof one === 'string') ?? 'this item'), 200);
}

/**
 * The service answers, but not with the earlier result: it is gone (404), or such a service keeps none
 * (404, 500 or 501 on self-hosted ones without a database, 400 with forced zero data retention;
 * docs/reference/service-notes.md#servers-of-your-own). A service that cannot be reached or has its limits may still have it.
 */
export function isLastingRefusal({ kind, httpCode }: ServiceFailure): boolean {
	return kind === 'notJson' || (httpCode !== undefined && kind !== 'rateLimited');
}

/** An answer that holds no result, in the service's own words where it has any. */
export function withoutResult(body: JsonObject, baseUrl: string): ServiceFailure {
	const said = readErrorText(body);
	if (said === '' && body.success !== false) return notTheService(baseUrl, 'without a result');
	const why = trimEnd(said, /\./) || 'it says that it failed, and not why';
	const message = `The service answered without a result: ${why}.`;
	return new ServiceFailure({ kind: 'notJson', mayHaveExecuted: true, message });
}

/** Ids of what may be the result of a lost call. */
export function candidatesOf(finding: LostStartFinding | undefined): string[] {
	if (finding?.kind === 'found') return [finding.id];
	return finding?.kind === 'several' ? finding.ids.slice(0, MAX_NAMED) : [];
}

/** Of a call that an earlier try may have paid for, and that is not sent again. `kill`: of n8n, in that try. */
export function notSentAgain(by: Open['by']): ServiceFailure {
	const message =
		by !== 'kill'
			? 'The answer to an earlier try was lost.'
			: 'n8n was ended while this node ran, so an earlier try may have sent this.';
	return new ServiceFailure({ kind: 'notJson', mayHaveExecuted: true, message });
}

/** The property by which the service's list shows a request. */
export function shownBy({ recall }: CallOperation): string {
	return recall?.kind?.listed?.shows ?? 'address';
}

/** Of what was sent with another key than today's. */
export const KEY_CHANGED = 'The API key has changed since then';

/** Of an answer that the service keeps, and does not give with today's key. */
export function keptByOtherText(id: string): string {
	return `Its answer was given before, and is kept at the service by the ID ${id}. ${KEY_CHANGED}: set the earlier key if the new one is of another account. One more retry of this execution asks for it again with the new key, and pays for it.`;
}

/**
 * The message about a call whose answer was lost. `isKilled`: n8n was killed before it was sent, or after; `isOfOther`:
 * it was sent with a key that may be another account's; `isRepeated`: a retry sends it again.
 */
export function lostCallText(
	operation: CallOperation,
	finding: LostStartFinding,
	{
		isKilled = false,
		isOfOther = false,
		isRepeated = true,
		requestId,
	}: { isKilled?: boolean; isOfOther?: boolean; isRepeated?: boolean | undefined; requestId?: string | undefined },
): string {
	const begin = 'Firecrawl may have done this and charged for it';
	if (isOfOther) {
		const under = requestId === undefined ? '' : `, under the request ID ${requestId}`;
		return `${begin}${under}. ${KEY_CHANGED}: if the new one is of another account, that one does not know it and would be charged, too. One more retry of this execution sends it with the new key.`;
	}
	if (operation.isPaidOnceById) {
		return isKilled || requestId === undefined
			? `${begin}. This version of n8n does not say which execution is retried, so this retry cannot use the same request ID: retry this execution once more to send it with a new one.`
			: `${begin}, under the request ID ${requestId}. A retry of this execution sends it with the same request ID, which Firecrawl charges once; a new execution would be charged again.`;
	}
	const isFound = finding.kind === 'found' || finding.kind === 'several';
	if (!isFound && !isRepeated) {
		const how = `It may cost more than ${REPEATED_UP_TO_CREDITS} credits`;
		return isKilled
			? `${begin}. ${how}, so this retry does not send it: retry this execution once more to send it.`
			: `${begin}. ${how}, so a retry of this execution does not send it again: a new execution does.`;
	}
	const { recall } = operation;
	if (!recall?.kind) return `${begin}. A retry sends it again.`;
	const { collectWith } = recall;
	const shows = shownBy(operation);
	switch (finding.kind) {
		case 'found':
			return `${begin}: the service lists one that may be it by its ${shows} and time only, ${finding.id}, but gives no result of it yet. ${collectWith} collects it, and a retry asks for it again.`;
		case 'several': {
			const listed = `${begin}: the service lists ${finding.ids.length === 1 ? 'one that may be it or belong to somebody else' : 'several that may be it'}: ${named(finding.ids)}. ${collectWith} collects the right one.`;
			return isKilled
				? `${listed} To send it all the same, retry this execution once more.`
				: `${listed} A retry of this execution does not send it again, a new execution does.`;
		}
		case 'none':
			return `${begin}, but does not list it. A retry looks for it again before it pays again.`;
		default:
			if (finding.hasNoList) return `${begin}. This server keeps no list of what was done: a retry sends it again.`;
			return `${begin}. The service's list of what was done could not be read: a retry looks for it before it sends it again.`;
	}
}

/** An AI agent sees no hints, so an error says it. */
export function withoutFile(item: number): ServiceFailure {
	return refusedInput(`Item ${item} has no file that the service can read.`);
}
