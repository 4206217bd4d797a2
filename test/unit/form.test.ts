import fc from 'fast-check';

import { FormBody, asciiName, frameOf } from '../../nodes/service/form';
import type { FileToSend } from '../../nodes/service/form';

const PARTS = { file: 'file', body: 'options' };
const BOUNDARY = '----n8n0c1d2e3f';

function fileOf(chunks: Uint8Array[], more: Partial<FileToSend> = {}): FileToSend {
	return {
		name: 'note.html',
		mimeType: 'text/html',
		bytes: chunks.reduce((sum, { byteLength }) => sum + byteLength, 0),
		identity: '1',
		open: () => Promise.resolve(pieces(chunks)),
		...more,
	};
}

async function* pieces(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
	for (const chunk of chunks) yield await Promise.resolve(chunk);
}

function bodyOf(file: FileToSend, options?: Record<string, unknown>): FormBody {
	return new FormBody(frameOf({ file, parts: PARTS }, options, BOUNDARY), file);
}

async function bytesOf({ chunks }: FormBody): Promise<Buffer> {
	const read: Uint8Array[] = [];
	for await (const chunk of chunks) read.push(chunk);
	return Buffer.concat(read);
}

describe('a form', () => {
	it('is what any reader of forms takes it for, and as long as it says', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }),
				fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: undefined }),
				fc.string({ unit: 'grapheme' }),
				async (chunks, options, ownName) => {
					const name = asciiName(ownName, 'pdf');
					const body = bodyOf(fileOf(chunks, { name, mimeType: 'application/pdf' }), options);
					const bytes = await bytesOf(body);
					expect(bytes.byteLength).toBe(body.bytes);
					const headers = { 'content-type': body.contentType };
					const form = await new Response(new Uint8Array(bytes), { headers }).formData();
					const file = form.get('file');
					if (!(file instanceof File)) throw new Error('no file');
					expect([file.name, file.type]).toEqual([name, 'application/pdf']);
					expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.concat(chunks));
					expect(form.get('options')).toBe(options ? JSON.stringify(options) : null);
				},
			),
		);
	});

	it('holds no piece of the file beyond the one that is asked for', async () => {
		let opened = 0;
		async function* endless(): AsyncGenerator<Uint8Array> {
			for (;;) {
				opened += 1;
				yield await Promise.resolve(Buffer.alloc(1024));
			}
		}
		const open = () => Promise.resolve(endless());
		const { chunks } = bodyOf(fileOf([], { bytes: 50 * 1024 * 1024, open }));
		for (let asked = 0; asked < 5; asked++) await chunks.next();
		expect(opened).toBe(4);
	});

	it('is handed over only when its end is', async () => {
		const body = bodyOf(fileOf([Buffer.from('a'), Buffer.from('b')]));
		const seen: boolean[] = [];
		for await (const chunk of body.chunks) seen.push(body.isHandedOver && chunk.byteLength > 0);
		expect(seen).toEqual([false, false, false, true]);
	});

	it.each([
		['shorter', 3],
		['longer', 1],
	])('never ends well with a file that is %s than announced', async (_what, bytes) => {
		const body = bodyOf(fileOf([Buffer.from('a'), Buffer.from('b')], { bytes }));
		await expect(bytesOf(body)).rejects.toThrow(`its size is not ${bytes} bytes`);
		expect(body).toMatchObject({ isHandedOver: false, trouble: expect.any(String) });
	});

	it('ends as forms do, with and without options', async () => {
		for (const options of [undefined, {}]) {
			const text = (await bytesOf(bodyOf(fileOf([Buffer.from('a')]), options))).toString();
			expect(text.startsWith(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"`)).toBe(true);
			expect(text.endsWith(`\r\n--${BOUNDARY}--\r\n`)).toBe(true);
		}
	});

	it('reads no further in a file that is longer than announced', async () => {
		let given = 0;
		async function* endless(): AsyncGenerator<Uint8Array> {
			for (; given < 1000; given++) yield await Promise.resolve(Buffer.from('a'));
		}
		const open = () => Promise.resolve(endless());
		await expect(bytesOf(bodyOf(fileOf([], { bytes: 3, open })))).rejects.toThrow('but more');
		expect(given).toBe(3);
	});

	it('lets go of the file when it is closed in the middle', async () => {
		let isClosed = false;
		async function* watched(): AsyncGenerator<Uint8Array> {
			try {
				for (;;) yield await Promise.resolve(Buffer.from('a'));
			} finally {
				isClosed = true;
			}
		}
		const body = bodyOf(fileOf([], { bytes: 9, open: () => Promise.resolve(watched()) }));
		await body.chunks.next();
		await body.chunks.next();
		body.close();
		await new Promise((resolve) => setImmediate(resolve));
		expect(isClosed).toBe(true);
	});
});
