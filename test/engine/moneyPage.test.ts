import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { crawlStart, errorText, hintsIn, runNode, startSandbox } from './run';

const ROOT = join(__dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/how-money-is-spent.md'), 'utf8');

/** The functions that the page names, with their files. A row without a file goes on with the one above it. */
function named(): Array<{ file: string; name: string; of: string }> {
	let file = '';
	return [...PAGE.matchAll(/^\| +\d? *\| (?:`([^`]+)`)? *\| `(\w+)` *\| (both|a crawl|a call) +\|/gm)].map(
		([, own, name = '', of = '']) => {
			file = own ?? file;
			return { file, name, of };
		},
	);
}

/** The functions of the package that run while the node runs, by file. */
async function traced(parameters: INodeParameters, step: 'scrape' | 'crawlStart'): Promise<Map<string, Set<string>>> {
	const sandbox = await startSandbox({ seed: 1, lightWork: true });
	sandbox.faults.add({ step, kind: 'reset', when: 'after', times: 1 });
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	const execution = await runNode(sandbox, parameters);
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	expect([errorText(execution), hintsIn(execution)]).toEqual([
		'',
		expect.stringMatching(/found again|Found 1 job again/),
	]);
	return new Map(
		result.flatMap(({ url, functions }) => {
			const [, path] = /\/dist\/(nodes\/.*)\.js$/.exec(url) ?? [];
			const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
			return path === undefined ? [] : [[`${path}.ts`, new Set(ran.map(({ functionName }) => functionName))]];
		}),
	);
}

it('names functions that run in a scrape and in a crawl whose answers are lost', async () => {
	const functions = named();
	expect(functions).toHaveLength(9);
	const scrape = await traced({ resource: 'page', operation: 'scrape', url: 'https://example.com/costs' }, 'scrape');
	const crawl = await traced(crawlStart({ url: 'https://example.com', pageLimit: 2 }), 'crawlStart');
	const missing = functions.flatMap(({ file, name, of }) => {
		const runs = [...(of === 'a crawl' ? [] : [scrape]), ...(of === 'a call' ? [] : [crawl])];
		return runs.every((run) => run.get(file)?.has(name)) ? [] : [`${file}: ${name} (${of})`];
	});
	expect(missing).toEqual([]);
});
