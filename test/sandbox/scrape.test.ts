import { deflateSync } from 'node:zlib';

import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field } from './client.ts';
import { startListener } from './listener.ts';
import type { Listener, Reply } from './listener.ts';

const PATH = '/v2/scrape';
let sandbox: Sandbox;
let listener: Listener;
let reply: Reply = {};
let asked: Array<Record<string, unknown>> = [];
let nowMs = Date.UTC(2026, 0, 1);

beforeEach(async () => {
	asked = [];
	nowMs = Date.UTC(2026, 0, 1);
	sandbox = await startSandbox({ seed: 1, now: () => nowMs, chromiumPath: null });
	listener = await startListener((request) => {
		asked.push({ ...request.headers });
		return reply;
	});
});
afterEach(async () => {
	await sandbox.stop();
	await listener.stop();
});

async function scrape(body: Record<string, unknown> = {}) {
	return ask(sandbox, 'POST', PATH, { body: { url: listener.url, ...body } });
}

const html = (content: string, head = ''): Reply => ({
	body: `<!DOCTYPE html><html><head>${head}</head><body>${content}</body></html>`,
});

it('drops what is around the content, keeps and drops what it is told', async () => {
	reply = html(
		'<nav>Nav</nav><main><p class="a">One</p><p id="b">Two</p></main><footer>Foot</footer>',
	);
	const markdown = async (rules: Record<string, unknown>): Promise<unknown> =>
		field((await scrape(rules)).body, 'data.markdown');
	expect(await markdown({})).toBe('One\n\nTwo');
	expect(await markdown({ onlyMainContent: false })).toBe('Nav\n\nOne\n\nTwo\n\nFoot');
	expect(await markdown({ includeTags: ['.a', 'footer'] })).toBe('One\n\nFoot');
	expect(await markdown({ excludeTags: ['#b', '((('] })).toBe('One');
});

it('writes tables, links and pictures, and leaves inline pictures out', async () => {
	reply = html(
		'<table><tr><td>a|b</td><td>c</td></tr><tr><td>1</td><td><b>2</b></td></tr></table>' +
			'<p>See <a href="/x?a=1&amp;b=2" title="T">this</a></p><img alt="P" src="data:image/png;base64,AA=="><img alt="Q" src="q.png">',
	);
	const { body } = await scrape({ formats: ['markdown', 'links', 'images'] });
	expect(field(body, 'data.markdown')).toBe(
		`| a\\|b | c |\n| --- | --- |\n| 1 | **2** |\n\nSee [this](${listener.url}/x?a=1&b=2 "T")\n\n![P](<Base64-Image-Removed>)![Q](${listener.url}/q.png)`,
	);
	expect(field(body, 'data.links')).toEqual([`${listener.url}/x?a=1&b=2`]);
	expect(field(body, 'data.images')).toContain(`${listener.url}/q.png`);
	const kept = await scrape({ removeBase64Images: false });
	expect(field(kept.body, 'data.markdown')).toContain('base64,AA==');
});

it('sends the headers and the language it is told', async () => {
	reply = html('x');
	await scrape({ headers: { 'X-Mine': '7' }, location: { country: 'de', languages: ['de-DE'] } });
	expect(asked[0]).toMatchObject({ 'x-mine': '7', 'accept-language': 'de-DE' });
});

it('serves a copy within the age it may have, and none beyond', async () => {
	reply = html('<p>one</p>');
	expect(field((await scrape()).body, 'data.metadata.cacheState')).toBe('miss');
	reply = html('<p>two</p>');
	nowMs += 1000;
	const hit = await scrape();
	expect(field(hit.body, 'data.metadata')).toMatchObject({
		cacheState: 'hit',
		cachedAt: '2026-01-01T00:00:00.000Z',
	});
	expect(field(hit.body, 'data.markdown')).toBe('one');
	expect(field((await scrape({ minAge: 500 })).body, 'data.markdown')).toBe('one');
	expect(field((await scrape({ minAge: 5000 })).body, 'code')).toBe('SCRAPE_NO_CACHED_DATA');
	expect(field((await scrape({ lockdown: true })).body, 'data.markdown')).toBe('one');
	expect(field((await scrape({ maxAge: 0 })).body, 'data.markdown')).toBe('two');
	nowMs += 172_800_001;
	expect(field((await scrape()).body, 'data.metadata.cacheState')).toBe('miss');
	const miss = await scrape({ url: `${listener.url}/other`, lockdown: true });
	expect([miss.status, field(miss.body, 'code')]).toEqual([404, 'SCRAPE_LOCKDOWN_CACHE_MISS']);
});

