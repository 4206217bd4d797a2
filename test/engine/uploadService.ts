import type { IncomingMessage } from 'node:http';
import { listen } from '../helpers/script';
import type { Listening } from '../helpers/script';

/** One upload as the service saw it. */
interface SeenUpload {
	/** As announced. */
	contentLength: number;
	/** As arrived. */
	bytes: number;
	/** It came to its end. */
	isWhole: boolean;
}

/** A stand-in for the service that reads uploads as a stream, and can break off in the middle. */
export interface UploadService extends Listening {
	uploads: SeenUpload[];
}

interface Behaviour {
	/** Bytes after which the connection is cut, for the first so many uploads. */
	cut?: { afterBytes: number; times: number };
	/** Bytes after which nothing more is read. */
	stallAfterBytes?: number;
	/** Answers 429 at once, without reading, for the first so many uploads. */
	refuseEarly?: number;
}

const ANSWER = {
	success: true,
	data: { markdown: 'read', metadata: { scrapeId: 'a-b', statusCode: 200, creditsUsed: 1 } },
};

/** Counts what arrives and keeps nothing of it, so that the size of a file is nothing to it. */
export async function startUploadService(behaviour: Behaviour = {}): Promise<UploadService> {
	const uploads: SeenUpload[] = [];
	const { cut, stallAfterBytes = Infinity, refuseEarly = 0 } = behaviour;
	const read = (request: IncomingMessage, seen: SeenUpload, isCut: boolean) =>
		new Promise<void>((resolve) => {
			request.on('data', (chunk: Buffer) => {
				seen.bytes += chunk.byteLength;
				if (isCut && seen.bytes >= (cut?.afterBytes ?? 0)) request.socket.destroy();
				if (seen.bytes >= stallAfterBytes) request.pause();
			});
			request.on('error', () => undefined);
			request.on('end', () => {
				seen.isWhole = true;
				resolve();
			});
		});
	const server = await listen(async (request, response) => {
		if (request.method !== 'POST') {
			response.writeHead(404, { 'content-type': 'application/json' });
			return response.end('{"success":false,"error":"Job not found."}');
		}
		const seen = {
			contentLength: Number(request.headers['content-length']),
			bytes: 0,
			isWhole: false,
		};
		uploads.push(seen);
		if (uploads.length <= refuseEarly) {
			response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
			return response.end('{"success":false,"error":"Rate limit exceeded."}');
		}
		await read(request, seen, uploads.length <= (cut?.times ?? 0));
		response.writeHead(200, { 'content-type': 'application/json' });
		return response.end(JSON.stringify(ANSWER));
	});
	return { ...server, uploads };
}
