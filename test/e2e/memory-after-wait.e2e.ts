/** What nodes remember in one process and in queue mode, also after a long Wait: at night, since that takes minutes. */
import { after, before, describe, test } from 'node:test';
import { outerLines } from './harness/lines.ts';
import { type MemoryWorld, openMemoryWorld, rememberNothingByHand, rememberOverWeeks } from './harness/memories.ts';

for (const version of outerLines()) {
	for (const mode of ['one process', 'queue mode'] as const) {
		describe(`a memory after a Wait on n8n ${version}, ${mode}`, { timeout: 900_000 }, () => {
			let world: MemoryWorld;

			before(async () => {
				world = await openMemoryWorld(version, mode);
			});
			after(async () => await world.dispose());

			test('a run, one after a Wait of 70 s, and a Retry compare with the run before', async () => {
				await rememberOverWeeks(world, { withWait: true });
			});

			test('a test run compares and stores nothing', async () => await rememberNothingByHand(world));
		});
	}
}
