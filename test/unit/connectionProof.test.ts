import { failureFromNetworkError } from '../../nodes/service/http/networkFailure';

/** As axios marks all that it throws. */
const failed = (error: object) => failureFromNetworkError({ isAxiosError: true, ...error }, 'https://a.example');
const IN_HANDSHAKE = { request: { socket: { secureConnecting: true } } };
const AFTER_HANDSHAKE = { request: { socket: { secureConnecting: false } } };

it.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])('blames the name for %s', (code) => {
	expect(failed({ code }).message).toContain('no server of that name was found (DNS)');
	expect(failed({ code }).mayHaveExecuted).toBe(false);
});

it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])(
	'says that nothing answers for %s',
	(code) => {
		expect(failed({ code }).message).toContain('nothing answers there');
		expect(failed({ code }).mayHaveExecuted).toBe(false);
	},
);

it.each(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT'])(
	'knows %s for a time-out',
	(code) => {
		expect(failed({ code })).toMatchObject({ kind: 'timeout', mayHaveExecuted: true });
		expect(failed({ code, syscall: 'connect' })).toMatchObject({ kind: 'unreachable' });
	},
);

it.each([
	'CERT_NOT_YET_VALID',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'CRL_HAS_EXPIRED',
	'ERROR_IN_CERT_NOT_AFTER_FIELD',
	'INVALID_CA',
	'INVALID_PURPOSE',
	'PATH_LENGTH_EXCEEDED',
	'HOSTNAME_MISMATCH',
	'ERR_TLS_CERT_ALTNAME_INVALID',
])('takes %s for a bad certificate, found before anything was sent', (code) => {
	const failure = failed({ code, ...AFTER_HANDSHAKE });
	expect(failure).toMatchObject({ kind: 'tls', mayHaveExecuted: false });
	expect(failure.message).toContain(`(${code})`);
});

it.each([
	'NO_CERT_HERE',
	'INVALID_CA_X',
	'INVALID_PURPOSE_X',
	'PATH_LENGTH_EXCEEDED_X',
	'HOSTNAME_MISMATCH_X',
	'ERR_TLS_CERT_ALTNAME_INVALID_X',
])('takes no code for a proof that only looks like one: %s', (code) => {
	expect(failed({ code })).toMatchObject({ kind: 'connection', mayHaveExecuted: true });
});

it('names the code of a break in the encryption, and no other', () => {
	expect(failed({ code: 'ERR_SSL_BAD_RECORD_TYPE' }).message).toContain('(ERR_SSL_BAD_RECORD_TYPE)');
	expect(failed({ code: 'EPROTO' }).message).toContain('(EPROTO)');
	for (const code of ['NO_ERR_SSL_X', 'EPROTOTYPE', 'ECONNRESET']) {
		expect(failed({ code }).message).not.toContain('(');
	}
});

it('needs no code to say that a handshake was not finished', () => {
	const { kind, message } = failed(IN_HANDSHAKE);
	expect(kind).toBe('tls');
	expect(message).toContain('No secure connection to https://a.example: check');
});

it('knows by the call that a connection stood, so that the request may have arrived', () => {
	for (const syscall of ['read', 'write']) {
		expect(failed({ code: 'EHOSTUNREACH', syscall })).toMatchObject({ mayHaveExecuted: true });
	}
	expect(failed({ code: 'EHOSTUNREACH', syscall: 'connect' })).toMatchObject({ mayHaveExecuted: false });
});

describe('of a chain of errors', () => {
	it('the outermost code counts, but for the one that says nothing', () => {
		const inner = { code: 'ECONNREFUSED' };
		expect(failed({ code: 'ECONNRESET', cause: inner }).mayHaveExecuted).toBe(true);
		expect(failed({ code: 'ERR_BAD_RESPONSE', cause: inner }).mayHaveExecuted).toBe(false);
		expect(failed({ ...inner, cause: { message: 'no code' } }).mayHaveExecuted).toBe(false);
		expect(failed({ ...inner, cause: { code: 'ECONNRESET' } }).mayHaveExecuted).toBe(false);
	});

	it('five are checked', () => {
		const chain = (depth: number): object => (depth === 1 ? { code: 'ECONNREFUSED' } : { cause: chain(depth - 1) });
		expect(failed(chain(5)).mayHaveExecuted).toBe(false);
		expect(failed(chain(6)).mayHaveExecuted).toBe(true);
	});

	it('what is no code is none', () => {
		for (const code of [['ECONNREFUSED'], 'econnrefused', 'connect ECONNREFUSED', 'ECONNREFUSED.', 5]) {
			expect(failed({ code })).toMatchObject({ kind: 'connection', mayHaveExecuted: true });
		}
		expect(failed({ ...IN_HANDSHAKE, code: 'write EPROTO' }).message).not.toContain('EPROTO');
		expect(failed({ ...IN_HANDSHAKE, code: 'EPROTO.' }).message).not.toContain('EPROTO');
	});

	it('what is no text is no word of the protection against requests to inner addresses', () => {
		const message = Object.create(null) as object;
		expect(failed({ message, name: message })).toMatchObject({ kind: 'connection' });
		for (const name of ['AnSsrfBlockedIpError', 'SsrfBlockedIpErrors', 'SsrfError']) {
			expect(failed({ name })).toMatchObject({ kind: 'connection' });
		}
		expect(failed({ name: 'SsrfBlockedHostnameError' })).toMatchObject({ kind: 'blocked' });
	});
});
