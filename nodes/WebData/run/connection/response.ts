import { isJsonObject } from '../../../service/http/answer';
import { ServiceFailure } from '../../../service/http/failure';
import type { HttpResponse } from '../../../service/http/transport';

/** What n8n's request helpers return for a full response with a stream as its body. */
export function readResponse(response: unknown): HttpResponse {
	if (!isJsonObject(response) || !isByteStream(response.body)) {
		throw new ServiceFailure({
			kind: 'connection',
			reached: 'maybe',
			message: 'n8n handed over an answer without a body.',
		});
	}
	const { statusCode, headers, body } = response;
	return {
		statusCode: Number(statusCode),
		// axios gives an object of its own class.
		headers: typeof headers === 'object' && headers !== null ? { ...headers } : {},
		body,
	};
}

function isByteStream(value: unknown): value is HttpResponse['body'] {
	return typeof value === 'object' && value !== null && 'on' in value && 'destroy' in value;
}
