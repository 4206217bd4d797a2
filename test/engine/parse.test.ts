import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { jsonOf, NODE } from './research';
import { binaryOf, itemWith, runParse } from './uploads';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ chromiumPath: null });
});
afterAll(async () => await sandbox.stop());
afterEach(() => {
	sandbox.faults.clear();
	sandbox.reset();
});

describe('Parse · Parse File', () => {
	it('makes Markdown of a PDF when nothing is set, and says what it cost', async () => {
		const execution = await runParse(sandbox, [itemWith({ data: binaryOf('report.pdf') })]);
		expect(execution.error).toBeUndefined();
		expect(jsonOf(execution.items(NODE))).toEqual([
			{
				fileName: 'report.pdf',
				binaryField: 'data',
				url: 'https://parse.firecrawl.dev/uploads/report.pdf',
				title: null,
				description: null,
				language: null,
				markdown:
					'Annual report of the harbour society\n\nThe lighthouse fund stands at 18450 crowns.',
				statusCode: 200,
				scrapeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
				creditsUsed: 2,
			},
		]);
		expect(execution.hints(NODE).map(({ message }) => message)).toEqual(['1 file (= 2 credits).']);
	});
});
