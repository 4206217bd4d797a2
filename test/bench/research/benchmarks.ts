import type { Benchmark } from '../benchmark.ts';

/** What `npm run bench:research` measures: all of it in virtual time. */
export const researchBenchmarks: readonly Benchmark[] = [
	{ name: 'truth', quick: true, mostSeconds: 300, load: () => import('./truth.ts') },
	{ name: 'injections', quick: true, mostSeconds: 300, load: () => import('./injections.ts') },
	{ name: 'economy', quick: true, mostSeconds: 300, load: () => import('./economy.ts') },
	{ name: 'kills', quick: false, mostSeconds: 900, load: () => import('./kills.ts') },
];
