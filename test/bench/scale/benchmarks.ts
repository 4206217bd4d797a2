import type { Benchmark } from '../benchmark.ts';

/** What `npm run bench:scale` measures: too long for `npm run bench`, or in need of more than Node.js. */
export const scaleBenchmarks: readonly Benchmark[] = [
	{
		name: 'memory-parts',
		quick: true,
		mostSeconds: 300,
		load: () => import('./memoryParts.ts'),
	},
	{
		name: 'three-workers',
		quick: false,
		mostSeconds: 1800,
		load: () => import('./threeWorkers.ts'),
	},
];
