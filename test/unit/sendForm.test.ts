import { Secrets } from '../../nodes/service/secrets';
import { mayRetry } from '../../nodes/service/http/retry';
import { sendRequest } from '../../nodes/service/http/transport';
import type { HttpCall, HttpOptions, ServiceRequest } from '../../nodes/service/http/transport';
import type { FileToSend } from '../../nodes/service/form';
import { failureOf } from './caught.ts';
import { httpResponse } from './httpResponse.ts';

const ORIGIN = 'https://a.example';

/** A file of three pieces, which counts how often it is opened and let go of. */
function countedFile(more: Partial<FileToSend> = {}) {
	const count = { opened: 0, closed: 0 };
	async function* pieces(): AsyncGenerator<Uint8Array> {
		try {
			for (const text of ['a', 'b', 'c']) yield await Promise.resolve(Buffer.from(text));
		} finally {
			count.closed += 1;
		}
	}
	const open = () => {
		count.opened += 1;
		return Promise.resolve(pieces());
	};
	const file = {
		name: 'a.pdf',
		mimeType: 'application/pdf',
		bytes: 3,
		identity: '1',
		open,
		...more,
	};
	return { file, count };
}

const requestOf = (file: FileToSend): ServiceRequest => ({
	method: 'POST',
	path: '/v2/parse',
	body: { formats: ['markdown'] },
	form: { file, parts: { file: 'file', body: 'options' } },
	bucket: 'scrape',
});

/** Reads so many pieces of what is sent, then does what is given. */
const reading =
	(pieces: number, end: () => ReturnType<HttpCall>): HttpCall =>
	async ({ stream }: HttpOptions) => {
		const chunks = stream?.chunks[Symbol.asyncIterator]();
		for (let read = 0; read < pieces; read++) await chunks?.next();
		return await end();
	};

const broken = (code: string) => () => Promise.reject(Object.assign(new Error('x'), { code, syscall: 'write' }));
const send = async (http: HttpCall, file: FileToSend) =>
	await sendRequest({ http, baseUrl: ORIGIN, secrets: new Secrets('') }, requestOf(file));
const failed = async (http: HttpCall, file: FileToSend) => await failureOf(() => send(http, file));

it('treats the options beside the file as any body: whole characters, and secrets of theirs hidden', async () => {
	let sent = '';
	const http: HttpCall = async ({ stream }) => {
		for await (const chunk of stream?.chunks ?? []) sent += Buffer.from(chunk).toString();
		return httpResponse({ status: 400, text: '{"success":false,"error":"Bad token-of-mine"}' });
	};
	const request = requestOf(countedFile().file);
	const body = { prompt: 'Half \ud83d', headers: { Authorization: 'token-of-mine' } };
	const route = { http, baseUrl: ORIGIN, secrets: new Secrets('') };
	const answer = await sendRequest(route, { ...request, body });
	expect(sent).toContain('"Half \ufffd"');
	expect(sent).not.toContain('ud83d');
	expect(JSON.stringify(answer)).not.toContain('token-of-mine');
});

it('announces type and length, sends no body beside it, and lets go of the file', async () => {
	const { file, count } = countedFile();
	let seen: HttpOptions | undefined;
	const http: HttpCall = async (options) => {
		seen = options;
		let bytes = 0;
		for await (const chunk of options.stream?.chunks ?? []) bytes += chunk.byteLength;
		expect(bytes).toBe(options.stream?.bytes);
		return httpResponse({ text: '{"success":true}' });
	};
	expect((await send(http, file)).json).toEqual({ success: true });
	expect(seen?.stream?.contentType).toMatch(/^multipart\/form-data; boundary=[-a-z0-9]+$/);
	expect(seen).not.toHaveProperty('body');
	expect(count).toEqual({ opened: 1, closed: 1 });
});

it('opens the file again for each try, and closes it wherever it was', async () => {
	const { file, count } = countedFile();
	for (const pieces of [2, 3]) await failed(reading(pieces, broken('ECONNRESET')), file);
	await new Promise((resolve) => setImmediate(resolve));
	expect(count).toEqual({ opened: 2, closed: 2 });
});

it.each([1, 2, 3, 4])('has not arrived when it broke off after %i of its 5 pieces', async (pieces) => {
	const failure = await failed(reading(pieces, broken('ECONNRESET')), countedFile().file);
	expect(failure).toMatchObject({ kind: 'connection', reached: 'no' });
	expect(failure.message).toBe(`The file "a.pdf" did not arrive: the connection to ${ORIGIN} broke while it was sent.`);
	expect(mayRetry('POST', failure)).toBe(true);
});

it('may have arrived when its last piece was on the way', async () => {
	const failure = await failed(reading(5, broken('ECONNRESET')), countedFile().file);
	expect(failure).toMatchObject({ kind: 'connection', reached: 'maybe' });
	expect(mayRetry('POST', failure)).toBe(false);
});

it('has not arrived where the service stops taking it, and is not tried for ever', async () => {
	const failure = await failed(reading(3, broken('ETIMEDOUT')), countedFile().file);
	expect(failure).toMatchObject({ kind: 'timeout', reached: 'no' });
	expect(failure.message).toContain(`${ORIGIN} stopped taking it`);
	expect(mayRetry('POST', failure)).toBe(false);
});

it('an execution that is stopped stays that', async () => {
	const failure = await failed(reading(2, broken('ERR_CANCELED')), countedFile().file);
	expect(failure.kind).toBe('aborted');
});

it('an execution that is stopped stays that, also where the file is gone with it', async () => {
	const http: HttpCall = async ({ stream }) => {
		await stream?.chunks[Symbol.asyncIterator]().next();
		await stream?.chunks[Symbol.asyncIterator]()
			.next()
			.catch(() => undefined);
		return await broken('ERR_CANCELED')();
	};
	const { file } = countedFile({ open: () => Promise.reject(new Error('aborted')) });
	expect(await failed(http, file)).toMatchObject({
		kind: 'aborted',
		message: 'The execution was canceled.',
	});
});

it('a service that is not there is told as that', async () => {
	const error = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' });
	const http: HttpCall = () => Promise.reject(error);
	const failure = await failed(http, countedFile().file);
	expect(failure).toMatchObject({ kind: 'unreachable', reached: 'no' });
	expect(failure.message).toContain(`Cannot reach ${ORIGIN}`);
});

it.each<[string, Partial<FileToSend>, RegExp]>([
	['cannot be opened', { open: () => Promise.reject(new Error('ENOENT: gone')) }, /ENOENT: gone/],
	['is shorter than n8n says', { bytes: 4 }, /its size is not 4 bytes, as n8n says, but 3/],
	['is longer than n8n says', { bytes: 2 }, /its size is not 2 bytes, as n8n says, but more/],
])('a file that %s is no failure of the service', async (_what, more, reason) => {
	const http: HttpCall = async ({ stream }) => {
		for await (const chunk of stream?.chunks ?? []) expect(chunk).toBeDefined();
		return httpResponse({});
	};
	const failure = await failed(http, countedFile(more).file);
	expect(failure).toMatchObject({ kind: 'badInput', reached: 'no' });
	expect(failure.message).toMatch(reason);
	expect(mayRetry('POST', failure)).toBe(false);
});
