import type { Sandbox } from '../../sandbox/server.ts';
import { crawlStart, errorText, runNode, startSandbox } from './run';
import { startPageService } from './pageService';
import { binaryOf, itemWith, runParse } from './uploads';

it('refuses a Delay of more than 60 seconds before anything is sent', async () => {
	const service = await startPageService();
	const execution = await runNode(service, crawlStart({ options: { delay: 61 } }));
	expect(errorText(execution)).toMatch(/"?Delay.*60/);
	expect(service.requests).toEqual([]);
});

it('does not blame the file where the server may lack what the PDF Options ask for', async () => {
	const sandbox: Sandbox = await startSandbox({ enterprise: false });
	const pdfOptions = { pages: true, blocks: true, maxPages: 3 };
	const parser = [{ type: 'pdf', pdfOptions }];
	const execution = await runParse(sandbox, [itemWith({ data: binaryOf('report.pdf', 'no such thing') })], {
		scrapeOptions: { parsers: { parser } },
	});
	expect(errorText(execution)).toContain(
		'This server may not be able to do Markdown by Page and Layout Blocks of PDF Options: remove them and run it again. If that does not help, the file may be broken',
	);
});

const refused = (...details: unknown[]) => ({
	status: 400,
	body: { success: false, code: 'BAD_REQUEST', error: 'Bad Request', details },
});
const tooBig = 'Too big: expected number to be <=60000';

it.each([
	['of a job', crawlStart(), ['scrapeOptions', 'waitFor']],
	['of a call', { resource: 'page', operation: 'scrape', url: 'https://a.example' }, ['waitFor']],
] as const)('names the refused field as the panel does: %s', async (_what, parameters, path) => {
	const service = await startPageService({
		instead: () => refused({ code: 'too_big', path, message: tooBig }),
	});
	const execution = await runNode(service, parameters);
	expect(errorText(execution)).toContain(
		`${path.join('.')}: ${tooBig}). In the panel: "Page Options > Extra Wait (Milliseconds)".`,
	);
});
