import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import { mostHeld, quietBytes, watchNode } from './nodeSpan.ts';
import { startPageServer } from './ownPageServer.ts';
import { row } from './row.ts';
import type { Measure } from './row.ts';
import { median } from './statistics.ts';
import { NODE, ROOT, runNode } from './workflow.ts';

const MIB = 1024 * 1024;
const PAGES = 1_000_000;
const PART = 1_000;
const ROUNDS = 3;

/**
 * A crawl of a million pages of 20 KB, read with Get in parts of 1,000: what a part holds, and what CPU it
 * takes, at the end of the crawl against its beginning. A round is an execution of its own.
 */
export const measure: Measure = async (say) => {
	const server = await startPageServer();
	try {
		const builtPackage = await loadBuiltPackage(ROOT);
		const { baseUrl } = server;
		const run = async (parameters: Record<string, string | number | boolean>) => {
			const given = { resource: 'crawl', ...parameters };
			const node = { package: builtPackage, nodeName: 'webData', baseUrl, parameters: given };
			const execution = await runNode({ ...node, items: [{}] });
			return execution.items(NODE).map(({ json }) => json);
		};
		const url = 'http://site.example/';
		const start = { operation: 'start', url, pageLimit: PAGES, waitForCompletion: false };
		const jobId = String((await run(start))[0]?.id);
		const part = async (fromPage: number) => {
			const baseBytes = await quietBytes();
			const watched = watchNode(builtPackage);
			const most = await mostHeld(async () => {
				const asked = { operation: 'get', jobId, returnAll: false, limit: PART, fromPage };
				const last = (await run(asked)).at(-1);
				const next = fromPage + PART > PAGES ? null : fromPage + PART;
				if (last?.nextPage !== next) throw new Error(`next ${String(last?.nextPage)}, not ${next}`);
			});
			const heldMib = (most - baseBytes) / MIB;
			say(`from page ${fromPage}: ${heldMib.toFixed(0)} MiB`);
			const { cpuMs } = watched.span();
			watched.end();
			return { heldMib, cpuMs };
		};
		await part(1);
		const first = [];
		const last = [];
		for (let round = 0; round < ROUNDS; round++) {
			first.push(await part(1 + round * PART));
			last.push(await part(PAGES - (round + 1) * PART + 1));
		}
		const name = 'the last 1,000 of 1,000,000 pages of 20 KB, against the first';
		return [
			row({
				name: `memory, ${name}`,
				value: median(last.map(({ heldMib }) => heldMib)),
				unit: 'MiB',
				reference: median(first.map(({ heldMib }) => heldMib)),
				target: { of: 'ratio', most: 1.2 },
			}),
			row({
				name: `CPU, ${name}`,
				value: median(last.map(({ cpuMs }) => cpuMs)),
				unit: 'ms',
				reference: median(first.map(({ cpuMs }) => cpuMs)),
				target: { of: 'ratio', most: 1.5 },
			}),
		];
	} finally {
		await server.stop();
	}
};
