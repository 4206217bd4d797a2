import assert from 'node:assert/strict';
import { apiKey, type Product } from './product.ts';

/** Publishes this edition of the sandbox's handbook and shop (docs/SANDBOX.md), as any scrape of that address does. */
export async function publishEdition(
	{ sandbox }: Pick<Product, 'sandbox'>,
	edition: 1 | 2,
): Promise<void> {
	const response = await fetch(`${sandbox.baseUrl}/v2/scrape`, {
		method: 'POST',
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ url: `https://example.com/try/edition-${edition}`, maxAge: 0 }),
	});
	assert.equal(response.status, 200);
}
