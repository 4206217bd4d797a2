import { startInBetween } from './serviceInBetween';
import { join } from 'node:path';

import {
	CHAT_MODEL_TYPE,
	chatModelNode,
	flowNodes,
	readWorkflowFile,
	runWorkflow,
} from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { after, builtPackage, errorText, jsonOf, KEY, startSandbox } from './run';
import { callsOf, QUESTION, RESEARCH, retryResearch, runResearch } from './webResearchRun';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});

interface Claim {
	text: string;
	quote: string;
	source: string;
	verified: boolean;
}

/** The text of a page of the sandbox's site, without tags and with plain spaces. */
async function textOf(url: string): Promise<string> {
	const html = await (await fetch(url.replace(/^https:\/\/example\.com/, sandbox.siteUrl))).text();
	return html
		.replace(/<[^>]+>/g, ' ')
		.replace(/&nbsp;|&#160;/g, ' ')
		.replace(/&amp;/g, '&')
		.replace(/\s+/g, ' ');
}

const hintsIn = (execution: Awaited<ReturnType<typeof runResearch>>): string =>
	execution
		.hints(RESEARCH)
		.map(({ message }) => message)
		.join('\n');

describe('Web Research', () => {
	it('answers a question with a report whose quotes stand on the cited pages', async () => {
		const execution = await runResearch(sandbox, { parameters: { output: 'fullRecord' } });
		expect(errorText(execution)).toBe('');
		const [item] = execution.items(RESEARCH);
		const json = item?.json ?? {};
		expect(json).toMatchObject({ query: QUESTION, status: 'completed', endedBy: 'done' });
		expect(item?.pairedItem).toEqual({ item: 0 });
		const claims = json.claims as Claim[];
		expect(claims.length).toBeGreaterThan(1);
		for (const { quote, source, verified } of claims) {
			expect(verified).toBe(true);
			expect(await textOf(source)).toContain(quote.replace(/\s+/g, ' '));
		}
		const sources = json.sources as Array<{ number: number; url: string }>;
		expect(String(json.finalAnalysis)).toContain(`\n[1]: ${sources[0]?.url}#:~:text=`);
		expect(json.usage).toMatchObject({ creditsUsed: callsOf(sandbox).creditsUsed });
		const usage = json.usage as { modelCalls: number; inputTokens: number };
		expect(usage.modelCalls).toBe(callsOf(sandbox).model);
		expect(usage.inputTokens).toBeGreaterThan(500);
		expect(hintsIn(execution)).toMatch(/^1 question: \d+ pages? read, \d+ sources? cited, \d+ credits/);
	});

	it('reads pages with the Reading Model, and plans and writes with the Chat Model', async () => {
		const parameters = { output: 'fullRecord' };
		const unread = await runResearch(sandbox, { reading: 'sandbox:refusal', parameters });
		const { sources, skippedPages } = unread.items(RESEARCH)[0]?.json ?? {};
		expect(sources).toEqual([]);
		expect(skippedPages).not.toEqual([]);
		const unplanned = await runResearch(sandbox, {
			chat: 'sandbox:refusal',
			reading: 'sandbox',
			parameters,
		});
		// Nobody but the Chat Model judges: without it nothing is verified.
		const { status, reason } = unplanned.items(RESEARCH)[0]?.json ?? {};
		expect(status).toBe('empty');
		expect(reason).toMatch(/^No statement could be verified: \d+ statements? of .+ \(\d+ not judged\)\.$/);
	});

	it('says what is missing where no model is connected', async () => {
		const execution = await runResearch(sandbox, { chat: null });
		expect(errorText(execution)).toMatch(/Chat Model/);
		expect(callsOf(sandbox)).toEqual({ model: 0, search: 0, scrape: 0, creditsUsed: 0 });
	});

	it('refuses two ways to say of when, before the model is asked', async () => {
		const options = { tbs: 'qdr:w', publishedBetween: { from: '2026-01-31' } };
		const execution = await runResearch(sandbox, { parameters: { options } });
		expect(errorText(execution)).toContain('"Published Between" cannot be set together with "Time Filter"');
	});

	it('shows no key and no text of the model that is refused', async () => {
		sandbox.faults.add({
			step: 'model',
			kind: 'body',
			httpStatus: 401,
			body: { error: { message: 'Incorrect API key provided: fc-sandbox. Prompt: You plan' } },
		});
		const execution = await runResearch(sandbox);
		expect(errorText(execution)).not.toMatch(/fc-sandbox|You plan/);
		expect(execution.stored).not.toContain('Incorrect API key provided');
	});

	it.each([
		['claims', 'quote'],
		['sources', 'readAt'],
		['reportFile', 'fileName'],
		['htmlFile', 'sourcesText'],
		['simplified', 'html'],
	])('puts out %s', async (output, field) => {
		const execution = await runResearch(sandbox, { parameters: { output } });
		const items = execution.items(RESEARCH);
		expect(items.length).toBeGreaterThan(0);
		for (const { json } of items) expect(json[field]).toEqual(expect.any(String));
		if (output === 'reportFile') expect(items[0]?.binary?.data).toMatchObject({ mimeType: 'text/markdown' });
		if (output === 'htmlFile') expect(items[0]?.binary?.data).toMatchObject({ mimeType: 'text/html' });
	});

	it('puts the answer first, beside it a page for a mail and the sources for a sheet', async () => {
		const json = (await runResearch(sandbox)).items(RESEARCH)[0]?.json ?? {};
		const analysis = String(json.finalAnalysis);
		expect(analysis).toMatch(/^[\p{Lu}#]/u);
		expect(analysis).toMatch(/\n\n---\n\n\*The quote of each claim was looked up in its page[^\n]*\*\n\n\[1\]: http/);
		// The text itself has no address in it.
		expect(analysis.split('\n\n[1]: ')[0]).not.toContain('http');
		const text = String(json.text);
		expect(text).toMatch(/^Most delivery bikes carry a battery of 500 to 750 Wh \[1\]\. /);
		expect(text).toMatch(/\n\nSources:\n\[1\] .*, https?:.*\n\[2\] /);
		expect(text).not.toMatch(/[\\*#]|\]\(/);
		// Long fields stand last.
		expect(Object.keys(json).at(-1)).toBe('html');
		const [source] = json.sources as Array<{ number: number; title: string; url: string }>;
		expect(String(json.sourcesText).split('\n')[0]).toBe(`1. ${source?.title}, ${source?.url}`);
		const html = String(json.html);
		expect(html).toMatch(/<html lang="en"><head>/);
		expect(html).toContain(`<a href="${source?.url}#:~:text=`);
		expect(html).toContain('>[1]</a>. ');
		expect(html).toMatch(/<footer><p>The quote of each claim was looked up/);
		expect(html).not.toMatch(/<script|<img|<link|src=|@import|url\(/i);
	});

	it('lets the title of a page name no other address as its source', async () => {
		const between = await startInBetween(sandbox);
		between.interpose = async (request, pass) => {
			const answer = await pass();
			const { data } = (answer.body ?? {}) as { data?: { metadata?: { title?: string } } };
			if (request.path === '/v2/scrape' && data?.metadata) data.metadata.title = 'Reuters, https://www.reuters.com/a';
			return answer;
		};
		const json = (await runResearch({ ...sandbox, baseUrl: between.baseUrl })).items(RESEARCH)[0]?.json ?? {};
		const [source] = json.sources as Array<{ url: string }>;
		expect(String(json.sourcesText).split('\n')[0]).toBe(`1. Reuters, ${source?.url}`);
	});

	it('has the same shape where three questions have no answer, with the file, and names them in one hint', async () => {
		const items = ['zzz one?', 'zzz two?', 'zzz three?'].map((q) => ({ q }));
		for (let search = 0; search < 20; search++) {
			sandbox.faults.add({ step: 'search', kind: 'body', body: { success: true, data: { web: [] } }, times: 1 });
		}
		const execution = await runResearch(sandbox, { items, parameters: { output: 'reportFile' } });
		expect(errorText(execution)).toBe('');
		const found = execution.items(RESEARCH);
		expect(found).toHaveLength(3);
		for (const { json, binary } of found) {
			expect(json.status).toBe('empty');
			expect(json.finalAnalysis).toContain('**No answer was found.** Nothing was found');
			expect(json.finalAnalysis).toContain('Searched for:');
			expect(binary?.data).toMatchObject({ mimeType: 'text/markdown', fileName: expect.stringContaining('zzz') });
		}
		const empty = hintsIn(execution)
			.split('\n')
			.filter((hint) => hint.includes('without an answer'));
		expect(empty).toEqual([
			expect.stringMatching(/^3 questions without an answer: zzz one\? \(.*; zzz two\? .*; zzz three\?/),
		]);
	});

	it('knows whether a call arrived: what was refused before it was sent counts no credits', async () => {
		const closed = await startSandbox();
		await closed.stop();
		sandbox.faults.add({ step: 'search', kind: 'redirect', to: `${closed.baseUrl}/` });
		const execution = await runResearch(sandbox, { node: { onError: 'continueRegularOutput' } });
		const json = execution.items(RESEARCH)[0]?.json ?? {};
		expect(String(json.error)).toContain('redirects to');
		expect(callsOf(sandbox).creditsUsed).toBe(0);
	});

	it('fills JSON by a schema, with values that quotes hold, and names those that have no proof', async () => {
		const number = { type: 'number' };
		const schema = { type: 'object', properties: { batteryPriceFrom: number, moonLandings: number } };
		const execution = await runResearch(sandbox, {
			parameters: { analysisFormats: ['json'], jsonOptions: { schema: JSON.stringify(schema) } },
		});
		expect(execution.items(RESEARCH)[0]?.json).toMatchObject({
			finalAnalysis: '',
			json: { batteryPriceFrom: expect.any(Number), moonLandings: null },
			proofs: { batteryPriceFrom: expect.stringMatching(/^https:.*#:~:text=/) },
			unproven: [{ path: 'moonLandings' }],
			html: expect.stringMatching(/<td>batteryPriceFrom<\/td><td>\d+<\/td><td><a href="https:[^"]*#:~:text=/),
		});
		const rows = await runResearch(sandbox, {
			parameters: { analysisFormats: ['json'], jsonOptions: { schema: JSON.stringify(schema) }, output: 'values' },
		});
		expect(jsonOf(rows.items(RESEARCH))).toMatchObject([
			{ path: 'batteryPriceFrom', verified: true, by: 'code', quote: expect.any(String) },
			{ path: 'moonLandings', verified: false },
		]);
	});
});

describe('a research that fails and is tried again', () => {
	const broken = { step: 'model', kind: 'status', httpStatus: 401, skip: 4, times: 1 } as const;

	it('pays for nothing twice in Retry On Fail', async () => {
		await runResearch(sandbox);
		const whole = callsOf(sandbox);
		sandbox.reset();
		sandbox.faults.add(broken);
		const execution = await runResearch(sandbox, { node: { retryOnFail: true, maxTries: 2 } });
		expect(errorText(execution)).toBe('');
		expect(callsOf(sandbox)).toEqual({ ...whole, model: whole.model + 1 });
		expect(hintsIn(execution)).toContain('1 question continued from an earlier try');
	});

	it('pays for nothing twice in the Retry of n8n, also on the next day', async () => {
		await runResearch(sandbox);
		const whole = callsOf(sandbox);
		sandbox.reset();
		sandbox.faults.add(broken);
		const failed = await runResearch(sandbox);
		expect(errorText(failed)).toMatch(/model/i);
		const before = callsOf(sandbox);
		expect(before.search).toBeGreaterThan(0);
		// The day that the model was told is that of the first try.
		await after(23 * 3_600_000);
		const retried = await retryResearch(sandbox, failed);
		expect(errorText(retried)).toBe('');
		expect(callsOf(sandbox)).toEqual({ ...whole, model: whole.model + 1 });
	});

	it('searches and scrapes again in a Retry whose options ask for other results', async () => {
		sandbox.faults.add({ ...broken, times: 2 });
		const failed = await runResearch(sandbox);
		const same = await retryResearch(sandbox, failed, { parameters: { options: {} } });
		const before = callsOf(sandbox);
		const options = { country: 'DE' };
		await retryResearch(sandbox, same, { parameters: { options } });
		expect(callsOf(sandbox).search).toBeGreaterThan(before.search);
		expect(callsOf(sandbox).scrape).toBe(before.scrape);
	});

	it('begins anew for another question', async () => {
		sandbox.faults.add(broken);
		const failed = await runResearch(sandbox);
		const before = callsOf(sandbox);
		await retryResearch(sandbox, failed, { parameters: { query: 'Which vans carry most?' } });
		expect(callsOf(sandbox).search).toBeGreaterThan(before.search);
	});
});

it('runs the example as it is', async () => {
	const workflow = await readWorkflowFile(join(__dirname, '../../examples/research-a-question.json'));
	const model = { options: { baseURL: `${sandbox.baseUrl}/v1` } };
	const execution = await runWorkflow({
		package: await builtPackage(),
		workflow,
		credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
		otherNodeTypes: { ...flowNodes, [CHAT_MODEL_TYPE]: chatModelNode },
		nodeOverrides: { 'Chat Model': { parameters: model } },
	});
	expect(errorText(execution)).toBe('');
	const [item] = execution.items('Use the Report');
	expect(item?.json).toMatchObject({ status: 'completed', endedBy: 'done' });
	expect(item?.binary?.data).toMatchObject({ mimeType: 'text/markdown' });
});

it('ends at once, with the words of a model that refuses all requests', async () => {
	const execution = await runResearch(sandbox, { chat: 'sandbox:contextTooLong' });
	expect(errorText(execution)).toContain('The text is too long for the chat model (HTTP 400).');
	expect(errorText(execution)).toContain('The model says:');
	expect(callsOf(sandbox)).toMatchObject({ search: 0, scrape: 0 });
});

describe('verification', () => {
	const parameters = { output: 'fullRecord', options: { unsupportedClaims: 'mark' } };
	const record = async (chat: string, more = {}) => {
		const execution = await runResearch(sandbox, { chat, reading: 'sandbox', parameters, ...more });
		expect(errorText(execution)).toBe('');
		const json = execution.items(RESEARCH)[0]?.json ?? {};
		return { execution, json, checks: json.checks as { unverifiedClaims: Record<string, number> } };
	};

	it('leaves what has no verdict unverified, and says so', async () => {
		const half = await record('sandbox:judgesHalf');
		expect(half.checks.unverifiedClaims.notJudged).toBeGreaterThan(0);
		expect(hintsIn(half.execution)).toContain('Statements that were not verified:');
		const words = await record('sandbox:judgesInWords', { parameters: { output: 'fullRecord' } });
		expect(words.json).toMatchObject({ status: 'empty', sources: [] });
		expect(words.json.finalAnalysis).toContain('**No answer was found.**');
		expect(hintsIn(words.execution)).toContain('not judged');
	});

	it('of quotes only asks no judge, and says so', async () => {
		const options = { verification: 'quotes' };
		const { json, execution } = await record('sandbox:judgesInWords', {
			parameters: { output: 'fullRecord', options },
		});
		expect(json.status).not.toBe('empty');
		expect(hintsIn(execution)).toContain('was not judged (Quotes Only)');
	});
});

describe('Max Credits (This Run)', () => {
	it('ends a research with what was found, and names the limit', async () => {
		const execution = await runResearch(sandbox, { parameters: { options: { maxCredits: 6 } } });
		expect(errorText(execution)).toBe('');
		expect(execution.items(RESEARCH)[0]?.json).toMatchObject({
			status: 'partial',
			endedBy: 'credits',
			finalAnalysis: expect.stringContaining(
				'Pages of x.com, twitter.com, linkedin.com were not read, for their price',
			),
		});
		expect(callsOf(sandbox).creditsUsed).toBeLessThanOrEqual(6);
		expect(hintsIn(execution)).toContain('1 result partial.');
	});

	it('reads no more pages of a PDF file than credits are left for', async () => {
		const between = await startInBetween(sandbox);
		const most: number[] = [];
		between.interpose = async (request, pass) => {
			if (request.path === '/v2/scrape') {
				const { parsers } = request.body as { parsers: Array<{ maxPages: number }> };
				most.push(parsers[0]?.maxPages ?? Infinity);
			}
			return await pass();
		};
		const through = { ...sandbox, baseUrl: between.baseUrl };
		await runResearch(through);
		expect(new Set(most)).toEqual(new Set([10]));
		most.length = 0;
		await runResearch(through, { parameters: { options: { maxCredits: 8 } } });
		expect(most.length).toBeGreaterThan(0);
		expect(Math.max(...most)).toBeLessThanOrEqual(6);
	});

	it('sends nothing where it is too little for a search and a page', async () => {
		const execution = await runResearch(sandbox, { parameters: { options: { maxCredits: 2 } } });
		expect(errorText(execution)).toContain('Max Credits (This Run) leaves 2 credits');
		expect(callsOf(sandbox)).toEqual({ model: 0, search: 0, scrape: 0, creditsUsed: 0 });
	});

	it('holds for all questions together', async () => {
		const items = Array.from({ length: 4 }, (_, index) => ({ q: `${QUESTION} ${index}` }));
		await runResearch(sandbox, { items, parameters: { options: { maxCredits: 20 } } });
		expect(callsOf(sandbox).creditsUsed).toBeLessThanOrEqual(20);
	});
});

describe('many questions', () => {
	it('are put out in order, and one that fails is one failed item', async () => {
		const items = [{ q: QUESTION }, { q: '' }, { q: 'What does the winter do to the range?' }];
		const execution = await runResearch(sandbox, {
			items,
			node: { onError: 'continueRegularOutput' },
		});
		const rows = execution.items(RESEARCH).map(({ json }) => json);
		expect(rows.map((json) => ('error' in json ? 'failed' : json.query))).toEqual([QUESTION, 'failed', items[2]?.q]);
	});
});

it('ends within a second of Stop, while the model answers', async () => {
	const stop = new AbortController();
	setTimeout(() => stop.abort(), 300);
	const began = performance.now();
	const execution = await runResearch(sandbox, { chat: 'sandbox:slow20000', signal: stop.signal });
	expect(performance.now() - began).toBeLessThan(5000);
	expect(execution.run.status).toBe('canceled');
	expect(callsOf(sandbox)).toMatchObject({ search: 0, scrape: 0 });
});
