import { load } from 'cheerio/slim';
import { z } from 'zod/v4';

const offer = z
	.object({
		price: z.coerce.number(),
		priceCurrency: z.string(),
	})
	.passthrough();
const productData = z
	.object({
		'@type': z.literal('Product'),
		name: z.string(),
		sku: z.string().default('1'),
		offers: offer.optional(),
	})
	.passthrough();

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The product that the page describes as linked data (shape product); undefined where it describes none. */
export function readProduct(html: string, url: string): Record<string, unknown> | undefined {
	const $ = load(html);
	const texts = $('script[type="application/ld+json"]')
		.toArray()
		.map((element) => $(element).text());
	for (const text of texts) {
		const read = productData.safeParse(parsed(text));
		if (!read.success) continue;
		const { name, sku, offers } = read.data;
		const price = offers && { amount: offers.price, currency: offers.priceCurrency };
		return { title: name, url, variants: [{ id: sku, sku, title: name, ...(price && { price }) }] };
	}
	return undefined;
}
