import type { ServiceFailure } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';

const WORD = /webhook/i;

/**
 * Whether a start was refused because the service makes no such calls. A refusal may quote what was asked for,
 * such as an address or a field of a schema with this word in it: what stands in `body`, which has no webhook,
 * is no word of the service.
 */
export function refusesCalls(
	{ httpCode, message }: Pick<ServiceFailure, 'httpCode' | 'message'>,
	body: JsonObject | undefined,
): boolean {
	const quoted = textsIn(body).filter((text) => WORD.test(text));
	const own = quoted.reduce((rest, text) => rest.replaceAll(text, ''), message);
	return httpCode === 400 && WORD.test(own);
}

/** All texts and names in a body, whatever they stand for. */
function textsIn(body: unknown): string[] {
	if (typeof body === 'string') return [body];
	if (typeof body !== 'object' || body === null) return [];
	return Object.entries(body).flatMap(([name, part]) => [name, ...textsIn(part)]);
}
