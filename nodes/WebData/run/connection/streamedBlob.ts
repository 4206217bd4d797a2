import type { StreamedBody } from '../../../service/http/transport';

/**
 * A body that is made while it is sent, in the one form in which n8n's request helper takes such a thing
 * without a module that community packages may not load: n8n hands it to axios, which streams a Blob piece
 * by piece, with its type and size in the headers (axios 1.18 of n8n-core 1.123 and 2.41, adapters/http.js).
 * A Blob's type is in lower case, so the boundary in it must be.
 */
export class StreamedBlob extends Blob {
	constructor(private readonly body: StreamedBody) {
		super([], { type: body.contentType });
		// Own and enumerable: n8n sends no object without such a property (isObjectEmpty, n8n-workflow 1.120, 2.41).
		Object.defineProperty(this, 'size', { value: body.bytes, enumerable: true });
	}

	override stream(): ReturnType<Blob['stream']> {
		return ReadableStream.from(this.body.chunks);
	}
}
