import { HTML_TYPE, JSON_TYPE, bodyText, jsonAnswer } from '../http/answer.ts';
import { RATE_LIMIT_TEXT, refusal } from '../http/refusals.ts';
import type { Answer } from '../http/answer.ts';
import type { Fault } from './faultRule.ts';

/** What goes over the wire instead of a plain answer. */
export type Delivery =
	| { how: 'answer'; answer: Answer }
	| { how: 'reset' }
	| { how: 'tlsBreak' }
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
			const error =
				fault.error ?? ERROR_TEXTS[fault.httpStatus] ?? `Sandbox fault ${fault.httpStatus}`;
			return plain({ ...refusal(fault.httpStatus, error), headers: retryAfter(fault.retryAfter) });
		}
		case 'rateLimit':
			return plain({ ...refusal(429, RATE_LIMIT_TEXT), headers: retryAfter(fault.retryAfter) });
		case 'reset':
			return { how: 'reset' };
		case 'tlsBreak':
			return { how: 'tlsBreak' };
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
			const body =
				typeof fault.body === 'string' ? fault.body : bodyText(jsonAnswer(200, fault.body ?? null));
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
