import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { JSON_TYPE, bodyText } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import type { Pauses } from '../runtime/pauses.ts';
import type { Delivery } from './faultyAnswer.ts';

/** What the delivery of an answer needs. */
export interface Carrier {
	waits: Pauses;
	/** Ends the encryption of the connection that comes from this port, where there is one. */
	breakTls?: ((fromPort: number) => void) | undefined;
	/** The clock that the Date header tells. */
	now(): number;
}

const DRIP_PARTS = 10;

function dateOf(carrier: Carrier): string {
	return new Date(carrier.now()).toUTCString();
}

function writeHead(
	response: ServerResponse,
	answer: Answer,
	bytes: Buffer,
	carrier: Carrier,
): void {
	response.writeHead(answer.status, {
		date: dateOf(carrier),
		'content-type': answer.contentType ?? JSON_TYPE,
		'content-length': String(bytes.length),
		...answer.headers,
	});
}

async function drip(
	response: ServerResponse,
	answer: Answer,
	overMs: number,
	carrier: Carrier,
): Promise<void> {
	const bytes = Buffer.from(bodyText(answer));
	writeHead(response, answer, bytes, carrier);
	response.flushHeaders();
	const partLength = Math.max(1, Math.ceil(bytes.length / DRIP_PARTS));
	for (let from = 0; from < bytes.length && !response.destroyed; from += partLength) {
		await carrier.waits.pause(overMs / DRIP_PARTS);
		response.write(bytes.subarray(from, from + partLength));
	}
	response.end();
}

function truncate(
	request: FastifyRequest,
	response: ServerResponse,
	answer: Answer,
	carrier: Carrier,
): void {
	const bytes = Buffer.from(bodyText(answer));
	writeHead(response, answer, bytes, carrier);
	// The reset must not overtake the half that is to arrive.
	response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
		setImmediate(() => request.raw.socket.destroy());
	});
}

/** Writes the answer, or whatever a fault has made of it. */
export async function deliver(
	request: FastifyRequest,
	reply: FastifyReply,
	delivery: Delivery,
	carrier: Carrier,
): Promise<void> {
	if (delivery.how === 'answer') {
		const { answer } = delivery;
		await reply
			.code(answer.status)
			.headers(answer.headers ?? {})
			.type(answer.headers?.['content-type'] ?? answer.contentType ?? JSON_TYPE)
			.send(bodyText(answer));
		return;
	}
	reply.hijack();
	if (delivery.how === 'reset') request.raw.socket.resetAndDestroy();
	if (delivery.how === 'tlsBreak') {
		if (carrier.breakTls) carrier.breakTls(request.raw.socket.remotePort ?? 0);
		else request.raw.socket.resetAndDestroy();
	}
	if (delivery.how === 'truncated') truncate(request, reply.raw, delivery.answer, carrier);
	if (delivery.how === 'drip') await drip(reply.raw, delivery.answer, delivery.overMs, carrier);
}
