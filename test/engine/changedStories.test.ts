import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { expectGoldenFile } from '../helpers/goldenFile';
import { ChangedSite, changedCrawl } from './changedSite';
import { batchStart, errorText, hintsIn, NODE } from './run';

/** Runs of one workflow, each after a change of the site. */
type Run = [change: string, (site: ChangedSite) => void];

const nothing = (): void => undefined;
const STORIES: ReadonlyArray<[string, INodeParameters, Run[]]> = [
	[
		'a crawl',
		changedCrawl(),
		[
			['first', nothing],
			['nothing', nothing],
			['b changed', (site) => site.write('b', 'Text of b\n\nA new line\n\nAnother new line')],
			['b lost a line', (site) => site.write('b', 'A new line\n\nAnother new line')],
			['e is new', (site) => site.write('e', 'Text of e')],
			['c answers 410', (site) => void site.statusCodes.set(`${site.home}c`, 410)],
			['c is back', (site) => void site.statusCodes.delete(`${site.home}c`)],
			['d is not linked any more', (site) => site.remove('d')],
			['still not', nothing],
			['b cannot be read', (site) => site.fail('b')],
			['b can', (site) => site.fail()],
			['a leads to e', (site) => site.move('a', 'e')],
			['a answers 503', (site) => void site.statusCodes.set(`${site.home}a`, 503)],
			['all is as at first', (site) => void site.statusCodes.clear()],
			['the crawl is cut off', (site) => void (site.completed = 9)],
			['the crawl fails', (site) => void (site.state = 'failed')],
			['all is well', (site) => void ([site.state, site.completed] = ['completed', undefined])],
		],
	],
	[
		'a crawl with lines that are ignored',
		changedCrawl({ ignoredLines: '^\\d+ views$' }),
		[
			['first', (site) => site.write('a', 'Text of a\n\n5 views')],
			['only the views', (site) => site.write('a', 'Text of a\n\n6 views')],
			['more', (site) => site.write('a', 'Text of a\n\n7 views\n\nMore of it')],
		],
	],
	[
		'a crawl as one item',
		changedCrawl({}, { output: 'job' }),
		[
			['first', nothing],
			['b changed', (site) => site.write('b', 'Other text')],
		],
	],
	[
		'a batch',
		batchStart({ options: { onlyChanged: true } }),
		[
			['first', nothing],
			['b changed', (site) => site.write('b', 'Other text')],
			['c is gone', (site) => void site.statusCodes.set(`${site.home}c`, 404)],
		],
	],
];

it('tells each story of a site that changes as it did', async () => {
	const all: string[] = [];
	for (const [name, parameters, runs] of STORIES) {
		const site = await ChangedSite.open();
		const items = ['a', 'b', 'c'].map((page) => ({ url: `${site.home}${page}` }));
		for (const [change, make] of runs) {
			make(site);
			const execution = await site.run(parameters, name === 'a batch' ? { items } : {});
			all.push(
				`# ${name}: ${change}`,
				`error: ${errorText(execution)}`,
				`hints: ${hintsIn(execution)}`,
				...execution.items(NODE).map(({ json }) => JSON.stringify(json)),
				`remembered: ${JSON.stringify(site.remembered)}`,
				'',
			);
		}
	}
	const text = all
		.join('\n')
		.replace(/127\.0\.0\.1:\d+/g, 'HOST')
		.replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
		.replace(/\b1\d{12}\b/g, 'MS')
		.replace(/"execution":"\d+"/g, '"execution":"N"');
	expectGoldenFile(join(__dirname, '../golden/changedStories.txt'), text);
});
