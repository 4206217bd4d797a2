import type { IDataObject } from 'n8n-workflow';

import { serve, service } from './pageService';
import { crawlStart, NODE, runNode } from './run';

const ITEMS = 230;

beforeAll(async () => {
	await serve({ job: () => ({ state: 'failed' }) });
});

const detailsOf = ({ details }: IDataObject) => details as IDataObject;

const wait = { waitOptions: { maxJobsAtOnce: 100 } };

describe('the list of all jobs of a run', () => {
	it('stands once when many items fail, not in each of them, and has an end', async () => {
		const execution = await runNode(service, crawlStart({ options: wait }), {
			node: { onError: 'continueRegularOutput' },
			items: Array.from({ length: ITEMS }, () => ({})),
		});
		const [first, ...others] = execution.items(NODE).map(({ json }) => detailsOf(json));
		expect(others).toHaveLength(ITEMS - 1);
		expect(first?.jobs).toHaveLength(200);
		expect(first?.jobsNotListed).toBe(ITEMS - 200);
		for (const details of others) {
			expect(details).toEqual({ jobId: expect.stringMatching(/^job-/), state: 'failed' });
		}
	});

	it('stands in the error that ends a run, and has an end there too', async () => {
		const execution = await runNode(
			service,
			{ resource: 'crawl', operation: 'get', jobId: '={{ $json.id }}' },
			{ items: Array.from({ length: ITEMS }, (_unused, item) => ({ id: `job-${item}` })) },
		);
		const { jobs, jobsNotListed } = execution.error?.context?.details as IDataObject;
		expect(jobs).toHaveLength(200);
		expect(jobsNotListed).toBe(ITEMS - 200);
	});
});
