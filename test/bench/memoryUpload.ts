import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { IBinaryData } from 'n8n-workflow';
import { binaryStoreOnDisk, loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import { mostHeld, quietBytes } from './nodeSpan.ts';
import { startPageServer } from './ownPageServer.ts';
import { row } from './row.ts';
import type { Measure } from './row.ts';
import { NODE, ROOT, runNode } from './workflow.ts';

const MIB = 1024 * 1024;
const FILE_BYTES = 50 * MIB;
const ROUNDS = 3;

/**
 * Memory of an execution that uploads the largest file that the service takes, which n8n keeps on disk, to
 * a server in another process; beside it, that of a bare stream from the same store to the same server.
 * Garbage is not counted: each piece that Node reads from a disk is a buffer of its own, and V8 lets some
 * 30 to 60 MB of them lie before it collects them, of the bare stream as well.
 */
export const measure: Measure = async (say) => {
	const server = await startPageServer();
	const store = await binaryStoreOnDisk();
	try {
		const builtPackage = await loadBuiltPackage(ROOT);
		const file = async (bytes: number) =>
			await store.store(Readable.from(pieces(bytes)), 'large.pdf', 'application/pdf');
		const parse = async (data: IBinaryData) => {
			const execution = await runNode({
				package: builtPackage,
				nodeName: 'webData',
				baseUrl: server.baseUrl,
				parameters: { resource: 'parse', operation: 'parseFile' },
				items: [{}],
				files: { data },
			});
			const read = execution.items(NODE)[0]?.json.markdown;
			if (read !== `${data.bytes} bytes`) throw new Error(`the service read ${String(read)}`);
		};
		const above = async (work: () => Promise<void>) => {
			const baseBytes = await quietBytes();
			return ((await mostHeld(work)) - baseBytes) / MIB;
		};
		const large = await file(FILE_BYTES);
		await parse(await file(MIB));
		const held: number[] = [];
		const floors: number[] = [];
		for (let round = 1; round <= ROUNDS; round++) {
			held.push(await above(() => parse(large)));
			const content = await store.read(large);
			floors.push(await above(() => sendBare(content, server.baseUrl)));
			const [own, bare] = [held, floors].map((list) => list.at(-1)?.toFixed(1));
			say(`round ${round}: ${own} MiB, bare stream ${bare} MiB`);
		}
		return [
			row({
				name: 'memory, upload of a file of 50 MB from disk: held above the base, and by a bare stream',
				value: Math.max(...held),
				unit: 'MiB',
				reference: Math.max(...floors),
				target: { of: 'value', most: 20 },
			}),
		];
	} finally {
		await store.end();
		await server.stop();
	}
};

function* pieces(bytes: number): Generator<Buffer> {
	for (let left = bytes; left > 0; left -= MIB) yield Buffer.alloc(Math.min(MIB, left), 'x');
}

/** The least that can be done: from the disk to the socket. */
async function sendBare(content: Readable, baseUrl: string): Promise<void> {
	const sending = request(`${baseUrl}/v2/parse`, { method: 'POST' });
	const answered = new Promise<void>((resolve, reject) => {
		sending.once('response', (answer) => answer.resume().once('end', resolve));
		sending.once('error', reject);
	});
	await pipeline(content, sending);
	await answered;
}
