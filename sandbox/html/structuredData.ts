import { load } from 'cheerio/slim';
import { z } from 'zod';

/** Records that the service reads out of a page's markup: product and branding. */

const offer = z
	.object({
		price: z.coerce.number().optional().catch(undefined),
		priceCurrency: z.string().optional().catch(undefined),
		availability: z.string().optional().catch(undefined),
	})
	.passthrough();
const productData = z
	.object({
		'@type': z.literal('Product'),
		name: z.string(),
		description: z.string().optional().catch(undefined),
		sku: z.string().optional().catch(undefined),
		category: z.string().optional().catch(undefined),
		brand: z
			.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
			.optional()
			.catch(undefined),
		offers: z
			.union([offer, z.array(offer).transform(([first]) => first)])
			.optional()
			.catch(undefined),
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
		const { name, description, sku, category, brand, offers } = read.data;
		return {
			title: name,
			...(brand !== undefined && { brand }),
			...(category !== undefined && { category }),
			url,
			...(description !== undefined && { description }),
			variants: [
				{
					id: sku ?? '1',
					...(sku !== undefined && { sku }),
					title: name,
					...(offers?.price !== undefined && {
						price: { amount: offers.price, currency: offers.priceCurrency ?? 'EUR' },
					}),
					...(offers?.availability !== undefined && {
						availability: { inStock: offers.availability.endsWith('InStock') },
					}),
				},
			],
		};
	}
	return undefined;
}

/** What the page's head and inline styles tell of its checks (shape branding). */
export function readBranding(html: string, favicon: unknown): Record<string, unknown> {
	const $ = load(html);
	const styles = `${$('style').text()} ${$('[style]')
		.toArray()
		.map((element) => $(element).attr('style') ?? '')
		.join(' ')}`;
	const colors = [...new Set(styles.match(/#[\da-f]{6}\b|#[\da-f]{3}\b/gi) ?? [])];
	const theme = $('meta[name="theme-color"]').attr('content') ?? colors[0];
	const [, font] = /font(?:-family)?:([^;}]+)/i.exec(styles) ?? [];
	return {
		colorScheme: 'light',
		...(typeof favicon === 'string' && { logo: favicon }),
		colors: {
			...(theme !== undefined && { primary: theme }),
			...(colors[1] !== undefined && { secondary: colors[1] }),
		},
		fonts: font === undefined ? [] : [{ family: font.trim() }],
	};
}
