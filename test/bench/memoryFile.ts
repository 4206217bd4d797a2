import { binaryStoreOnDisk, loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import { readerPackage } from './generatedPackages.ts';
import { mostHeld, quietBytes, watchNode, WITHOUT_GARBAGE } from './nodeSpan.ts';
import { startPageServer } from './ownPageServer.ts';
import { row } from './row.ts';
import type { Measure } from './row.ts';
import { NODE, ROOT, runNode } from './workflow.ts';
import type { Contender } from './workflow.ts';

const MIB = 1024 * 1024;
const SOME = 10_000;
const MANY = 100_000;

/** 120 MB. */
const MAX_MIB = 120e6 / MIB;

const CRAWL = {
	resource: 'crawl',
	operation: 'start',
	url: 'http://site.example/',
	output: 'file',
};

/** Reads a crawl of so many pages, and tells what it took while the node was at work. */
async function readCrawl(reader: Contender, pages: number, baseUrl: string) {
	const baseBytes = await quietBytes();
	const watched = watchNode(reader.package, reader.nodeName);
	try {
		const parameters = { ...CRAWL, pageLimit: pages };
		const execution = await runNode({ ...reader, baseUrl, parameters, items: [{}] });
		const { pagesInFile } = execution.items(NODE)[0]?.json ?? {};
		if (pagesInFile !== pages) throw new Error(`${String(pagesInFile)} pages of ${pages}`);
		const { cpuMs, peakBytes } = watched.span();
		return { peakMib: (peakBytes - baseBytes) / MIB, cpuOfPage: cpuMs / pages };
	} finally {
		watched.end();
	}
}

/**
 * One crawl of 100,000 pages of 20 KB as one file of 2 GB, where n8n keeps binary data on disk; its server
 * is another process. What is held above what was held before is counted without garbage. With it, which V8
 * lets lie to some 100 MB when anything of that size is read, it stands beside a node that reads the same
 * slices and keeps nothing.
 */
export const measure: Measure = async (say) => {
	const server = await startPageServer();
	const store = await binaryStoreOnDisk();
	const reader = await readerPackage();
	try {
		const ours = { package: await loadBuiltPackage(ROOT), nodeName: 'webData' };
		const floor = { package: reader.package, nodeName: 'reader' };
		const run = async (what: Contender, pages: number) => {
			const { peakMib, cpuOfPage } = await readCrawl(what, pages, server.baseUrl);
			const told = `peak ${peakMib.toFixed(0)} MiB, ${cpuOfPage.toFixed(3)} ms a page`;
			say(`${what.nodeName}, ${pages} pages: ${told}`);
			return { peakMib, cpuOfPage };
		};
		const held = async (pages: number) => {
			const baseBytes = await quietBytes();
			const work = async () => void (await run(ours, pages));
			return ((await mostHeld(work, WITHOUT_GARBAGE)) - baseBytes) / MIB;
		};
		for (const contender of [floor, ours]) await run(contender, 1000);
		const some = await run(ours, SOME);
		const bare = await run(floor, MANY);
		const many = await run(ours, MANY);
		const heldOfSome = await held(SOME);
		const heldOfMany = await held(MANY);
		const name = 'One File of 100,000 pages of 20 KB';
		return [
			row({
				name: `memory, ${name}: held above the base, and of 10,000 pages`,
				value: heldOfMany,
				unit: 'MiB',
				reference: heldOfSome,
				target: { of: 'value', most: Number(MAX_MIB.toFixed(1)) },
			}),
			row({
				name: `memory, ${name}: peak with garbage, against a node that only reads them`,
				value: many.peakMib,
				unit: 'MiB',
				reference: bare.peakMib,
				target: { of: 'ratio', most: 1.5 },
			}),
			row({
				name: `time, ${name}: CPU a page against 10,000 pages`,
				value: many.cpuOfPage,
				unit: 'ms',
				reference: some.cpuOfPage,
				target: { of: 'ratio', most: 1.2 },
			}),
			row({
				name: `time, ${name}: CPU a page against a node that only reads them`,
				value: many.cpuOfPage,
				unit: 'ms',
				reference: bare.cpuOfPage,
			}),
		];
	} finally {
		await reader.remove();
		await store.end();
		await server.stop();
	}
};