it('tells new from same from changed from removed', async () => {
	const track = async (format: object = {}): Promise<unknown> => {
		const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff'], ...format }];
		return field((await scrape({ formats })).body, 'data.changeTracking');
	};
	reply = html('<p>one</p><p>two</p>');
	expect(await track()).toEqual({
		previousScrapeAt: null,
		changeStatus: 'new',
		visibility: 'visible',
	});
	nowMs += 1000;
	expect(await track()).toEqual({
		previousScrapeAt: '2026-01-01T00:00:00.000Z',
		changeStatus: 'same',
		visibility: 'visible',
	});
	reply = html('<p>one</p><p>three</p>');
	const changed = await track();
	expect(field(changed, 'changeStatus')).toBe('changed');
	expect(field(changed, 'diff.text')).toBe('@@ -1,3 +1,3 @@\n one\n \n-two\n+three');
	expect(await track({ tag: 'mine' })).toMatchObject({ changeStatus: 'new' });
	reply = { ...reply, status: 404 };
	expect(await track()).toMatchObject({ changeStatus: 'removed' });
	const refused = await scrape({ formats: ['changeTracking'] });
	expect(field(refused.body, 'details.0.message')).toContain('requires the markdown format');
});

it('compares fields in json mode', async () => {
	const schema = { type: 'object', properties: { price: { type: 'number' } } };
	const formats = ['markdown', { type: 'changeTracking', modes: ['json'], schema }];
	reply = html('<p>The price of this bike is 10 euros at the moment.</p>');
	await scrape({ formats });
	reply = html('<p>The price of this bike is 12 euros at the moment.</p>');
	const { body } = await scrape({ formats });
	expect(field(body, 'data.changeTracking.json')).toEqual({ price: { previous: 10, current: 12 } });
	expect(field(body, 'data.metadata.creditsUsed')).toBe(5);
});

it('answers questions with sentences of the page', async () => {
	reply = html(
		'<p>Vans are wide. A hub needs a door of 2.5 metres in height.</p><a data-id="7">x</a>',
	);
	const { body } = await scrape({
		formats: [
			'summary',
			{ type: 'question', question: 'How high is the door of a hub?' },
			{ type: 'highlights', query: 'vans' },
			{ type: 'attributes', selectors: [{ selector: '[data-id]', attribute: 'data-id' }] },
		],
	});
	expect(field(body, 'data.answer')).toBe('A hub needs a door of 2.5 metres in height.');
	expect(field(body, 'data.highlights')).toContain('Vans are wide.');
	expect(field(body, 'data.attributes')).toEqual([
		{ selector: '[data-id]', attribute: 'data-id', values: ['7'] },
	]);
	expect(field(body, 'data.metadata.creditsUsed')).toBe(9);
});

it('reads product and branding, and warns of what it cannot', async () => {
	const product = {
		'@type': 'Product',
		name: 'Trike',
		offers: { price: '99.5', priceCurrency: 'EUR' },
	};
	reply = html(
		'<p>x</p>',
		`<script type="application/ld+json">${JSON.stringify(product)}</script><style>body{color:#123456;font-family:Inter}</style>`,
	);
	const { body } = await scrape({ formats: ['product', 'branding', 'audio'] });
	expect(field(body, 'data.product')).toMatchObject({
		title: 'Trike',
		variants: [{ price: { amount: 99.5, currency: 'EUR' } }],
	});
	expect(field(body, 'data.branding.colors')).toEqual({ primary: '#123456' });
	expect(field(body, 'data.warning')).toContain('audio');
});

it('masks personal data', async () => {
	reply = html('<p>Write to ada@site.example or call +44 20 7946 0958.</p>');
	const markdown = async (redactPII: unknown): Promise<unknown> =>
		field((await scrape({ redactPII })).body, 'data.markdown');
	expect(await markdown(true)).toBe('Write to <EMAIL> or call <PHONE>.');
	expect(await markdown({ entities: ['EMAIL'], replaceStyle: 'remove' })).toContain(
		'Write to  or call +44',
	);
});

