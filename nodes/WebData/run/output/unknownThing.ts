import type { ServiceFailure } from '../../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { KnownById } from '../../operation/operation';

/**
 * True for the refusal of an ID that cannot be one: 400, in words about the ID (recordings crawl-31 and
 * monitor-28 of 2026). Another 400 has a reason of its own.
 */
export function saysNoId({ httpCode, message }: ServiceFailure): boolean {
	return httpCode === 400 && /\buuid\b|\bid format\b/i.test(message);
}

/**
 * What to say of an ID that the service does not know, and what to do; undefined for any other failure. A
 * request that says something else may be refused for that.
 */
export function unknownThing(
	about: KnownById | undefined,
	values: JsonObject,
	failure: ServiceFailure,
	{ method, body, query }: Pick<ServiceRequest, 'method' | 'body' | 'query'>,
): { title: string; message: string } | undefined {
	if (!about) return undefined;
	const { id, what, orElse, from } = about;
	const saysNothingElse = !body && !query && method !== 'PATCH';
	if (!failure.notFound && !(saysNothingElse && saysNoId(failure))) return undefined;
	return {
		title: `The service does not know this ${what}`,
		message: `The service does not know the ${what} ${String(values[id])}: the ID is wrong, or ${orElse}. The right one is in the output of ${from}.`,
	};
}
