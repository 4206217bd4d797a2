import { readErrorText } from '../../../service/http/answer';
import { notTheService, ServiceFailure } from '../../../service/http/failure';
import { shorten } from '../../../service/http/shortText';
import type { JsonObject } from '../../../service/http/transport';
import { unknownThing } from '../output/unknownThing';
import type { CallOperation } from '../../operation/operation';
import type { ItemFailure } from '../output/itemError';
import type { CallPlan } from './planCall';

/** What a call asked for; nothing where that could not be read. */
export type AskedCall = Pick<CallPlan, 'values' | 'sent' | 'file'> & Partial<CallPlan>;

/**
 * Why a call has no result: in the operation's own words where it has some, else with the address that
 * it was about, where the service failed on that. `lost`: what to say where its answer was lost.
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
	if (explained) return { kind, httpCode, ...explained };
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
		kind === 'http' &&
		!failure.isMissingOnServer &&
		(httpCode === 404 || httpCode === 408 || Number(httpCode) >= 500);
	if (typeof asked.sent.url !== 'string' || !isAboutPage) return { kind, message, httpCode };
	return { kind, httpCode, title, message: `${what}: ${message}` };
}

/** The code for a site whose host name has no address, as after a typing error. */
const NO_SUCH_HOST = 'SCRAPE_DNS_RESOLUTION_ERROR';

/** What to say where there is no site of that name; undefined for any other failure. */
function noSuchSite(
	{ answer }: ServiceFailure,
	asked: AskedCall,
): Pick<ItemFailure, 'title' | 'message'> | undefined {
	if (answer?.code !== NO_SUCH_HOST) return undefined;
	const what = `No website was found at ${askedFor(asked)}`;
	const said = readErrorText(answer).replace(/\.+$/, '');
	return {
		title: shorten(what, 140),
		message: `${what} (DNS): check the spelling of the address. The service says: ${said} (${NO_SUCH_HOST}).`,
	};
}

/** What a call was about, as the user knows it: an address, words, or a file. */
export function askedFor({ sent, file }: Pick<AskedCall, 'sent' | 'file'>): string {
	const asked = [sent.url, sent.query, sent.intent, sent.name, file?.fileName];
	return shorten(String(asked.find((one) => typeof one === 'string') ?? 'this item'), 200);
}

/** A recall is a courtesy: one that fails is not waited for as long as what is paid for. */
export const RECALL_RETRIES = 2;

/** Pauses before the checks for the results of earlier tries, of those that the service denied at the check before. */
export const RECALL_PAUSES_MS: readonly number[] = [0, 1000, 2000, 4000, 8000];

/**
 * The service answers, but not with the earlier result: it is gone (404), or such a service keeps none
 * (404, 500 or 501 on self-hosted ones without a database, 400 with forced zero data retention;
 * docs/service-notes.md#servers-of-your-own). A service that cannot be reached or has its limits may still have it.
 */
export function isLastingRefusal({ kind, httpCode }: ServiceFailure): boolean {
	return kind === 'notJson' || (httpCode !== undefined && kind !== 'rateLimited');
}

/** An answer that holds no result, in the service's own words where it has any. */
export function withoutResult(body: JsonObject, baseUrl: string): ServiceFailure {
	const said = readErrorText(body);
	if (said === '' && body.success !== false) return notTheService(baseUrl, 'without a result');
	const why = said.replace(/\.+$/, '') || 'it says that it failed, and not why';
	const message = `The service answered without a result: ${why}.`;
	return new ServiceFailure({ kind: 'notJson', reached: 'maybe', message });
}
