import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { hint, withMore } from '../../operation/hint';
import type { ItemDraft } from '../../operation/operation';
import type { CheckedText, JudgedSentence, SentenceVerdict } from '../../research/checkText';
import { sentences as joined } from '../../run/output/hints';
import type { ItemFailure } from '../../run/output/itemError';
import type { ServiceClient } from '../../service/client';
import { count } from '../../text/amounts';
import { costHints, courseTexts, creditsText } from '../researchHints';
import type { CourseFacts } from '../researchHints';
import { itemsAndFailures } from '../researchOutput';

/** Each verdict in words, and its colour in HTML: light enough for black letters. */
const VERDICTS: Record<SentenceVerdict, { word: string; colour: string }> = {
	supported: { word: 'supported', colour: '#c9ecd0' },
	contradicted: { word: 'contradicted', colour: '#f7c6c5' },
	notStated: { word: 'not stated', colour: '#fbd9b5' },
	noSource: { word: 'no source', colour: '#f4ecb4' },
	partlyRead: { word: 'source partly read', colour: '#dde3ea' },
	unreachable: { word: 'source unreachable', colour: '#dde3ea' },
	notRead: { word: 'source not read', colour: '#dde3ea' },
	notJudged: { word: 'not judged', colour: '#dde3ea' },
	noClaim: { word: '', colour: '' },
};

type VerdictCounts = Record<SentenceVerdict, number>;

function countsOf({ sentences }: CheckedText): VerdictCounts {
	const counts = Object.fromEntries(Object.keys(VERDICTS).map((verdict) => [verdict, 0])) as VerdictCounts;
	for (const { verdict } of sentences) counts[verdict] += 1;
	return counts;
}

/** A text without a statement proves nothing: it is not clean. */
function isClean(counts: VerdictCounts): boolean {
	const others = Object.entries(counts).filter(([verdict]) => verdict !== 'supported' && verdict !== 'noClaim');
	return counts.supported > 0 && others.every(([, amount]) => amount === 0);
}

/** `⟦contradicted by 2⟧`; nothing for what says nothing. The text has no such brackets of its own. */
function markOf({ verdict, found }: JudgedSentence): string {
	const { word } = VERDICTS[verdict];
	const by = found.filter((one) => one.verdict === verdict).map(({ source }) => source);
	const shows = verdict === 'supported' || verdict === 'contradicted';
	return word === '' ? '' : ` ⟦${word}${shows && by.length > 0 ? ` by ${by.join(', ')}` : ''}⟧`;
}

const withoutMarks = (text: string) => text.replace(/[⟦⟧]/g, (sign) => (sign === '⟦' ? '[' : ']'));

function markedText({ sentences }: CheckedText): string {
	const parts = sentences.map((sentence, at) => {
		const { text, lead, isAfterBlank, tail = '' } = sentence;
		const before = at === 0 ? '' : lead === undefined ? ' ' : isAfterBlank ? '\n\n' : '\n';
		return `${before}${lead ?? ''}${withoutMarks(text)}${markOf(sentence)}${tail}`;
	});
	return parts.join('');
}

const escapeText = (text: string) =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const STYLE =
	'font:16px/1.6 system-ui,sans-serif;max-width:44em;margin:1.5em auto;padding:0 1em;overflow-wrap:anywhere;color:#111;background:#fff';

/** What the page says instead of a sentence that it does not support, as far as any words come near. */
function saidInstead({ verdict, found }: JudgedSentence): string {
	const one = found.find((each) => each.verdict === verdict && each.quote !== undefined);
	if (!one || (verdict !== 'contradicted' && verdict !== 'notStated')) return '';
	return `<br><small style="color:#555">[${one.source}] “${escapeText(one.quote ?? '')}”</small><br>`;
}

