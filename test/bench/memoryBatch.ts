import { measurePages } from './memory.ts';
import type { Measure } from './benchmark.ts';

/** As many input items as pages, each with one URL; 1,000 of them share a batch scrape. */
export const measure: Measure = async (say) =>
	await measurePages(
		{
			name: 'batch',
			parameters: () => ({
				resource: 'batchScrape',
				operation: 'start',
				url: '={{ $json.url }}',
			}),
			items: (pages) =>
				Array.from({ length: pages }, (_unused, index) => ({
					url: `http://site.example/${index}`,
				})),
		},
		say,
	);
