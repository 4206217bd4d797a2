import { loadBuiltPackage } from '../../engine/index.ts';
import type { BuiltPackage } from '../../engine/index.ts';
import type { Measure } from './benchmark.ts';
import { quietBytes, watchNode } from './nodeSpan.ts';
import { startPageServer } from './ownPageServer.ts';
import { row } from './row.ts';
import { median } from './statistics.ts';
import { NODE, ROOT, runNode } from './workflow.ts';

const MIB = 1024 * 1024;
const ITEMS = 5000;
const ROUNDS = 3;

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
		const run = async (path: string) => await crawls(builtPackage, path, server.baseUrl);
		await run('good');
		const good: Measured[] = [];
		const failed: Measured[] = [];
		for (let round = 1; round <= ROUNDS; round++) {
			good.push(await run('good'));
			failed.push(await run('fail'));
			say(`round ${round}: peak ${Math.round((failed.at(-1)?.peakBytes ?? 0) / MIB)} MiB`);
		}
		const middle = (all: Measured[], part: keyof Measured) => median(all.map((one) => one[part]));
		return [
			row({
				name: 'memory, 5,000 failed items: peak against 5,000 good ones',
				value: middle(failed, 'peakBytes') / MIB,
				unit: 'MiB',
				reference: middle(good, 'peakBytes') / MIB,
				target: { of: 'ratio', most: 2 },
			}),
			row({
				name: 'stored by n8n, 5,000 failed items',
				value: middle(failed, 'storedBytes') / MIB,
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
	path: string,
	baseUrl: string,
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
				output: 'status',
				options: { waitOptions: { maxJobsAtOnce: 1000 } },
			},
			items: Array.from({ length: ITEMS }, () => ({})),
			node: { onError: 'continueRegularOutput' },
		});
		const items = execution.items(NODE);
		const failures = items.filter(({ json }) => json.error !== undefined).length;
		if (items.length !== ITEMS || failures !== (path === 'fail' ? ITEMS : 0)) {
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
