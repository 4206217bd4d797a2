import { loadBuiltPackage } from '../../engine/index.ts';
import type { BuiltPackage } from '../../engine/index.ts';
import type { Measure } from './benchmark.ts';
import { quietBytes, watchNode } from './nodeSpan.ts';
import { startPageServer } from './ownPageServer.ts';
import { row } from './row.ts';
import { NODE, ROOT, runNode } from './workflow.ts';

const MIB = 1024 * 1024;
const ITEMS = 5000;
const WARM_UP = 500;

interface Measured {
	peakBytes: number;
	storedBytes: number;
}

/**
 * Memory of a run whose jobs all fail, against one whose jobs all end well and put out as little as they
 * can: what an item says of its failure must not grow with the number of the others.
 */
export const measure: Measure = async (say) => {
	const server = await startPageServer();
	try {
		const builtPackage = await loadBuiltPackage(ROOT);
		const run = async (path: string, count = ITEMS) =>
			await crawls(builtPackage, server.baseUrl, path, count);
		await run('good', WARM_UP);
		await run('fail', WARM_UP);
		const good = await run('good');
		say(`good ones: peak ${Math.round(good.peakBytes / MIB)} MiB`);
		const failed = await run('fail');
		say(`failed ones: peak ${Math.round(failed.peakBytes / MIB)} MiB`);
		return [
			row({
				name: 'memory, 5,000 failed items: peak against 5,000 good ones',
				value: failed.peakBytes / MIB,
				unit: 'MiB',
				reference: good.peakBytes / MIB,
				target: { of: 'ratio', most: 2 },
			}),
			row({
				name: 'stored by n8n, 5,000 failed items',
				value: failed.storedBytes / MIB,
				unit: 'MiB',
				target: { of: 'value', most: 5 },
			}),
		];
	} finally {
		await server.stop();
	}
};

async function crawls(
	builtPackage: BuiltPackage,
	baseUrl: string,
	path: string,
	count: number,
): Promise<Measured> {
	const baseBytes = await quietBytes();
	const watched = watchNode(builtPackage);
	try {
		const execution = await runNode({
			package: builtPackage,
			nodeName: 'webData',
			baseUrl,
			parameters: {
				resource: 'crawl',
				operation: 'start',
				url: `http://site.example/${path}`,
				pageLimit: 1,
				// A failed job is put out as its status, too.
				output: path === 'fail' ? 'pages' : 'status',
				options: { waitOptions: { maxJobsAtOnce: 1000 } },
			},
			items: Array.from({ length: count }, () => ({})),
			node: { onError: 'continueRegularOutput' },
		});
		const items = execution.items(NODE);
		const failures = items.filter(({ json }) => json.error !== undefined).length;
		if (items.length !== count || failures !== (path === 'fail' ? count : 0)) {
			throw new Error(`${items.length} items, ${failures} of them failed`);
		}
		return {
			peakBytes: watched.span().peakBytes - baseBytes,
			storedBytes: Buffer.byteLength(execution.stored),
		};
	} finally {
		watched.end();
	}
}
