import type { Measure } from './row.ts';

/** What is measured by one command of npm. */
export const SETS = {
	bench: 'Measures the built node against floors and an oracle. Uses the loopback address only.',
	scale:
		'Measures what takes long: many workers, weeks. Uses the loopback address only; the real n8n needs Redis and PostgreSQL.',
} as const;

export type SetName = keyof typeof SETS;

export interface Benchmark {
	set: SetName;
	name: string;
	/** Also in the short form: virtual time, or a few seconds. */
	quick: boolean;
	/** After this it is ended and counts as missed, in seconds. */
	mostSeconds: number;
	load: () => Promise<{ measure: Measure }>;
}

export const benchmarks: readonly Benchmark[] = [
	{ set: 'bench', name: 'suspended', quick: true, mostSeconds: 120, load: () => import('./suspended.ts') },
	{ set: 'bench', name: 'cpu', quick: false, mostSeconds: 600, load: () => import('./cpu.ts') },
	{
		set: 'bench',
		name: 'memory-crawl',
		quick: false,
		mostSeconds: 300,
		load: async () => ({ measure: (await import('./memory.ts')).measureCrawl }),
	},
	{
		set: 'bench',
		name: 'memory-batch',
		quick: false,
		mostSeconds: 300,
		load: async () => ({ measure: (await import('./memory.ts')).measureBatch }),
	},
	{ set: 'bench', name: 'memory-file', quick: false, mostSeconds: 900, load: () => import('./memoryFile.ts') },
	{ set: 'bench', name: 'memory-upload', quick: true, mostSeconds: 120, load: () => import('./memoryUpload.ts') },
	{ set: 'bench', name: 'load', quick: true, mostSeconds: 120, load: () => import('./load.ts') },
	{ set: 'bench', name: 'size', quick: true, mostSeconds: 60, load: () => import('./size.ts') },
	{ set: 'scale', name: 'memory-parts', quick: true, mostSeconds: 300, load: () => import('./scale/memoryParts.ts') },
	{
		set: 'scale',
		name: 'three-workers',
		quick: false,
		mostSeconds: 1800,
		load: () => import('./scale/threeWorkers.ts'),
	},
];
