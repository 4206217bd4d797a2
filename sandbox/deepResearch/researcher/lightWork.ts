import type { ResearchResult, ResearchStep } from '../researchJob.ts';
import type { ResearchRequest } from '../researchRequest.ts';

const STEPS: readonly ResearchStep[] = [
	{
		activity: {
			type: 'search',
			status: 'complete',
			message: 'Found 1 new relevant results',
			depth: 1,
		},
	},
	{
		source: {
			url: 'http://site.example/light',
			title: 'Light work',
			description: 'Stands for a page in load tests.',
			icon: '',
		},
	},
	{ activity: { type: 'synthesis', status: 'complete', message: 'Research completed', depth: 1 } },
];

/** A small made-up record without reading a page: only for load tests, where the work itself would be the load. */
export function lightResult(request: ResearchRequest): ResearchResult {
	return {
		steps: STEPS,
		finalAnalysis: `# ${request.query}\n\nMade up for a load test [1](http://site.example/light).\n`,
		json: request.formats.includes('json') ? {} : null,
	};
}
