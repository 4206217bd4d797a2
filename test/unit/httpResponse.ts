import { Readable } from 'node:stream';

import type { HttpResponse } from '../../nodes/service/http/transport';

interface Parts {
	status?: number;
	headers?: Record<string, string>;
	text?: string;
}

/** A whole answer that is already there. */
export function httpResponse({ status = 200, headers = {}, text = '' }: Parts): HttpResponse {
	const chunk = Buffer.from(text);
	const body = Readable.from(chunk.byteLength > 0 ? [chunk] : []);
	return { statusCode: status, headers, body };
}
