import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTML_TYPE, JSON_TYPE, bodyText, jsonAnswer, RATE_LIMIT_TEXT, refusal } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { readFaultRule } from './faultBook.ts';
import type { Fault, FaultRule } from './faultBook.ts';
import type { Pauses } from '../runtime/runtime.ts';

/** What goes over the wire instead of a plain answer. */
export type Delivery =
	| { how: 'answer'; answer: Answer }
	| { how: 'reset' }
	| { how: 'hang' }
	| { how: 'truncated'; answer: Answer }
	| { how: 'drip'; answer: Answer; overMs: number };

const LOGIN_PAGE =
	'<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in to the network</h1></body></html>';
const GATEWAY_PAGE =
	'<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>';

const ERROR_TEXTS: Readonly<Record<number, string>> = {
	402: 'Payment required to access this resource.',
	429: RATE_LIMIT_TEXT,
	500: 'An unexpected error occurred on the server.',
};

function plain(answer: Answer): Delivery {
	return { how: 'answer', answer };
}

function retryAfter(value: string | number | undefined): Record<string, string> {
	return value === undefined ? {} : { 'retry-after': String(value) };
}

/**
 * What the fault makes of the answer. `answer` is the work's own, or undefined where the fault
 * stands before the work. `slow` before the work is a delay and no answer: the caller sees to it.
 */
export function applyFault(fault: Fault, answer: Answer | undefined): Delivery {
	const whole = answer ?? jsonAnswer(200, { success: true, data: {} });
	switch (fault.kind) {
		case 'status': {
			const error = fault.error ?? ERROR_TEXTS[fault.httpStatus] ?? `Sandbox fault ${fault.httpStatus}`;
			return plain({ ...refusal(fault.httpStatus, error), headers: retryAfter(fault.retryAfter) });
		}
		case 'rateLimit':
			return plain({ ...refusal(429, RATE_LIMIT_TEXT), headers: retryAfter(fault.retryAfter) });
		case 'reset':
			return { how: 'reset' };
		case 'hang':
			return { how: 'hang' };
		case 'truncated':
			return { how: 'truncated', answer: whole };
		case 'html':
			return plain({ status: 200, contentType: HTML_TYPE, body: LOGIN_PAGE });
		case 'htmlError':
			return plain({ status: 502, contentType: HTML_TYPE, body: GATEWAY_PAGE });
		case 'slow':
			return { how: 'drip', answer: whole, overMs: fault.ms };
		case 'wrongType':
			return plain({ ...whole, contentType: 'text/plain; charset=utf-8' });
		case 'wrongShape':
			return plain({
				status: 200,
				contentType: JSON_TYPE,
				body: JSON.stringify(fault.body ?? null),
			});
		case 'empty':
			return plain({ status: 200, contentType: JSON_TYPE, body: '' });
		case 'redirect':
			return plain({ status: fault.httpStatus, headers: { location: fault.to }, body: '' });
		case 'body': {
			const body = typeof fault.body === 'string' ? fault.body : bodyText(jsonAnswer(200, fault.body ?? null));
			const headers = Object.fromEntries(
				Object.entries(fault.headers).map(([name, value]) => [name.toLowerCase(), value]),
			);
			return plain({ status: fault.httpStatus, headers, body });
		}
		case 'failJob':
		case 'expire':
		case 'model':
			// They change the job or what the model says, not the answer.
			return plain(whole);
	}
}

/** An address among the pages of `sandbox/site/tryPages.ts`. */
const at = (name: string): { query: string } => ({ query: `example.com/try/${name}` });

/**
 * Addresses with which the service itself refuses or fails, for a person who tries the node in the editor and
 * has no wish to send fault rules. They stand always, behind the rules that a test sets.
 */
export const TRY_FAULTS: readonly FaultRule[] = [
	{ step: 'any', kind: 'status', httpStatus: 402, ...at('refuse-402') },
	{ step: 'any', kind: 'status', httpStatus: 503, ...at('refuse-503') },
	// Half of the requests, at random: the node waits and then gets its page.
	{ step: 'any', kind: 'rateLimit', retryAfter: 2, share: 0.5, ...at('refuse-429') },
	{
		step: 'start',
		kind: 'failJob',
		error: 'The sandbox was asked to fail this job',
		...at('fail-job'),
	},
];

const PLACE = '{key}';

/**
 * The fault with the key of the request wherever its texts hold `{key}`: a service that repeats it in an
 * error, a reason, a state or an id.
 */
export function withKey(fault: Fault, authorization: string | undefined): Fault {
	const text = JSON.stringify(fault);
	if (!text.includes(PLACE)) return fault;
	const key = authorization?.split(' ')[1] ?? '';
	return readFaultRule(JSON.parse(text.replaceAll(PLACE, JSON.stringify(key).slice(1, -1))));
}

/** What the delivery of an answer needs. */
interface Carrier {
	waits: Pauses;
	/** The clock that the Date header tells. */
	now(): number;
}

const DRIP_PARTS = 10;

function dateOf(carrier: Carrier): string {
	return new Date(carrier.now()).toUTCString();
}

function writeHead(response: ServerResponse, answer: Answer, bytes: Buffer, carrier: Carrier): void {
	response.writeHead(answer.status, {
		date: dateOf(carrier),
		'content-type': answer.contentType ?? JSON_TYPE,
		'content-length': String(bytes.length),
		...answer.headers,
	});
}

async function drip(response: ServerResponse, answer: Answer, overMs: number, carrier: Carrier): Promise<void> {
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

function truncate(request: FastifyRequest, response: ServerResponse, answer: Answer, carrier: Carrier): void {
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
	if (delivery.how === 'truncated') truncate(request, reply.raw, delivery.answer, carrier);
	if (delivery.how === 'drip') await drip(reply.raw, delivery.answer, delivery.overMs, carrier);
}
