import type { Sandbox } from '../../sandbox/server.ts';
import { errorText, startSandbox } from './run';
import { QUESTION, RESEARCH, runResearch } from './webResearchRun';

const MAX_EXECUTION_BYTES = 2_000_000;

/** Articles of the sandbox's site, and the same articles below other addresses, to make 20 pages. */
const ARTICLES =
	'costs vans hubs rules safety riders maintenance winter batteries load-limits noise-emissions case-nordhaven case-lindmoor'.split(
		' ',
	);
const PAGES = [...ARTICLES, ...ARTICLES.slice(0, 7).map((name) => `${name}?print=1`)].map(
	(path) => `https://example.com/${path}`,
);

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});

// The model of these tests stores nothing of its calls. n8n's own OpenAI Chat Model does, which comes on top.
describe('Web Research on many pages', () => {
	it('stores less than 2 MB for 20 pages, besides the data of the model node', async () => {
		const execution = await runResearch(sandbox, {
			parameters: {
				query: QUESTION,
				output: 'fullRecord',
				options: {
					firstPages: PAGES.join('\n'),
					maxUrls: PAGES.length,
					pagesPerSite: PAGES.length,
				},
			},
		});
		expect(errorText(execution)).toBe('');
		const [item] = execution.items(RESEARCH);
		expect(item?.json.pagesRead).toBe(20);
		expect(item?.json.claims).not.toEqual([]);
		expect(Buffer.byteLength(execution.stored)).toBeLessThan(MAX_EXECUTION_BYTES);
	});
});
