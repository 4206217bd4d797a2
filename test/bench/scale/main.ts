import { runCommand } from '../command.ts';
import { scaleBenchmarks } from './benchmarks.ts';

await runCommand({
	script: 'bench:scale',
	about:
		'Measures what takes long: many workers, weeks. Uses the loopback address only; the real n8n needs Redis and PostgreSQL.',
	benchmarks: scaleBenchmarks,
});
