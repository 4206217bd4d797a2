import type { Measure } from './row.ts';

export interface Benchmark {
	name: string;
	/** Also in the short form: virtual time, or a few seconds. */
	quick: boolean;
	/** After this it is ended and counts as missed, in seconds. */
	mostSeconds: number;
	load: () => Promise<{ measure: Measure }>;
}

export const benchmarks: readonly Benchmark[] = [
	{ name: 'suspended', quick: true, mostSeconds: 120, load: () => import('./suspended.ts') },
	{ name: 'cpu', quick: false, mostSeconds: 600, load: () => import('./cpu.ts') },
	{
		name: 'memory-crawl',
		quick: false,
		mostSeconds: 300,
		load: async () => ({ measure: (await import('./memory.ts')).measureCrawl }),
	},
	{
		name: 'memory-batch',
		quick: false,
		mostSeconds: 300,
		load: async () => ({ measure: (await import('./memory.ts')).measureBatch }),
	},
	{ name: 'memory-file', quick: false, mostSeconds: 900, load: () => import('./memoryFile.ts') },
	{ name: 'memory-checked', quick: false, mostSeconds: 600, load: () => import('./memoryChecked.ts') },
	{ name: 'memory-upload', quick: true, mostSeconds: 120, load: () => import('./memoryUpload.ts') },
	{ name: 'load', quick: true, mostSeconds: 120, load: () => import('./load.ts') },
	{ name: 'research', quick: true, mostSeconds: 120, load: () => import('./research.ts') },
	{ name: 'size', quick: true, mostSeconds: 60, load: () => import('./size.ts') },
	{ name: 'memory-parts', quick: true, mostSeconds: 300, load: () => import('./memoryParts.ts') },
];
