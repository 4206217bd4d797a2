import { Readable } from 'node:stream';

import type { IExecuteFunctions, IHttpRequestOptions, NodeEgressFilter } from 'n8n-workflow';

import { ServiceClient, newSharedState } from '../../nodes/service/client';
import { Secrets } from '../../nodes/service/secrets';
import { LinkedFiles, itemOf } from '../../nodes/run/output/outputItem';
import { isPublicHost } from '../../nodes/text/publicAddress';
import { VirtualTime } from './virtualTime.ts';

const URL_OF_FILE = 'https://files.example/shot.png';

interface FileAnswer {
	statusCode: number;
	body?: Readable;
	headers?: Record<string, string>;
}

interface Parts {
	baseUrl?: string;
	answer: (url: string) => FileAnswer;
	filter?: NodeEgressFilter;
	urls?: string[];
}

/** The item of a page with files behind links, which are answered so; and the addresses that were asked. */
async function itemWithFiles({ baseUrl, answer, filter, urls = [URL_OF_FILE] }: Parts) {
	const asked: string[] = [];
	const helpers = {
		httpRequest: async ({ url, disableFollowRedirect }: IHttpRequestOptions) => {
			expect(disableFollowRedirect).toBe(true);
			asked.push(url);
			return await Promise.resolve({ headers: {}, body: Readable.from([]), ...answer(url) });
		},
		prepareBinaryData: async (data: Buffer) =>
			await Promise.resolve({ data: data.toString('utf8'), mimeType: 'image/png' }),
		...(filter && { getSecureEgressFilter: () => filter }),
	};
	const ctx = {
		helpers,
		getExecutionCancelSignal: () => undefined,
	} as unknown as IExecuteFunctions;
	const time = new VirtualTime();
	const client = new ServiceClient({
		http: async () => await Promise.reject(new Error('Nothing is asked of the service.')),
		baseUrl: baseUrl ?? 'https://service.example',
		shared: newSharedState(time),
		secrets: new Secrets(''),
		key: '',
		time,
	});
	const files = urls.map((url, index) => {
		return { field: `shot${index || ''}`, fileName: 'a.png', mimeType: 'image/png', url };
	});
	const work = { ctx, client, files: new LinkedFiles(ctx, client) };
	return { item: await itemOf(work, { json: { a: 1 }, files }, 0), asked };
}

const itemWithFile = async (statusCode: number, body: Readable) =>
	(await itemWithFiles({ answer: () => ({ statusCode, body }) })).item;

afterEach(() => jest.restoreAllMocks());

it('keeps the result, which is paid for, when a file never ends', async () => {
	// A minute, in less time.
	const soon = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => soon(Math.ceil(ms / 1000)));
	const dripping = new Readable({
		read() {
			setTimeout(() => this.push('x'), 20);
		},
	});
	const { json } = await itemWithFile(200, dripping);
	expect(json).toMatchObject({
		a: 1,
		filesNotStored: [{ field: 'shot', url: URL_OF_FILE, reason: /not complete after 60 seconds/ }].map((file) => ({
			...file,
			reason: expect.stringMatching(file.reason),
		})),
	});
	expect(dripping.destroyed).toBe(true);
});

it('keeps the result when a file is too large, gone, or breaks off', async () => {
	const part = Buffer.alloc(1024 * 1024);
	const endless = new Readable({
		read() {
			this.push(part);
		},
	});
	const broken = new Readable({
		read() {
			this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
		},
	});
	const gone = Readable.from([Buffer.from('not here')]);
	const reasonOf = async (status: number, body: Readable) => {
		const { json } = await itemWithFile(status, body);
		expect(body.destroyed).toBe(true);
		return JSON.stringify(json.filesNotStored);
	};
	expect(await reasonOf(200, endless)).toContain('larger than 64 MB');
	expect(await reasonOf(404, gone)).toContain('HTTP 404');
	expect(await reasonOf(200, broken)).toContain('broke in the middle of its answer');
});

it('stores a file that is whole', async () => {
	const { json, binary } = await itemWithFile(200, Readable.from([Buffer.from('pixels')]));
	expect(json).toEqual({ a: 1 });
	expect(binary).toEqual({ shot: { data: 'pixels', mimeType: 'image/png' } });
});

