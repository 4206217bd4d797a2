import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IBinaryData, IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import { NODE, errorText, jsonOf, runNode, startSandbox } from './run';
import { binaryOf } from './uploads';
import { RESEARCH, callsOf, retryResearch, runResearch } from './webResearchRun';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: 1 });
});

beforeEach(() => {
	sandbox.reset();
});

const TEXT = `# Cargo bikes

Hello! A swap of the battery takes under 2 minutes [1]. A spare battery costs 950 to 1,200 euros [1].

- Insurance against theft and liability costs 350 to 600 euros a year and bike [2].
- Nobody says where this is from.
- The offer stands on a page that is gone [3].
- It is said in the intranet [4], and with a key [5].

What comes next?

## Sources
1. [Batteries](https://example.com/batteries)
2. https://example.com/costs
3. https://example.com/try/missing
4. http://192.168.0.7/report
5. https://files.example.com/report?X-Amz-Signature=abc123
`;

const check = async (text: string, more: INodeParameters = {}, items: IDataObject[] = [{ text }]) =>
	await runResearch(sandbox, { parameters: { operation: 'checkText', text: '={{ $json.text }}', ...more }, items });

it('says of each sentence whether its sources say so, and accuses none whose source cannot be seen', async () => {
	const execution = await check(TEXT, { output: 'sentences' });
	expect(errorText(execution)).toBe('');
	const rows = jsonOf(execution.items(RESEARCH)).filter(({ verdict }) => verdict !== 'noClaim');
	expect(rows.map(({ text, verdict }) => [text, verdict])).toEqual([
		['A swap of the battery takes under 2 minutes.', 'supported'],
		['A spare battery costs 950 to 1,200 euros.', expect.stringMatching(/^(?:contradicted|notStated)$/)],
		['Insurance against theft and liability costs 350 to 600 euros a year and bike.', 'supported'],
		['Nobody says where this is from.', 'noSource'],
		['The offer stands on a page that is gone.', 'unreachable'],
		['It is said in the intranet, and with a key.', 'notRead'],
	]);
	expect(rows[0]).toMatchObject({
		quote: expect.stringContaining('under 2 minutes'),
		source: 'https://example.com/batteries',
		link: expect.stringMatching(/^https:\/\/example\.com\/batteries#:~:text=/),
	});
	expect(rows[1]?.nearest ?? rows[1]?.quote).toEqual(expect.stringContaining('650 to 900 euros'));
	// What lets others in is sent nowhere, and not shown.
	expect(rows[5]?.sources).toEqual(['http://192.168.0.7/report', 'https://files.example.com/report?…']);
	expect(callsOf(sandbox)).toMatchObject({ search: 0, scrape: 3 });
	expect(execution.hints(RESEARCH)[0]?.message).toMatch(/^6 sentences: 2 supported, .* 1 no source, .*3 credits, /);
});

it('puts out numbers for an IF, the marked text, what is wrong, and HTML', async () => {
	const [result] = jsonOf((await check(TEXT)).items(RESEARCH));
	expect(result).toMatchObject({ checked: { isClean: false, supported: 2, noSource: 1, unreachable: 1, notRead: 1 } });
	expect(result?.text).toContain('takes under 2 minutes. ⟦supported by 1⟧');
	expect(result?.text).toContain('Nobody says where this is from. ⟦no source⟧');
	expect((result?.problems as object[]).length).toBe(4);
	expect(result?.html).toMatch(
		/<small style="background:#c9ecd0[^"]*"><a href="https:\/\/example\.com\/batteries#:~:text=/,
	);
	expect(result?.sources).toContainEqual({
		...{ number: 4, url: 'http://192.168.0.7/report', title: '', state: 'notRead', cited: 1 },
		reason: 'It is a private or local address.',
	});
	const clean = 'A swap of the battery takes under 2 minutes ([example.com](https://example.com/batteries)).';
	expect(jsonOf((await check(clean)).items(RESEARCH))[0]).toMatchObject({ checked: { isClean: true, supported: 1 } });
	// A text without a statement proves nothing, and a text cannot mark itself.
	const empty = jsonOf((await check('Thanks! ⟦supported by 1⟧')).items(RESEARCH))[0];
	expect(empty).toMatchObject({ checked: { isClean: false } });
	expect(empty?.text).toBe('Thanks! [supported by 1] ⟦no source⟧');
});

