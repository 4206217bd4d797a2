/** Point 2: what n8n's Test button says about a credential. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import getPort from 'get-port';
import { outerLines } from './harness/lines.ts';
import { apiKey, type Product, sharedProduct } from './harness/product.ts';
import { startOtherServer, type OtherServer } from './harness/other-server.ts';

for (const version of outerLines()) {
	describe(`2. credential test on n8n ${version}`, { timeout: 120_000 }, () => {
		let product: Product;
		let other: OtherServer;

		before(async () => {
			product = await sharedProduct(version);
			other = await startOtherServer();
		});
		after(async () => {
			await other.stop();
		});

		/** Presses Test with this address and key typed in. */
		async function pressTest(baseUrl: string, key = apiKey) {
			return await product.n8n.client.testCredential(product.credential, { baseUrl, apiKey: key });
		}

		test('a right key passes', async () => {
			const { client } = product.n8n;
			const asSaved = await client.testCredential(product.credential);
			assert.deepEqual(asSaved, { status: 'OK', message: 'Connection successful' });
			for (const ending of ['/', '/v1', '/v2/']) {
				const { status } = await pressTest(`${product.sandbox.baseUrl}${ending}`);
				assert.equal(status, 'OK', ending);
			}
		});

		const wrong: Record<string, { address: () => Promise<string>; key?: string; says: RegExp }> = {
			'a wrong key': {
				address: () => Promise.resolve(product.sandbox.baseUrl),
				key: 'fc-wrong',
				says: /API key/,
			},
			'another server that does not know the path': {
				address: () => Promise.resolve(`${other.baseUrl}/unknown`),
				says: /no web data service at this address.*base URL/,
			},
			'another server that answers with other JSON': {
				address: () => Promise.resolve(`${other.baseUrl}/json`),
				says: /not as the web data service does.*base URL/,
			},
			'a web page': {
				address: () => Promise.resolve(`${other.baseUrl}/page`),
				says: /web page/,
			},
			'a dead port': {
				address: async () => `http://127.0.0.1:${await getPort({ host: '127.0.0.1' })}`,
				says: /refused|running/,
			},
			'no address': {
				address: () => Promise.resolve('not an address'),
				says: /base URL/i,
			},
		};
		const sentences = new Set<string>();

		for (const [what, { address, key, says }] of Object.entries(wrong)) {
			test(`${what} gives its own plain sentence`, async (t) => {
				const { status, message } = await pressTest(await address(), key);
				t.diagnostic(`${version}, ${what}: ${message}`);
				assert.equal(status, 'Error');
				assert.match(message, says);
				assert.doesNotMatch(message, /E[A-Z]{5,}|undefined|\[object|<html|fc-/);
				// The address differs from case to case: what is left must differ too.
				const sentence = message.replace(/https?:\/\/\S+/g, '');
				assert.ok(!sentences.has(sentence), 'no two mistakes read the same');
				sentences.add(sentence);
			});
		}
	});
}