describe('a redirect', () => {
	/** Leads from each of these addresses to the next. */
	const along = (...places: string[]) => {
		const answer = (url: string): FileAnswer => {
			const next = places[places.indexOf(url) + 1];
			return next === undefined
				? { statusCode: 200, body: Readable.from([Buffer.from('pixels')]) }
				: { statusCode: 302, headers: { location: next } };
		};
		return { answer, urls: places.slice(0, 1) };
	};

	it('is followed from one public address to another', async () => {
		const places = ['https://files.example/a', 'https://store.example/b', 'https://cdn.example/c'];
		const { item, asked } = await itemWithFiles(along(...places));
		expect(item.binary?.shot?.data).toBe('pixels');
		expect(asked).toEqual(places);
	});

	it.each([
		'http://169.254.169.254/latest/meta-data',
		'http://127.0.0.1:5678/rest/settings',
		'http://localhost/x',
		'http://[::1]/x',
		'http://[::ffff:10.0.0.1]/x',
		'http://10.1.2.3/x',
		'http://2130706433/x',
		'http://redis:6379/',
		'ftp://files.example/x',
	])('to %s is not followed, and what it leads to is not asked', async (inside) => {
		const { item, asked } = await itemWithFiles(along('https://files.example/a', inside));
		expect(asked).toEqual(['https://files.example/a']);
		expect(item.binary).toEqual({});
		expect(item.json.a).toBe(1);
		expect(JSON.stringify(item.json.filesNotStored)).toMatch(/address of a private network|no http or https address/);
	});

	it('leads into the private network where the service is in it, too', async () => {
		const parts = along('http://10.0.0.7/a', 'http://10.0.0.8/b');
		const { item } = await itemWithFiles({ ...parts, baseUrl: 'http://firecrawl:3002' });
		expect(item.binary?.shot?.data).toBe('pixels');
	});

	it('is judged by n8n’s own filter where there is one: it knows what a name resolves to', async () => {
		const blocked = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });
		const filter = {
			validateUrl: async (url: string | URL) =>
				await Promise.resolve(
					new URL(url).hostname === 'inside.example' ? { ok: false, error: blocked } : { ok: true, result: undefined },
				),
		} as unknown as NodeEgressFilter;
		const parts = along('https://files.example/a', 'https://inside.example/b');
		const { item, asked } = await itemWithFiles({ ...parts, filter });
		expect(asked).toEqual(['https://files.example/a']);
		expect(item.binary).toEqual({});
	});

	it('without end is given up', async () => {
		const answer = () => ({ statusCode: 302, headers: { location: URL_OF_FILE } });
		const { item, asked } = await itemWithFiles({ answer });
		expect(asked).toHaveLength(6);
		expect(JSON.stringify(item.json.filesNotStored)).toContain('more than 5 redirects');
	});
});

it('fetches 50 files for an item and leaves the others as links', async () => {
	const urls = Array.from({ length: 53 }, (_unused, index) => `https://files.example/${index}`);
	const answer = () => ({ statusCode: 200, body: Readable.from([Buffer.from('x')]) });
	const { item, asked } = await itemWithFiles({ answer, urls });
	expect(asked).toHaveLength(50);
	expect(Object.keys(item.binary ?? {})).toHaveLength(50);
	expect(item.json.filesNotStored).toHaveLength(3);
	expect(JSON.stringify(item.json.filesNotStored)).toContain(
		'It was left as a link: for one item at most 50 files and 256 MB are fetched.',
	);
});

it.each([
	['8.8.8.8', true],
	['100.63.0.1', true],
	['100.64.0.1', false],
	['172.15.0.1', true],
	['172.31.255.255', false],
	['172.32.0.1', true],
	['192.168.0.1', false],
	['192.0.0.8', false],
	['192.0.2.1', false],
	['192.0.1.1', true],
	['192.1.2.1', true],
	['198.17.0.1', true],
	['198.18.0.1', false],
	['198.19.0.1', false],
	['198.51.100.1', false],
	['198.51.99.1', true],
	['198.50.100.1', true],
	['203.0.113.1', false],
	['203.0.112.1', true],
	['203.1.113.1', true],
	['0.0.0.0', false],
	['255.255.255.255', false],
	['[2606:4700::1111]', true],
	['[::]', false],
	['[fd00::1]', false],
	['[fe80::1]', false],
	['[ff02::1]', false],
	['[64:ff9b::a00:1]', false],
	['[64:ff9b::808:808]', true],
	['[::ffff:808:808]', true],
	['[2002:7f00:1::]', false],
	['[2001:db8::1]', false],
	['example.com', true],
	['example.com.', true],
	['localhost', false],
	['a.localhost', false],
	['printer.local', false],
	['metadata.google.internal', false],
	['firecrawl', false],
])('takes %s for a host of the public internet: %s', (host, isOne) => {
	expect(isPublicHost(host)).toBe(isOne);
});
