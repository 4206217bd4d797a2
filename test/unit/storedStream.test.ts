import { storeStream } from '../../nodes/run/files/storedStream';
import type { ServiceFailure } from '../../nodes/service/http/failure';
import { failureOf } from './caught.ts';

const MIB = 1024 * 1024;
type Ctx = Parameters<typeof storeStream>[0];
/** By how many MiB are there, how many it will be. */
type Estimating = (mib: number) => number;

/** An n8n that keeps binary data in the items: it gives no id. */
function inMemory(): Ctx {
	const prepareBinaryData = (content: Buffer, fileName: string, mimeType: string) =>
		Promise.resolve({ data: '', mimeType, fileName, fileSize: String(content.length) });
	return { helpers: { prepareBinaryData } } as unknown as Ctx;
}

const storing = async (ctx: Ctx, fileName: string, mib: number, estimated: Estimating = () => 0) => {
	const piece = Buffer.alloc(MIB);
	let made = 0;
	async function* pieces() {
		while (made < mib) {
			made += 1;
			yield await Promise.resolve(piece);
		}
	}
	const estimate = () => estimated(made) * MIB;
	return await storeStream(ctx, { fileName, mimeType: 'text/plain', pieces: pieces(), estimate });
};
const refusalOf = async (storingIt: Promise<unknown>): Promise<ServiceFailure> =>
	await failureOf(async () => await storingIt);

describe('files where n8n takes them into memory', () => {
	it('may have 64 MB each', async () => {
		const ctx = inMemory();
		expect(await storing(ctx, 'a', 64)).toMatchObject({ fileSize: String(64 * MIB) });
		const { kind, message } = await refusalOf(storing(ctx, 'b', 65));
		expect(kind).toBe('tooLarge');
		expect(message).toMatch(/file b would have about 65 MB.*at most 64 MB/);
	});

	it('may have 256 MB together in one run, not counting what was refused', async () => {
		const ctx = inMemory();
		await Promise.all(['a', 'b', 'c'].map(async (name) => await storing(ctx, name, 60)));
		await refusalOf(storing(ctx, 'refused', 65));
		await storing(ctx, 'd', 60);
		const { kind, message } = await refusalOf(storing(ctx, 'e', 20));
		expect(kind).toBe('tooLarge');
		expect(message).toMatch(/with the file e.*more than 256 MB.*N8N_DEFAULT_BINARY_DATA_MODE/s);
		await storing(ctx, 'f', 16);
		await storing(inMemory(), 'of another run', 60);
	});

	it('are refused by an estimate the sooner, the further it is above the most', async () => {
		const sizeWhenRefused = async (mib: number) => {
			let seen = 0;
			const estimated = (made: number) => {
				seen = made;
				return mib;
			};
			const { message } = await refusalOf(storing(inMemory(), 'a', 64, estimated));
			expect(message).toContain(`file a would have about ${mib} MB`);
			return seen;
		};
		expect(await sizeWhenRefused(100_000)).toBe(2);
		expect(await sizeWhenRefused(1025)).toBe(16);
		expect(await sizeWhenRefused(257)).toBe(32);
		expect(await sizeWhenRefused(65)).toBe(64);
	});
});
