import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf } from './client.ts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1, speed: 100 });
});
afterAll(() => sandbox.stop());

async function scrape(url: string, format = 'markdown', onlyMainContent = true) {
	const body = { url, maxAge: 0, formats: [format], onlyMainContent };
	const { body: answer } = await ask(sandbox, 'POST', '/v2/scrape', { body });
	return field(answer, 'data');
}

/** The pages that the start page of a part links to, each with its text; `gone` where there is none. */
async function pagesOf(part: string): Promise<Record<string, string>> {
	const start = await scrape(`https://example.com/${part}`);
	const whole = await scrape(`https://example.com/${part}`, 'links', false);
	const links = listOf(field(whole, 'links')).map(String);
	const texts = links.map(async (url) => {
		const page = await scrape(url);
		return [url.replace(/.*\//, ''), String(field(page, 'markdown'))] as const;
	});
	return {
		start: String(field(start, 'markdown')),
		...Object.fromEntries(await Promise.all(texts)),
	};
}

function differences(before: Record<string, string>, after: Record<string, string>) {
	const names = Object.keys(before);
	return {
		changed: names.filter((name) => name in after && after[name] !== before[name]).sort(),
		gone: names.filter((name) => !(name in after)),
		fresh: Object.keys(after).filter((name) => !(name in before)),
	};
}

it('publishes an edition in which three pages of the handbook change, one is new and one is gone', async () => {
	const first = await pagesOf('handbook');
	await scrape('https://example.com/try/edition-2');
	const second = await pagesOf('handbook');
	expect(differences(first, second)).toEqual({
		changed: ['install', 'limits', 'prices'],
		gone: ['fax'],
		fresh: ['backups'],
	});
	const gone = await scrape('https://example.com/handbook/fax');
	expect(field(gone, 'metadata.statusCode')).toBe(404);
	await scrape('https://example.com/try/edition-1');
	expect(await pagesOf('handbook')).toEqual(first);
});

it('sells articles whose price the format "product" reads', async () => {
	const priceOf = async (name: string) =>
		field(
			await scrape(`https://example.com/shop/${name}`, 'product'),
			'product.variants.0.price.amount',
		);
	expect(await priceOf('cargo-bike')).toBe(4500);
	await scrape('https://example.com/try/edition-2');
	expect(await priceOf('cargo-bike')).toBe(4290);
	await scrape('https://example.com/try/edition-1');
	expect(Object.keys(await pagesOf('shop'))).toEqual([
		'start',
		'cargo-bike',
		'battery',
		'winter-tyres',
	]);
});
