import { binaryStoreOnDisk, loadBuiltPackage } from '../../engine/index.ts';
import type { Measure } from './benchmark.ts';
import { mostHeld, quietBytes, watchNode } from './nodeSpan.ts';
import { startPageServer } from './ownPageServer.ts';
import { row } from './row.ts';
import { NODE, ROOT, runNode } from './workflow.ts';

const MIB = 1024 * 1024;
const SOME = 10_000;
const MANY = 100_000;

/**
 * One crawl of 100,000 pages of 20 KB as one file of 2 GB, where n8n keeps binary data on disk; its server
 * is another process. Memory is the most that was held above what was held before; the peak with garbage,
 * of which V8 lets some 100 MB lie for a crawl of 1,000 pages already, is told beside it.
 */
export const measure: Measure = async (say) => {
	const server = await startPageServer();
	const store = await binaryStoreOnDisk();
	try {
		const builtPackage = await loadBuiltPackage(ROOT);
		const run = async (pages: number) => {
			const baseBytes = await quietBytes();
			const watched = watchNode(builtPackage);
			try {
				const execution = await runNode({
					package: builtPackage,
					nodeName: 'webData',
					baseUrl: server.baseUrl,
					parameters: {
						resource: 'crawl',
						operation: 'start',
						url: 'http://site.example/',
						pageLimit: pages,
						output: 'file',
					},
					items: [{}],
				});
				const { pagesInFile, bytes } = execution.items(NODE)[0]?.json ?? {};
				if (pagesInFile !== pages) throw new Error(`${String(pagesInFile)} pages of ${pages}`);
				const { cpuMs, peakBytes } = watched.span();
				const peak = (peakBytes - baseBytes) / MIB;
				say(`${pages} pages, ${Number(bytes) / MIB} MiB: peak ${peak.toFixed(0)} MiB`);
				return { peak, cpuOfPage: cpuMs / pages };
			} finally {
				watched.end();
			}
		};
		const held = async (pages: number) => {
			const baseBytes = await quietBytes();
			const most = await mostHeld(async () => void (await run(pages)));
			return (most - baseBytes) / MIB;
		};
		await run(1000);
		const some = await run(SOME);
		const many = await run(MANY);
		const heldOfSome = await held(SOME);
		const heldOfMany = await held(MANY);
		const name = 'One File of 100,000 pages of 20 KB';
		return [
			row({
				name: `memory, ${name}: held above the base, and of 10,000 pages`,
				value: heldOfMany,
				unit: 'MiB',
				reference: heldOfSome,
				target: { of: 'value', most: 120 },
			}),
			row({
				name: `time, ${name}: CPU a page against 10,000 pages`,
				value: many.cpuOfPage,
				unit: 'ms',
				reference: some.cpuOfPage,
				target: { of: 'ratio', most: 1.2 },
			}),
		];
	} finally {
		await store.end();
		await server.stop();
	}
};