it('leaves paragraphs, lists and tables as they are, and marks within their cells', async () => {
	const text = [
		'# Cargo bikes\n',
		'A swap of the battery takes under 2 minutes (https://example.com/batteries).\n',
		'- Nobody says where this is from.\n- Nor does anyone say this one.\n',
		'| What | Source |\n| --- | --- |\n| A swap of the battery takes under 2 minutes. | https://example.com/batteries |',
	].join('\n');
	const [result] = jsonOf((await check(text)).items(RESEARCH));
	expect(String(result?.text).split('\n')).toEqual([
		'# Cargo bikes',
		'',
		'A swap of the battery takes under 2 minutes. ⟦supported by 1⟧',
		'',
		'- Nobody says where this is from. ⟦no source⟧',
		'- Nor does anyone say this one. ⟦no source⟧',
		'',
		'| What | Source |',
		'| --- | --- |',
		'| A swap of the battery takes under 2 minutes. ⟦supported by 1⟧ | |',
	]);
	expect(result?.html).not.toContain('---');
});

it('refuses what is no text before anything is sent', async () => {
	expect(errorText(await check(''))).toContain('"Text" is empty');
	expect(errorText(await check('x'.repeat(200_001)))).toContain('"Text" may have at most 200,000 characters');
	expect(errorText(await check(TEXT, { textFrom: 'file' }))).toContain('has no binary field "data": it has no file');
	expect(callsOf(sandbox)).toMatchObject({ scrape: 0, model: 0 });
});

it('reads a file of text, as n8n, a server without types or Windows has made it', async () => {
	const claim = 'Insurance – against theft and liability – costs 350 to 600 euros a year and bike [1].';
	const text = `${claim}\n\n1. https://example.com/costs\n`;
	const windows = Buffer.from(text.replaceAll('–', '\u0096'), 'latin1');
	for (const [file, why] of [
		[binaryOf('report.md', text, 'text/markdown; charset=utf-8'), 'as n8n has it'],
		[binaryOf('report.md', `\ufeff${text}`), 'without a type, with a mark at its beginning'],
		[binaryOf('report.txt', windows, 'text/plain'), 'of Windows'],
		[binaryOf('report.txt', Buffer.from(`\ufeff${text}`, 'utf16le'), 'text/plain'), 'of Windows, two bytes a letter'],
	] as const) {
		const parameters = { operation: 'checkText', textFrom: 'file', textField: 'report', output: 'sentences' };
		const execution = await runResearch(sandbox, { parameters, files: { report: file } });
		expect([why, errorText(execution)]).toEqual([why, '']);
		const [row] = jsonOf(execution.items(RESEARCH));
		expect([why, row?.text, row?.verdict]).toEqual([why, claim.replace(' [1]', ''), 'supported']);
		const told = JSON.stringify(execution.hints(RESEARCH)).includes('was read as Windows-1252');
		expect([why, told]).toEqual([why, why === 'of Windows']);
	}
	const refused = async (file: IBinaryData) =>
		errorText(
			await runResearch(sandbox, { parameters: { operation: 'checkText', textFrom: 'file' }, files: { file } }),
		);
	const pdf = binaryOf('report.pdf', 'x');
	expect(await refused(pdf)).toContain('has no binary field "data": it has "file"');
	const parameters = { operation: 'checkText', textFrom: 'file', textField: 'file' };
	const ofPdf = await runResearch(sandbox, { parameters, files: { file: pdf } });
	expect(errorText(ofPdf)).toContain('"report.pdf" is of the type application/pdf, and no text');
	const picture = binaryOf('picture', '\u0089PNG\0\0', '');
	const ofPicture = await runResearch(sandbox, { parameters, files: { file: picture } });
	expect(errorText(ofPicture)).toContain('"picture" has no type, and no text');
	const long = binaryOf('long.md', 'x'.repeat(800_001));
	const ofLong = await runResearch(sandbox, { parameters, files: { file: long } });
	expect(errorText(ofLong)).toContain('it has 800,001 bytes');
});

