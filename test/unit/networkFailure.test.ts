import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import type { JsonObject } from 'n8n-workflow';

import { failureOrThrow, ServiceFailure } from '../../nodes/service/http/failure';
import type { FailureKind } from '../../nodes/service/http/failure';
import { failureFromNetworkError } from '../../nodes/service/http/networkFailure';

const ORIGIN = 'https://a.example';
const node = {
	id: '1',
	name: 'Web Data',
	type: 'webData',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

const failed = (error: unknown, phase?: 'reading') => failureFromNetworkError(error, ORIGIN, phase);

/** As axios leaves it in its errors: the socket tells whether the handshake was finished. */
const IN_HANDSHAKE = { request: { socket: { secureConnecting: true } } };

const table: Array<[string, Record<string, unknown>, FailureKind, boolean]> = [
	['refused', { code: 'ECONNREFUSED', syscall: 'connect' }, 'unreachable', false],
	['unknown name', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'unreachable', false],
	['no DNS', { code: 'EAI_AGAIN' }, 'unreachable', false],
	['no route', { code: 'EHOSTUNREACH', syscall: 'connect' }, 'unreachable', false],
	['no route any more', { code: 'EHOSTUNREACH', syscall: 'read' }, 'connection', true],
	['connect timed out', { code: 'ETIMEDOUT', syscall: 'connect' }, 'unreachable', false],
	['answer timed out', { code: 'ECONNABORTED' }, 'timeout', true],
	['connection died', { code: 'ETIMEDOUT', syscall: 'read' }, 'timeout', true],
	['expired certificate', { code: 'CERT_HAS_EXPIRED' }, 'tls', false],
	['own certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'tls', false],
	['wrong host', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'tls', false],
	[
		'no TLS there',
		{ code: 'EPROTO', syscall: 'write', message: 'wrong version number', ...IN_HANDSHAKE },
		'tls',
		false,
	],
	['cut in the handshake', { code: 'ECONNRESET', syscall: 'read', ...IN_HANDSHAKE }, 'tls', false],
	['no end of the handshake', { code: 'ECONNABORTED', ...IN_HANDSHAKE }, 'tls', false],
	['refused, with a socket', { code: 'ECONNREFUSED', ...IN_HANDSHAKE }, 'unreachable', false],
	['stopped in the handshake', { code: 'ERR_CANCELED', ...IN_HANDSHAKE }, 'aborted', true],
	['EPROTO of an unknown time', { code: 'EPROTO', syscall: 'write' }, 'connection', true],
	...[
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'ERR_SSL_BAD_RECORD_TYPE',
		'ERR_SSL_CIPHER_OPERATION_FAILED',
		'ERR_SSL_INVALID_AAD',
		'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
		'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
		'ERR_TLS_SNI_FROM_SERVER',
		'EPROTO',
	].map((code): [string, Record<string, unknown>, FailureKind, boolean] => [
		`${code} after the handshake`,
		{ code, request: { socket: { secureConnecting: false } } },
		'connection',
		true,
	]),
	['nothing but a socket', { request: { socket: null } }, 'connection', true],
	['reset', { code: 'ECONNRESET', syscall: 'read' }, 'connection', true],
	['hung up', { code: 'ECONNRESET', message: 'socket hang up' }, 'connection', true],
	['broken pipe', { code: 'EPIPE', syscall: 'write' }, 'connection', true],
	['stopped', { code: 'ERR_CANCELED' }, 'aborted', true],
	[
		'SSRF protection, address',
		{
			name: 'SsrfBlockedIpError',
			message: 'The request was blocked because it resolves to a restricted IP address',
		},
		'blocked',
		false,
	],
	[
		'SSRF protection, name',
		{ message: 'The request was blocked because the destination hostname is restricted' },
		'blocked',
		false,
	],
	['a host with a telling name', { code: 'ENOTFOUND', message: 'ENOTFOUND ssrf.example' }, 'unreachable', false],
];

describe.each(table)('%s', (_name, facts, kind, mayHaveExecuted) => {
	const error = Object.assign(new Error(String(facts.message ?? '')), facts);

	it.each([
		['the error itself', error],
		['a plain object', facts],
		['a cause of a cause', { message: 'wrapped', cause: { name: 'AxiosError', cause: error } }],
		['behind an axios code', { code: 'ERR_BAD_RESPONSE', cause: facts }],
		['n8n’s own error', new NodeApiError(node, error as unknown as JsonObject)],
	])('as %s', (_shape, thrown) => {
		const failure = failed(thrown);
		expect(failure).toMatchObject({ kind, mayHaveExecuted });
		expect(failure.message).toMatch(/[^.]\.$/);
		expect(failure.message).not.toContain('wrapped');
	});

	it('is never proof that nothing arrived once the answer has begun', () => {
		expect(failed(error, 'reading').mayHaveExecuted).toBe(true);
	});
});

it('reads the code that n8n puts into httpCode', () => {
	expect(failed({ httpCode: 'ECONNREFUSED' })).toMatchObject({ kind: 'unreachable' });
	expect(failed({ httpCode: '503' })).toMatchObject({ kind: 'connection' });
	expect(failed(new NodeApiError(node, { message: 'x', httpCode: 'ERR_CANCELED' }))).toMatchObject({
		kind: 'aborted',
	});
});

it('names the host and what to do, and says when the answer broke off', () => {
	expect(failed({ code: 'ENOTFOUND' }).message).toBe(
		'Cannot reach https://a.example: no server of that name was found (DNS). Check the spelling of the base URL in the Web Data API (Firecrawl) credential, and that n8n has a connection to it.',
	);
	expect(failed({ code: 'ECONNRESET' }).message).toContain('broke before it answered');
	expect(failed({ code: 'ECONNRESET' }, 'reading').message).toContain('broke in the middle');
	expect(failed({ name: 'SsrfBlockedIpError' }).message).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
});

it('never repeats what the error holds, for that may be the key', () => {
	const secret = 'fc-secret';
	const error = { message: secret, stack: secret, config: { headers: { Authorization: secret } } };
	const failure = failed({ ...error, code: 'ECONNRESET' });
	expect(JSON.stringify([failure, failure.message, failure.stack, failure.cause])).not.toContain(secret);
});

const notOfTheNetwork: Array<[string, unknown]> = [
	['a mistake', new TypeError('x is undefined')],
	['a mistake with a code of Node', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' })],
	['a mistake that n8n has wrapped', new NodeApiError(node, new RangeError('x') as never)],
	['an error for the user', new UserError('Credential with ID "1" does not exist')],
	['the same that n8n has wrapped', new NodeApiError(node, new UserError('x') as never)],
	['an error of an operation', new NodeOperationError(node, 'No credentials set')],
	['an object without a code', { message: 'Boom' }],
	['a text', 'Boom'],
	['nothing', undefined],
	['null', null],
	['a number', 5],
];

it.each(notOfTheNetwork)('throws %s on, which says nothing about the service', (_what, thrown) => {
	let caught: unknown = 'nothing was thrown';
	try {
		failed(thrown);
	} catch (error) {
		caught = error;
	}
	expect(caught).toBe(thrown);
});

it('takes what axios says of an address for the network, although it names a TypeError', () => {
	const error = { name: 'TypeError', message: 'Invalid URL', isAxiosError: true };
	expect(failed(error)).toMatchObject({ kind: 'connection', mayHaveExecuted: true });
});

it('takes every error of a stream for the network, but no mistake', () => {
	expect(failed(new Error('aborted'), 'reading')).toMatchObject({ kind: 'connection' });
	expect(() => failed(new TypeError('x'), 'reading')).toThrow(TypeError);
});

it('ends on circular causes', () => {
	const circular: Record<string, unknown> = { name: 'Error', message: 'x', code: 'ECONNRESET' };
	circular.cause = circular;
	expect(failed(circular)).toBeInstanceOf(ServiceFailure);
});

it('leaves a failure of the service as it is', () => {
	const own = failed({ code: 'ECONNRESET' });
	expect([failed(own), failureOrThrow(own)]).toEqual([own, own]);
});
