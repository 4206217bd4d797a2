import { executionStopped, mistakeIn, ServiceFailure } from './failure';

// Codes of Node's net, dns and tls modules and of axios, as n8n 1.123 and 2.40 pass them on.
const NEVER_CONNECTED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EAI_FAIL',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
]);
const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);
// Found by this side before it sends anything: OpenSSL's names of what is wrong with a certificate
// (node 24, src/crypto/crypto_common.cc) and Node's own for a wrong name.
const CERTIFICATE =
	/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|ERROR_IN_C|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_ALTNAME_INVALID$)/;
const TLS = /^(ERR_TLS_|ERR_SSL_|EPROTO$)/;
const TIMEOUT = new Set(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT']);

// n8n-core 2.41, backend-network: SsrfBlockedIpError and SsrfBlockedHostnameError.
const BLOCKED = /^Ssrf\w+Error$|request was blocked because/;

interface NetworkFacts {
	code: string;
	connecting: boolean;
	/** The TLS handshake was never finished, so nothing of the request was sent. */
	handshaking: boolean;
	/** The connection stood before it broke, so the request may have arrived. */
	connected: boolean;
	blocked: boolean;
	/** Something in the chain of causes comes from the network, or from what sends requests. */
	isOfTransport: boolean;
}

// The codes of Node, its HTTP parser, its decompression and axios for trouble with a connection.
const TRANSPORT_CODE = /^(E[A-Z0-9_]+|ABORT_ERR|HPE_\w+|UND_ERR_\w+|Z_\w+)$/;
const TRANSPORT_NAME = /^(AxiosError|AbortError|CanceledError|TimeoutError)$/;

/**
 * Turns an error thrown by n8n's HTTP helper, or by the stream of an answer, into a ServiceFailure. Throws one
 * on that did not come from the network: n8n's own, such as that of a credential that is gone, or a mistake in
 * this package.
 * Looks through the chain of causes for a system code, since n8n wraps errors twice.
 * `phase` is `reading` once the status line had arrived: then every error is that of the stream.
 */
export function failureFromNetworkError(error: unknown, origin: string, phase?: 'reading'): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	if (mistakeIn(error)) throw error;
	const { code, connecting, handshaking, connected, blocked, isOfTransport } = readNetworkFacts(error);
	if (!isOfTransport && phase !== 'reading') throw error;
	if (code === 'ERR_CANCELED') {
		return executionStopped({ mayHaveExecuted: true });
	}
	if (phase === 'reading') return brokenConnection(code, origin, phase);
	if (CERTIFICATE.test(code)) return insecure(code, origin);
	if (connected && !handshaking) return brokenConnection(code, origin, phase);
	if (blocked) {
		return new ServiceFailure({
			kind: 'blocked',
			mayHaveExecuted: false,
			message: `This n8n does not allow requests to ${origin}: an administrator can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.`,
		});
	}
	if (NEVER_CONNECTED.has(code) || (TIMEOUT.has(code) && connecting)) {
		const why = DNS.has(code)
			? 'no server of that name was found (DNS). Check the spelling of the base URL in the Web Data API (Firecrawl) credential, and that n8n has a connection to it.'
			: 'nothing answers there. Check the base URL in the Web Data API (Firecrawl) credential and that the service is running.';
		return new ServiceFailure({
			kind: 'unreachable',
			mayHaveExecuted: false,
			message: `Cannot reach ${origin}: ${why}`,
		});
	}
	if (handshaking) return insecure(code, origin);
	return brokenConnection(code, origin, phase);
}

/** Nothing of the request was sent. */
function insecure(code: string, origin: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tls',
		mayHaveExecuted: false,
		message: `No secure connection to ${origin}${named(code)}: check that the base URL is right (http or https) and that the certificate is valid.`,
	});
}

/** The request may have arrived. */
function brokenConnection(code: string, origin: string, phase: 'reading' | undefined): ServiceFailure {
	if (TIMEOUT.has(code)) {
		return new ServiceFailure({
			kind: 'timeout',
			mayHaveExecuted: true,
			message: `${origin} did not answer in time: check that the server is running and not overloaded.`,
		});
	}
	const when = phase === 'reading' ? 'in the middle of its answer' : 'before it answered';
	// A server that wants a client certificate says so after the handshake (TLS 1.3): the code names it.
	const how = TLS.test(code) ? named(code) : '';
	return new ServiceFailure({
		kind: 'connection',
		mayHaveExecuted: true,
		message: `The connection to ${origin} broke ${when}${how}: check that the server is running, and the network and proxies on the way to it.`,
	});
}

/** In brackets, where there is one. */
function named(code: string): string {
	return code === '' ? '' : ` (${code})`;
}

function readNetworkFacts(error: unknown): NetworkFacts {
	const facts: NetworkFacts = {
		code: '',
		connecting: false,
		handshaking: false,
		connected: false,
		blocked: false,
		isOfTransport: false,
	};
	let current: unknown = error;
	// Five levels are more than n8n ever nests; the bound keeps a circular chain from hanging.
	for (let level = 0; level < 5 && isRecord(current); level++) {
		const code = [current.code, current.httpCode].find(
			(value) => typeof value === 'string' && /^[A-Z][A-Z0-9_]+$/.test(value),
		);
		if (typeof code === 'string' && (facts.code === '' || facts.code === 'ERR_BAD_RESPONSE')) {
			facts.code = code;
		}
		const texts = [current.name, current.message].filter((text) => typeof text === 'string');
		if (current.syscall === 'connect') facts.connecting = true;
		if (isHandshaking(current)) facts.handshaking = true;
		if (current.syscall === 'read' || current.syscall === 'write') facts.connected = true;
		if (texts.some((text) => BLOCKED.test(text))) facts.blocked = true;
		facts.isOfTransport ||= facts.blocked || isOfTransport(current);
		current = current.cause;
	}
	return facts;
}

/** A status makes it one, too: n8n throws for it, unless it is told not to. */
function isOfTransport(error: Record<string, unknown>): boolean {
	const { code, httpCode, name, isAxiosError, request } = error;
	const codes = [code, httpCode].filter((one) => typeof one === 'string');
	return (
		isAxiosError === true ||
		isRecord(request) ||
		codes.some((one) => TRANSPORT_CODE.test(one) || CERTIFICATE.test(one)) ||
		/^\d{3}$/.test(String(httpCode)) ||
		(typeof name === 'string' && TRANSPORT_NAME.test(name))
	);
}

/**
 * True for an error of a request whose TLS handshake was not finished. No code or text proves that: the
 * same ones come when a record is spoiled after the request was read. The socket does: Node sends
 * nothing of a request before it sets `secureConnecting` to false (node 20 to 24, lib/internal/tls/wrap.js,
 * onConnectSecure), and axios leaves the request in its error.
 */
function isHandshaking({ request }: Record<string, unknown>): boolean {
	if (!isRecord(request)) return false;
	const { socket } = request;
	return isRecord(socket) && socket.secureConnecting === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
