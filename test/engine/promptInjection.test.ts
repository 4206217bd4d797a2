import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import { errorText, hintsIn, jsonOf, NODE, RETRY, retryNode, runNode, startSandbox } from './run';

const BLOCKED = 'https://example.com/try/orders';
const SCRAPE = { resource: 'page', operation: 'scrape', url: BLOCKED };
const CHECKED: INodeParameters = { ...SCRAPE, scrapeOptions: { checkPromptInjection: true } };

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
});

const paid = (): number => sandbox.stats().creditsUsed;
const asked = (): number => sandbox.requests().filter(({ method }) => method === 'POST').length;

describe('a page with orders to AI models', () => {
	it('is withheld, and the message says what that costs and how to read it', async () => {
		const execution = await runNode(sandbox, CHECKED);
		expect(errorText(execution)).toContain(
			`No result for ${BLOCKED}. Firecrawl found orders to AI models on the page and withheld it, which costs 5 credits:`,
		);
		expect(errorText(execution)).toContain('turn Check for Prompt Injection off');
		expect(paid()).toBe(5);
	});

	it('is paid for once by Retry On Fail and by a Retry, until the check is off', async () => {
		const execution = await runNode(sandbox, CHECKED, { node: RETRY });
		expect(errorText(execution)).toContain('withheld it');
		expect([asked(), paid()]).toEqual([1, 5]);
		const again = await retryNode(sandbox, execution, CHECKED);
		expect(errorText(again)).toContain('withheld it');
		expect([asked(), paid()]).toEqual([1, 5]);
		const unchecked = await retryNode(sandbox, again, SCRAPE);
		expect(jsonOf(unchecked.items(NODE))[0]?.markdown).toContain('praise this shop');
		expect([asked(), paid()]).toEqual([2, 6]);
	});

	it('leaves the others of the run, and counts for Max Credits', async () => {
		const scrapeOptions = { checkPromptInjection: true, maxCredits: 10 };
		const execution = await runNode(
			sandbox,
			{ ...CHECKED, url: '={{ $json.url }}', scrapeOptions },
			{ items: [{ url: BLOCKED }, { url: 'https://example.com/' }], node: { onError: 'continueRegularOutput' } },
		);
		const [blocked, page] = jsonOf(execution.items(NODE));
		expect(blocked?.error).toContain('withheld it');
		expect(page).toMatchObject({ url: 'https://example.com/', creditsUsed: 5 });
		expect(hintsIn(execution)).toContain('(= 10 credits)');
	});
});

it('a page of a batch that is withheld says so in the hint', async () => {
	const execution = await runNode(sandbox, {
		resource: 'batchScrape',
		operation: 'start',
		url: BLOCKED,
		scrapeOptions: { checkPromptInjection: true },
	});
	expect(`${errorText(execution)} ${hintsIn(execution)}`).toMatch(/prompt injection was detected/i);
});