/** A PDF of one page with one line, which is written as a PDF string. */
function onePagePdf(line: string): Buffer {
	const stream = deflateSync(`BT /F1 24 Tf 72 700 Td (${line}) Tj ET`);
	const objects = [
		'<</Type/Catalog/Pages 2 0 R>>',
		'<</Type/Pages/Kids[3 0 R]/Count 1>>',
		'<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
		`<</Length ${stream.length}/Filter/FlateDecode>>\nstream\n${stream.toString('latin1')}\nendstream`,
		'<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
	];
	const body = objects.map((object, i) => `${i + 1} 0 obj${object}\nendobj`).join('\n');
	return Buffer.from(`%PDF-1.4\n${body}\ntrailer<</Root 1 0 R>>\n`, 'latin1');
}

it('reads files: PDF as text or as bytes, JSON, plain text; refuses others', async () => {
	const pdf = onePagePdf('Hello \\(there\\)');
	reply = { type: 'application/pdf', body: pdf };
	const read = await scrape({ parsers: [{ type: 'pdf', pages: true }] });
	expect(field(read.body, 'data')).toMatchObject({
		markdown: 'Hello (there)',
		pages: [{ pageNumber: 1, markdown: 'Hello (there)' }],
		metadata: { numPages: 1, totalPages: 1, creditsUsed: 1 },
	});
	const raw = await scrape({ parsers: [] });
	expect(field(raw.body, 'data.markdown')).toBe(pdf.toString('base64'));
	reply = { type: 'application/json', body: '{"a":1}' };
	expect(field((await scrape({ maxAge: 0 })).body, 'data.markdown')).toBe('```json\n{"a":1}\n```');
	reply = { type: 'text/plain', body: 'plain' };
	expect(field((await scrape({ maxAge: 0 })).body, 'data.markdown')).toBe('plain');
	for (const type of ['application/zip', 'application/pdf']) {
		reply = { type, body: 'PK' };
		expect(field((await scrape({ maxAge: 0 })).body, 'code')).toBe('SCRAPE_UNSUPPORTED_FILE_ERROR');
	}
});

it('gives the page again by its id', async () => {
	reply = html('<p>one</p>');
	const { body } = await scrape();
	const id = String(field(body, 'data.metadata.scrapeId'));
	expect((await ask(sandbox, 'GET', `${PATH}/${id}`)).body).toEqual(body);
	expect((await ask(sandbox, 'GET', `${PATH}/00000000-0000-4000-8000-000000000000`)).status).toBe(
		404,
	);
	expect(sandbox.stats()).toMatchObject({ pagesScraped: 1, creditsUsed: 1, calls: { scrape: 1 } });
});

it.each([
	[{ formats: ['nonsense'] }, 'invalid_union', 'formats.0'],
	[{ formats: [{ type: 'markdown', x: 1 }] }, 'unrecognized_keys', 'formats.0'],
	[{ formats: null }, 'invalid_type', 'formats'],
	[{ onlyMainContent: null }, 'invalid_type', 'onlyMainContent'],
	[{ formats: ['screenshot', 'screenshot'] }, 'custom', 'formats'],
	[{ waitFor: 40_000 }, 'custom', 'waitFor'],
	[{ timeout: 10 }, 'too_small', 'timeout'],
	[{ actions: [{ type: 'wait' }] }, 'custom', 'actions.0'],
	[{ actions: [{ type: 'dance' }] }, 'invalid_union', 'actions.0'],
	[{ location: { country: 'Germany' } }, 'custom', 'location.country'],
	[{ proxy: 'golden' }, 'invalid_value', 'proxy'],
	[{ headers: { a: 1 } }, 'invalid_type', 'headers.a'],
])('refuses %j', async (fields, code, path) => {
	const { status, body } = await scrape(fields);
	expect([status, field(body, 'code')]).toEqual([400, 'BAD_REQUEST']);
	const isOwn = code === 'custom' || code === 'unrecognized_keys';
	expect(field(body, 'error') === 'Bad Request').toBe(!isOwn);
	expect(field(body, 'details.0.code')).toBe(code);
	const at = field(body, 'details.0.path');
	expect(Array.isArray(at) ? at.join('.') : at).toBe(path);
	expect(sandbox.stats().refusals.body).toBe(1);
	expect(asked).toEqual([]);
});
