import { runCommand } from '../command.ts';
import { researchBenchmarks } from './benchmarks.ts';

await runCommand({
	script: 'bench:research',
	about:
		"Measures Web Research on 20 questions over made-up sites, with the sandbox's model, in virtual time: truth, safety, calls, tokens, time and retries.",
	benchmarks: researchBenchmarks,
});
