import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import { floorPackage } from './generatedPackages.ts';
import { startPageServer } from './ownPageServer.ts';
import { row } from './row.ts';
import type { Measure } from './row.ts';
import { collectGarbage, cpuMs, median } from './statistics.ts';
import { NODE, ROOT, runNode } from './workflow.ts';
import type { Contender } from './workflow.ts';

const ITEMS = 1000;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 2;

const SCRAPE = { resource: 'page', operation: 'scrape', url: '={{ $json.url }}' };

/**
 * CPU of this process for a scrape of one item, n8n's own engine included, with a service that answers
 * at once from another process. One after the other in each round; ratios are taken within a round.
 */
export const measure: Measure = async (say) => {
	const server = await startPageServer();
	const ours = await loadBuiltPackage(ROOT);
	const floor = await floorPackage();
	try {
		const contenders = {
			ours: { package: ours, nodeName: 'webData' },
			floor: { package: floor.package, nodeName: 'floor' },
		};
		const rounds = [];
		for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
			const cpu = {
				floor: await cpuMsOf(contenders.floor, server.baseUrl),
				ours: await cpuMsOf(contenders.ours, server.baseUrl),
			};
			const shown = Object.entries(cpu).map(([name, ms]) => `${name} ${ms.toFixed(3)}`);
			say(`${round < 0 ? 'warm-up' : `round ${round + 1}`}: ${shown.join(', ')} ms an item`);
			if (round >= 0) rounds.push(cpu);
		}
		const value = median(rounds.map((cpu) => cpu.ours));
		const toFloor = median(rounds.map((cpu) => cpu.ours / cpu.floor));
		const unit = 'ms an item';
		return [
			row({
				name: 'CPU, 1,000 scrapes, against the floor',
				value,
				unit,
				reference: value / toFloor,
				target: { of: 'ratio', most: 1.3 },
			}),
		];
	} finally {
		await floor.remove();
		await server.stop();
	}
};

async function cpuMsOf(contender: Contender, baseUrl: string): Promise<number> {
	const items = Array.from({ length: ITEMS }, (_unused, index) => ({
		url: `http://site.example/${index}`,
	}));
	collectGarbage();
	const before = cpuMs();
	const execution = await runNode({ ...contender, parameters: SCRAPE, items, baseUrl });
	const spent = cpuMs() - before;
	const { length } = execution.items(NODE);
	if (length !== ITEMS) throw new Error(`${contender.nodeName}: ${length} items of ${ITEMS}`);
	return spent / ITEMS;
}
