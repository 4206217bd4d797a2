import fc from 'fast-check';

import recorded from '../fixtures/recorded/2026/webhooks.json';
import {
	SECRET_HEADER,
	SIGNATURE_HEADER,
	isSigned,
	readDelivery,
	signatureOf,
	signatureProblem,
} from '../../nodes/service/webhooks';

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const secret = fc.string({ minLength: 1, unit: 'binary' });

interface Kept {
	name: string;
	secret?: string;
	deliveries: Array<{ headers: Record<string, string>; rawBody: string }>;
}
const all: Kept[] = JSON.parse(JSON.stringify(recorded)) as Kept[];
const signed = all.flatMap(({ name, secret: key = '', deliveries }) =>
	deliveries
		.filter(({ headers }) => headers[SIGNATURE_HEADER] !== undefined)
		.map(({ headers, rawBody }, at) => ({ label: `${name} ${at}`, key, headers, rawBody })),
);

describe('signatures', () => {
	it('knows all 18 recorded ones', () => expect(signed).toHaveLength(18));

	it.each(signed)('$label verifies, and no longer with one byte changed', (one) => {
		const rawBody = Buffer.from(one.rawBody, 'utf8');
		const header = one.headers[SIGNATURE_HEADER];
		expect(isSigned(one.key, rawBody, header)).toBe(true);
		expect(isSigned(`${one.key} `, rawBody, header)).toBe(false);
		const other = Buffer.from(rawBody);
		other[rawBody.length - 1] = 32;
		expect(isSigned(one.key, other, header)).toBe(false);
	});

	it('takes what it made itself and nothing else, and throws for nothing', () => {
		fc.assert(
			fc.property(secret, bytes, fc.anything(), (key, body, header) => {
				expect(isSigned(key, body, signatureOf(key, body))).toBe(true);
				expect(isSigned(key, body, header)).toBe(false);
				expect(isSigned('', body, signatureOf('', body))).toBe(false);
			}),
		);
	});
});

describe('what makes a call signatureCheck', () => {
	const rawBody = Buffer.from('{"type":"crawl.page"}');
	const call = (headers: Record<string, unknown>) => ({ rawBody, headers });

	it('is the signature alone where there is a webhook secret', () => {
		const secrets = { webhookSecret: 'w', headerSecret: 'h' };
		const good = { [SIGNATURE_HEADER]: signatureOf('w', rawBody) };
		expect(signatureProblem(call(good), secrets)).toBeUndefined();
		expect(signatureProblem(call({ [SECRET_HEADER]: 'h' }), secrets)).toMatch(/not signed/);
		const forged = { [SIGNATURE_HEADER]: signatureOf('x', rawBody), [SECRET_HEADER]: 'h' };
		expect(signatureProblem(call(forged), secrets)).toMatch(/does not fit/);
	});

	it('is looked for where the service and the docs have it', () => {
		expect(SIGNATURE_HEADER).toBe('x-firecrawl-signature');
		expect(SECRET_HEADER).toBe('x-web-data-secret');
	});

	it('is the secret header where nothing is signed, and the address where there is neither', () => {
		const secrets = { webhookSecret: '', headerSecret: 'h' };
		expect(signatureProblem(call({ [SECRET_HEADER]: 'h' }), secrets)).toBeUndefined();
		for (const given of [undefined, '', 'H', 'hh', ['h'], 1]) {
			expect(signatureProblem(call({ [SECRET_HEADER]: given }), secrets)).toMatch(/missing or wrong/);
		}
		expect(signatureProblem(call({}), {})).toBeUndefined();
	});
});

describe('events', () => {
	const bodies = all.flatMap(({ deliveries }) => deliveries.map(({ rawBody }) => rawBody));

	it('are read from every recorded call', () => {
		for (const raw of bodies) {
			const event = readDelivery(Buffer.from(raw));
			const sent = JSON.parse(raw) as Record<string, unknown>;
			expect(event).toMatchObject({
				type: sent.type,
				id: sent.id,
				webhookId: sent.webhookId,
				success: sent.success,
				data: sent.data,
				metadata: sent.metadata,
			});
		}
	});

	it('are read from nothing else, without a throw', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					bytes,
					fc.json().map((text) => Buffer.from(text)),
				),
				(body) => {
					const event = readDelivery(body);
					expect(event === undefined || typeof event.type === 'string').toBe(true);
				},
			),
		);
		for (const text of ['', '[]', 'null', '{"type":""}', '{"type":1}', '{"type":']) {
			expect(readDelivery(Buffer.from(text))).toBeUndefined();
		}
		const event = readDelivery(Buffer.from('{"type":"a.b","data":{"a":1},"webhookId":""}'));
		expect(event).toEqual({
			type: 'a.b',
			id: '',
			webhookId: undefined,
			success: true,
			data: [{ a: 1 }],
			metadata: {},
			error: undefined,
		});
	});

	it('have nothing in them but what can be used', () => {
		const read = (more: object) => readDelivery(Buffer.from(JSON.stringify({ type: 'a.b', ...more })));
		expect(read({ data: [1, null, { a: 1 }, 'x'] })?.data).toEqual([{ a: 1 }]);
		expect(read({ webhookId: 5, error: 'It broke' })).toMatchObject({
			webhookId: undefined,
			error: 'It broke',
		});
		expect(read({ error: 5 })).toHaveProperty('error', undefined);
		expect(read({ success: false })?.success).toBe(false);
	});
});
