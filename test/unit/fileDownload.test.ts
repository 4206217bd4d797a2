import { Readable } from 'node:stream';

import type { IExecuteFunctions } from 'n8n-workflow';

import { itemOf } from '../../nodes/WebData/run/output/outputItem';

const URL_OF_FILE = 'https://files.example/shot.png';

/** The item of a page whose screenshot is answered so. */
async function itemWithFile(statusCode: number, body: Readable) {
	const helpers = {
		httpRequest: async () => await Promise.resolve({ statusCode, headers: {}, body }),
		prepareBinaryData: async (data: Buffer) =>
			await Promise.resolve({ data: data.toString('utf8'), mimeType: 'image/png' }),
	};
	const file = { field: 'shot', fileName: 'a.png', mimeType: 'image/png', url: URL_OF_FILE };
	const ctx = { helpers } as unknown as IExecuteFunctions;
	return await itemOf(ctx, { json: { a: 1 }, files: [file] }, 0);
}

afterEach(() => jest.restoreAllMocks());

it('keeps the result, which is paid for, when a file never ends', async () => {
	// A minute, in less time.
	const soon = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => soon(ms / 1000));
	const dripping = new Readable({
		read() {
			setTimeout(() => this.push('x'), 20);
		},
	});
	const { json } = await itemWithFile(200, dripping);
	expect(json).toMatchObject({
		a: 1,
		filesNotStored: [
			{ field: 'shot', url: URL_OF_FILE, reason: /not complete after 60 seconds/ },
		].map((file) => ({ ...file, reason: expect.stringMatching(file.reason) })),
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
