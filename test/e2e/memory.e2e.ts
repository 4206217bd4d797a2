/** What nodes remember in queue mode, and n8n's own Data Table node beside the stand-in of the tests. */
import { after, before, describe, test } from 'node:test';
import { outerLines } from './harness/lines.ts';
import {
	answerAsTheStandIn,
	type MemoryWorld,
	openMemoryWorld,
	rememberNothingByHand,
	rememberOverWeeks,
} from './harness/memories.ts';

for (const version of outerLines()) {
	describe(`a memory on n8n ${version}, queue mode`, { timeout: 600_000 }, () => {
		let world: MemoryWorld;

		before(async () => {
			world = await openMemoryWorld(version, 'queue mode');
		});
		after(async () => await world.dispose());

		test('a run and a Retry compare with the run before, and leave static data alone', async () => {
			await rememberOverWeeks(world, { withWait: false });
		});

		test('a test run compares and stores nothing', async () => await rememberNothingByHand(world));

		test('n8n’s Data Table node answers as the stand-in of the tests does', async () =>
			await answerAsTheStandIn(world));
	});
}
