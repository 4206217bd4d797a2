import { once } from 'node:events';
import { loadBuiltPackage } from '../../engine/index.ts';
import { NODE, ROOT, runNode } from './workflow.ts';

/**
 * One process of several on one credential: runs the node on the jobs from FROM to TO against the service
 * at BASE_URL, when the process that forked it says so, and tells how many results there were.
 */
const [baseUrl = '', from = '', to = ''] = process.argv.slice(2);
const items = [];
for (let job = Number(from); job < Number(to); job++) items.push({ query: `job ${job}` });

const builtPackage = await loadBuiltPackage(ROOT);
process.send?.('ready');
await once(process, 'message');
const execution = await runNode({
	package: builtPackage,
	nodeName: 'webData',
	parameters: {
		resource: 'deepResearch',
		operation: 'start',
		query: '={{ $json.query }}',
		options: { waitOptions: { maxJobsAtOnce: items.length } },
	},
	items,
	baseUrl,
});
const results = execution.items(NODE).filter(({ json }) => json.status === 'completed');
process.send?.(results.length);
process.disconnect();
