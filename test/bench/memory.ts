import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import type { BuiltPackage } from '../../tools/n8n-engine/index.ts';
import { quietBytes, watchNode } from './nodeSpan.ts';
import { startPageServer } from './ownPageServer.ts';
import { row } from './row.ts';
import { median } from './statistics.ts';
import { NODE, ROOT, runNode } from './workflow.ts';
import type { Measure, Row } from './row.ts';

const MIB = 1024 * 1024;
const FEW = 1000;
const MANY = 10_000;
const TIME_ROUNDS = 3;

interface PagesJob {
	/** `crawl` or `batch`, as the rows name it. */
	name: string;
	parameters: (pages: number) => INodeParameters;
	items: (pages: number) => IDataObject[];
}

interface NodeSpan {
	cpuMs: number;
	peakBytes: number;
	items: INodeExecutionData[];
}

/**
 * Memory and CPU of the node while it collects pages of 20 KB, from a server in another process. Memory
 * is the heap and everything outside it that V8 counts, garbage included, from the node's first moment to
 * its last: what n8n itself does with the result afterwards is not in it.
 */
async function measurePages(job: PagesJob, say: (line: string) => void): Promise<Row[]> {
	const server = await startPageServer();
	try {
		const builtPackage = await loadBuiltPackage(ROOT);
		const collect = async (pages: number) => await collectPages(builtPackage, job, pages, server.baseUrl);
		await collect(FEW);

		const cpuOf = { [FEW]: [] as number[], [MANY]: [] as number[] };
		const peaks: number[] = [];
		let heldBytes = 0;
		for (let round = 1; round <= TIME_ROUNDS; round++) {
			for (const pages of [FEW, MANY] as const) {
				const baseBytes = await quietBytes();
				const span = await collect(pages);
				cpuOf[pages].push(span.cpuMs / pages);
				if (pages === FEW) continue;
				peaks.push(span.peakBytes - baseBytes);
				heldBytes = await heldBy(span.items);
			}
			say(`${job.name}, round ${round}: peak ${Math.round((peaks.at(-1) ?? 0) / MIB)} MiB`);
		}
		const name = `${job.name} of 10,000 pages of 20 KB`;
		return [
			row({
				name: `memory, ${name}: peak against what its items hold`,
				value: Math.max(...peaks) / MIB,
				unit: 'MiB',
				reference: heldBytes / MIB,
				target: { of: 'ratio', most: 2 },
			}),
			row({
				name: `time, ${name}: CPU a page against 1,000 pages`,
				value: median(cpuOf[MANY]),
				unit: 'ms',
				reference: median(cpuOf[FEW]),
				target: { of: 'ratio', most: 1.2 },
			}),
		];
	} finally {
		await server.stop();
	}
}

/** What the items take when nothing else of the run is left: copies, since an item may hold on to more. */
async function heldBy(items: INodeExecutionData[]): Promise<number> {
	const text = items.map((item) => JSON.stringify(item));
	items.length = 0;
	const withTextBytes = await quietBytes();
	const copies = text.map((one) => JSON.parse(one) as INodeExecutionData);
	const heldBytes = (await quietBytes()) - withTextBytes;
	if (copies.length !== text.length) throw new Error('Copies were lost.');
	return heldBytes;
}

async function collectPages(
	builtPackage: BuiltPackage,
	{ parameters, items }: PagesJob,
	pages: number,
	baseUrl: string,
): Promise<NodeSpan> {
	const watched = watchNode(builtPackage);
	try {
		const run = { package: builtPackage, nodeName: 'webData', baseUrl };
		const found = await runNode({ ...run, parameters: parameters(pages), items: items(pages) });
		const output = found.items(NODE).map(({ json }) => ({ json }));
		if (output.length !== pages) throw new Error(`${output.length} items for ${pages} pages`);
		return { ...watched.span(), items: output };
	} finally {
		watched.end();
	}
}

/** One crawl whose pages come in slices of 100. */
export const measureCrawl: Measure = async (say) =>
	await measurePages(
		{
			name: 'crawl',
			parameters: (pages) => ({
				resource: 'crawl',
				operation: 'start',
				url: 'http://site.example/',
				pageLimit: pages,
			}),
			items: () => [{}],
		},
		say,
	);

/** As many input items as pages, each with one URL; 1,000 of them share a batch scrape. */
export const measureBatch: Measure = async (say) =>
	await measurePages(
		{
			name: 'batch',
			parameters: () => ({ resource: 'batchScrape', operation: 'start', url: '={{ $json.url }}' }),
			items: (pages) => Array.from({ length: pages }, (_unused, index) => ({ url: `http://site.example/${index}` })),
		},
		say,
	);
