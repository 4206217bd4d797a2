import type { Benchmark } from './benchmark.ts';

export const benchmarks: readonly Benchmark[] = [
	{
		name: 'makespan',
		quick: true,
		mostSeconds: 300,
		load: () => import('./makespan.ts'),
	},
	{
		name: 'lag',
		quick: true,
		mostSeconds: 300,
		load: () => import('./lag.ts'),
	},
	{ name: 'suspended', quick: true, mostSeconds: 120, load: () => import('./parkedWait.ts') },
	{ name: 'cpu', quick: false, mostSeconds: 600, load: () => import('./cpu.ts') },
	{
		name: 'memory-crawl',
		quick: false,
		mostSeconds: 300,
		load: () => import('./memoryCrawl.ts'),
	},
	{
		name: 'memory-batch',
		quick: false,
		mostSeconds: 300,
		load: () => import('./memoryBatch.ts'),
	},
	{
		name: 'memory-file',
		quick: false,
		mostSeconds: 900,
		load: () => import('./memoryFile.ts'),
	},
	{
		name: 'memory-upload',
		quick: true,
		mostSeconds: 120,
		load: () => import('./uploadMemory.ts'),
	},
	{ name: 'load', quick: true, mostSeconds: 120, load: () => import('./load.ts') },
	{ name: 'size', quick: true, mostSeconds: 60, load: () => import('./size.ts') },
];
