import type { HttpResponse } from '../../nodes/service/http/transport';

interface Parts {
	status?: number;
	headers?: Record<string, string>;
	text?: string;
}

/** A whole answer that is already there. */
export function httpResponse({ status = 200, headers = {}, text = '' }: Parts): HttpResponse {
	const body = oneChunk(Buffer.from(text));
	return { statusCode: status, headers, body: Object.assign(body, { destroy: () => undefined }) };
}

async function* oneChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
	if (chunk.byteLength > 0) yield await Promise.resolve(chunk);
}
