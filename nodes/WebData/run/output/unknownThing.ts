import type { ServiceFailure } from '../../../service/http/failure';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { KnownById } from '../../operation/operation';

/**
 * What to say of an ID that the service does not know, and what to do; undefined for any other failure. To
 * a request that says nothing else, 400 is the word for an ID that cannot be one (recordings NOTES 2).
 */
export function unknownThing(
	about: KnownById | undefined,
	values: JsonObject,
	{ notFound, httpCode }: ServiceFailure,
	{ method, body, query }: Pick<ServiceRequest, 'method' | 'body' | 'query'>,
): { title: string; message: string } | undefined {
	if (!about) return undefined;
	const { id, what, orElse, from } = about;
	const saysNothingElse = !body && !query && method !== 'PATCH';
	const isNoId = httpCode === 400 && saysNothingElse;
	if (!notFound && !isNoId) return undefined;
	return {
		title: `The service does not know this ${what}`,
		message: `The service does not know the ${what} ${String(values[id])}: the ID is wrong, or ${orElse}. The right one is in the output of ${from}.`,
	};
}