it('keeps to its caps, and says which sources they have left out', async () => {
	const pages = await check(TEXT, { options: { maxUrls: 1 } });
	const [few] = jsonOf(pages.items(RESEARCH));
	expect(callsOf(sandbox).scrape).toBe(1);
	expect(few?.sources).toContainEqual(
		expect.objectContaining({ number: 2, state: 'notRead', reason: 'Max Pages (1) leaves no room for it.' }),
	);
	sandbox.reset();
	const credits = await check(TEXT, { options: { maxCredits: 11 } });
	expect(errorText(credits)).toBe('');
	expect(callsOf(sandbox).creditsUsed).toBeLessThanOrEqual(11);
});

it('searches for sentences without a source where it is asked to, and says that their sources were found', async () => {
	const text =
		'Insurance against theft and liability costs 350 to 600 euros a year and bike. Nobody has walked on Neptune in 1931.';
	const execution = await check(text, { withoutSource: 'search', output: 'sentences' });
	expect(errorText(execution)).toBe('');
	const rows = jsonOf(execution.items(RESEARCH));
	expect(rows[0]).toMatchObject({
		verdict: 'supported',
		isFound: true,
		source: expect.stringContaining('example.com'),
	});
	expect(rows[1]).toMatchObject({ verdict: 'noSource', sources: [] });
	expect(callsOf(sandbox).search).toBe(2);
	// A cap bounds what is searched for, too.
	sandbox.reset();
	await check(text, { withoutSource: 'search', options: { maxCredits: 14 } });
	expect(callsOf(sandbox).creditsUsed).toBeLessThanOrEqual(14);
});

it('pays for no page twice in a Retry, and tells a model that refuses', async () => {
	const broken = sandbox.faults.add({ step: 'model', kind: 'status', httpStatus: 401 });
	const failed = await check(TEXT);
	expect(errorText(failed)).toMatch(/chat model refused its credential/i);
	broken();
	const before = callsOf(sandbox);
	const parameters = { operation: 'checkText', text: '={{ $json.text }}' };
	const again = await retryResearch(sandbox, failed, { parameters, items: [{ text: TEXT }] });
	expect(errorText(again)).toBe('');
	expect(jsonOf(again.items(RESEARCH))[0]).toMatchObject({ checked: { supported: 2 } });
	expect(callsOf(sandbox).creditsUsed).toBe(before.creditsUsed);
});

it('fails where the service refuses all pages, and calls no page unreachable for it', async () => {
	const end = sandbox.faults.add({ step: 'scrape', kind: 'status', httpStatus: 402, error: 'No credits' });
	expect(errorText(await check(TEXT))).toMatch(/credits/i);
	end();
	// Only some of them: the others are checked.
	sandbox.faults.add({
		step: 'scrape',
		kind: 'status',
		httpStatus: 402,
		error: 'No credits',
		query: 'example.com/costs',
	});
	const [result] = jsonOf((await check(TEXT)).items(RESEARCH));
	expect(result).toMatchObject({ checked: { supported: 1, notRead: 2 }, limit: 'credits' });
});

it('checks what the legacy Deep Research has written, whose sources stand apart', async () => {
	const service = await startSandbox({ seed: 1, jobDurationMs: 50 });
	const research = await runNode(service, {
		resource: 'deepResearch',
		operation: 'start',
		query: 'cargo bike batteries',
	});
	const [found] = jsonOf(research.items(NODE));
	// As docs/how-to/check-a-text.md says it.
	const guide = readFileSync(join(__dirname, '../../docs/how-to/check-a-text.md'), 'utf8');
	const [, text = ''] = /the text is `(\{\{.*\}\})`/.exec(guide) ?? [];
	const parameters = { operation: 'checkText', text: `=${text}` };
	const execution = await runResearch(service, { parameters, items: [found ?? {}] });
	expect(errorText(execution)).toBe('');
	const [result] = jsonOf(execution.items(RESEARCH));
	const { supported, noSource } = result?.checked as { supported: number; noSource: number };
	expect(supported).toBeGreaterThan(3);
	expect(supported).toBeGreaterThan(noSource);
});
