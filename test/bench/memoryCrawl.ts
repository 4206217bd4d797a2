import { measurePages } from './memory.ts';
import type { Measure } from './benchmark.ts';

/** One crawl whose pages come in slices of 100. */
export const measure: Measure = async (say) =>
	await measurePages(
		{
			name: 'crawl',
			parameters: (pages) => ({
				resource: 'crawl',
				operation: 'start',
				url: 'http://site.example/',
				pageLimit: pages,
			}),
			items: () => [{}],
		},
		say,
	);
