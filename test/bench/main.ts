import { benchmarks } from './benchmarks.ts';
import { runCommand } from './command.ts';

await runCommand({
	script: 'bench',
	about: 'Measures the built node against floors and an oracle. Uses the loopback address only.',
	benchmarks,
});