/** A page that stands alone, such as for a mail: each verdict is a word and a colour, with a link to the words of the page. */
function htmlOf(checked: CheckedText): string {
	const lines: string[] = [];
	for (const sentence of checked.sentences.filter(({ text }) => !/^[\s|:=_*-]*$/.test(text))) {
		const { text, lead, verdict, found } = sentence;
		const { word, colour } = VERDICTS[verdict];
		const shown = found.find((one) => one.verdict === verdict && one.link !== undefined);
		const label =
			shown?.link === undefined ? word : `<a href="${escapeText(shown.link)}" style="color:#111">${word}</a>`;
		const mark =
			word === ''
				? ''
				: ` <small style="background:${colour};border-radius:3px;padding:1px 5px;white-space:nowrap">${label}</small>`;
		const isTitle = /^#{1,6}\s/.test(text);
		const plain = escapeText(text.replace(/^#{1,6}\s+/, '').replace(/\*\*/g, ''));
		const part = isTitle ? `<strong>${plain}</strong>` : `${plain}${mark}${saidInstead(sentence)}`;
		if (lead === undefined && lines.length > 0) lines.push(`${lines.pop() ?? ''} ${part}`);
		else lines.push(`${/[-*+\d]/.test(lead ?? '') ? '• ' : ''}${part}`);
	}
	const body = lines.map((line) => `<p style="margin:.6em 0">${line}</p>`).join('');
	const sources = checked.sources.map(({ number, url, title, reason }) => {
		const name = escapeText(title === '' ? url : title);
		const link = /^https?:/i.test(url) ? `<a href="${escapeText(url)}">${name}</a>` : name;
		return `<li value="${number}">${link}${reason === undefined ? '' : `: ${escapeText(reason)}`}</li>`;
	});
	const list = sources.length === 0 ? '' : `<ol>${sources.join('')}</ol>`;
	const foot = `<p style="font-size:.8em;color:#555">${escapeText(`${countsText(countsOf(checked))}. Looked up on ${checked.day}.`)}</p>`;
	return `<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Checked text</title></head><body style="${STYLE}">${body}${list}${foot}</body></html>`;
}

/** `24 sentences: 18 supported, 2 contradicted, 4 no source`. */
function countsText(counts: VerdictCounts): string {
	const entries = Object.entries(VERDICTS) as Array<[SentenceVerdict, { word: string }]>;
	const told = entries.filter(([verdict]) => verdict !== 'noClaim' && counts[verdict] > 0);
	const all = told.reduce((sum, [verdict]) => sum + counts[verdict], 0);
	if (all === 0) return 'No sentence that could be checked';
	return `${count(all, 'sentence')}: ${told.map(([verdict, { word }]) => `${counts[verdict]} ${word}`).join(', ')}`;
}

/** A sentence with the words of the page that decide on it. */
function sentenceItem(sentence: JudgedSentence, { sources }: CheckedText): IDataObject {
	const { position, text, verdict, isAssumed, found } = sentence;
	const addressOf = (number: number) => sources.find((source) => source.number === number)?.url ?? '';
	const shown = found.find((one) => one.verdict === verdict && one.quote !== undefined);
	const against = verdict === 'supported' ? found.find((one) => one.verdict === 'contradicted') : undefined;
	const words = (one: typeof shown) =>
		one ? { quote: one.quote, source: addressOf(one.source), ...(one.link !== undefined && { link: one.link }) } : {};
	return {
		position,
		text,
		verdict,
		sources: sentence.sources.map(addressOf),
		...(isAssumed && { isAssumed }),
		...(isFoundFor(sentence, sources) && { isFound: true }),
		...nameOfWords(verdict, words(shown)),
		...(against && { contradictedBy: words(against) }),
	};
}

/** Whether the source that supports a sentence was found by a search. */
function isFoundFor({ verdict, found }: JudgedSentence, sources: CheckedText['sources']): boolean {
	const supporting = found.filter((one) => one.verdict === 'supported');
	const isFound = ({ source }: { source: number }) => sources.find(({ number }) => number === source)?.isFound === true;
	return verdict === 'supported' && supporting.every(isFound);
}

/** Words that decide nothing are the nearest ones. */
function nameOfWords(verdict: SentenceVerdict, { quote, ...rest }: IDataObject): IDataObject {
	if (quote === undefined) return rest;
	return verdict === 'supported' || verdict === 'contradicted' ? { quote, ...rest } : { nearest: quote, ...rest };
}

/** The items of all texts in the order of the input, failures among them as such. */
export async function checkedOutput(
	ctx: IExecuteFunctions,
	client: ServiceClient,
	texts: ReadonlyArray<{ item: number; asked: { output: string }; checked?: CheckedText }>,
	failures: readonly ItemFailure[],
): Promise<INodeExecutionData[]> {
	const drafts = texts.flatMap(({ item, asked, checked }) =>
		checked ? checkItems(checked, asked.output).map((draft) => ({ draft, item })) : [],
	);
	return await itemsAndFailures(ctx, client, drafts, failures);
}

/** The items of a text that was checked. */
function checkItems(checked: CheckedText, output: string): ItemDraft[] {
	if (output === 'sentences') return checked.sentences.map((sentence) => ({ json: sentenceItem(sentence, checked) }));
	const counts = countsOf(checked);
	const { sources, limit, warnings, usage } = checked;
	const problems = checked.sentences.filter(({ verdict }) => verdict !== 'supported' && verdict !== 'noClaim');
	return [
		{
			json: {
				checked: { isClean: isClean(counts), sentences: checked.sentences.length, ...counts },
				text: markedText(checked),
				problems: problems.map((sentence) => sentenceItem(sentence, checked)),
				sources: sources.map((source) => ({ ...source })),
				...(limit !== undefined && { limit }),
				...(warnings.length > 0 && { warnings }),
				usage: { ...usage },
				html: htmlOf(checked),
			},
		},
	];
}

const MOST_NAMED = 3;

/** The hints under the output: what was found, the bill, and which sources could not be read. */
export function checkHints(results: readonly CheckedText[], facts: CourseFacts): NodeExecutionHint[] {
	const counts = results.map(countsOf);
	const sum = (verdict: SentenceVerdict) => counts.reduce((all, one) => all + one[verdict], 0);
	const together = Object.fromEntries(
		Object.keys(VERDICTS).map((one) => [one, sum(one as SentenceVerdict)]),
	) as VerdictCounts;
	const total = (of: (one: CheckedText['usage']) => number) => results.reduce((all, { usage }) => all + of(usage), 0);
	const tokens = total(({ inputTokens, outputTokens }) => inputTokens + outputTokens);
	const credits = creditsText(
		total(({ creditsUsed }) => creditsUsed),
		total(({ creditsInDoubt }) => creditsInDoubt),
	);
	const bill = `${countsText(together)}; ${credits}, ${count(
		total(({ modelCalls }) => modelCalls),
		'model call',
	)}, ${tokens.toLocaleString('en-US')} tokens.`;
	const unread = results.flatMap(({ sources }) => sources.filter(({ state, cited }) => state !== 'read' && cited > 0));
	const named = unread.slice(0, MOST_NAMED).map(({ url, reason = '' }) => `${url} (${reason.replace(/\.$/, '')})`);
	const warnings = [...new Set(results.flatMap((result) => result.warnings))].slice(0, 5);
	const limits = [...new Set(results.flatMap(({ limit }) => limit ?? []))];
	return [
		hint(joined([results.length > 0 ? bill : '', ...courseTexts(facts, 'text')])),
		...(limits.length > 0
			? [hint(`A limit came before all sources were looked at: ${limits.join(', ')}.`, 'warning')]
			: []),
		...(unread.length > 0
			? [
					hint(
						`${count(unread.length, 'source')} could not be read, or not whole: ${withMore(named, unread.length - named.length, '; ')}. Their sentences are not accused.`,
						'warning',
					),
				]
			: []),
		...warnings.map((warning) => hint(warning, 'warning')),
		...costHints(facts),
	];
}
