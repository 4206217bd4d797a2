import { SimulatedService } from '../unit/simulatedService.ts';
import type { SimulatedPlan } from '../unit/simulatedService.ts';
import { VirtualTime } from '../unit/virtualTime.ts';
import type { RivalWorld } from './rivals.ts';

/** What a rival came to. */
export interface RivalResult {
	makespanMs: number;
	results: number;
}

type Rival = (world: RivalWorld, bodies: Array<Record<string, unknown>>) => Promise<number>;

/** Runs a rival on the same jobs and the same plan as ours, in virtual time. */
export async function simulateRival(
	rival: Rival,
	durationsMs: readonly number[],
	plan: SimulatedPlan,
): Promise<RivalResult> {
	const time = new VirtualTime(1, Infinity);
	const bodies = durationsMs.map((_ms, item) => ({ query: `job ${item}` }));
	const lengthOf = new Map(durationsMs.map((ms, item) => [`job ${item}`, ms]));
	const service = new SimulatedService({
		time,
		plan,
		durationMs: (query) => lengthOf.get(query) ?? 0,
	});
	const world: RivalWorld = {
		http: service.http(),
		baseUrl: 'https://service.example',
		sleep: async (ms) => await time.sleep(ms),
	};
	const results = await time.until(rival(world, bodies));
	return { makespanMs: time.now(), results };
}
