import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { evenOut } from '../../nodes/text/pageText';
import { QuotedPage, sentencesIn } from '../../nodes/research/claims/passages';
import type { ResearchHistory } from '../../nodes/research/contract/history';
import type { ModelRequest } from '../../nodes/research/contract/parts';
import type { ResearchQuestion } from '../../nodes/research/contract/question';
import type { ResearchResult } from '../../nodes/research/contract/result';
import { research } from '../../nodes/research/research';
import { dataIn, QUESTION } from '../../test/unit/research/world';
import type { Rates } from './rates';

const DAY_MS = 24 * 3_600_000;

/** Sentences and rows of a text, each as it stands. */
function statementsOf(markdown: string): string[] {
	return new QuotedPage(markdown).blocks.flatMap((block) => {
		if (block.kind === 'heading') return [];
		if (block.kind === 'row') return [block.text];
		return sentencesIn(block).map(({ start, end }) => block.text.slice(start, end).trim());
	});
}

const keyOf = (text: string): string =>
	withoutLengths(evenOut(text))
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
/** As much as a reading model is asked for, at most. */
const asQuote = (text: string): string => (text.length <= 290 ? text : text.slice(0, 290).replace(/\s+\S*$/, ''));
const isStatement = (text: string): boolean => keyOf(text).length > 12;
/** A length of time beside its date moves by itself, and is no news. */
const withoutLengths = (text: string): string =>
	text.replace(/\b(?:in )?\d+ (?:day|week|month|year)s?\b(?: ago)?|\btoday\b/gi, ' ');

const wordsIn = (text: string): Set<string> =>
	new Set(
		keyOf(text)
			.split(' ')
			.filter((word) => !/\d/.test(word)),
	);

/** True for texts with the same words, whatever their figures are. */
function areNear(one: string, other: string): boolean {
	const [words, others] = [wordsIn(one), wordsIn(other)];
	const shared = [...words].filter((word) => others.has(word)).length;
	return shared >= 3 && shared / Math.max(words.size, others.size) >= 0.8;
}

/** A model gives no more of one text. */
const MOST_CLAIMS = 100;

/** A model that takes each sentence and row for a statement, and judges by words and figures. */
function answer(request: ModelRequest, passedOver: Set<string>): string {
	const { system } = request;
	const data = dataIn(request);
	if (system.includes('"subQuestions"')) return '{"subQuestions": ["What?"], "queries": ["pages"], "labels": {}}';
	if (system.includes('"verdicts"')) {
		const pairs = data.join('\n').matchAll(/^(\d+)\. (?:Statement|Heading): (.*)(?:\nPage: .*)?\nPassage: (.*)$/gm);
		const verdicts = [...pairs].map(([, pair, statement = '', passage = '']) => {
			const held = new Set(keyOf(passage).split(' '));
			const isSaid = keyOf(statement)
				.split(' ')
				.every((word) => held.has(word));
			return { pair: Number(pair), verdict: isSaid ? 'supported' : 'not stated' };
		});
		return JSON.stringify({ verdicts });
	}
	if (system.includes('"compared"')) {
		const [earlier = [], fresh = []] = data.map((text) =>
			text.split('\n').map((line) => line.replace(/^\d+\. (?:\([^)]*\) )?/, '')),
		);
		const compared = fresh.map((text, at) => {
			const same = earlier.findIndex((one) => keyOf(one) === keyOf(text));
			const near = earlier.findIndex((one) => areNear(one, text));
			if (same !== -1) return { new: at + 1, verdict: 'known', earlier: same + 1 };
			return near === -1 ? { new: at + 1, verdict: 'new' } : { new: at + 1, verdict: 'changed', earlier: near + 1 };
		});
		return JSON.stringify({ compared });
	}
	if (system.includes('"quote"')) {
		const texts = statementsOf(data.at(-1) ?? '')
			.map(asQuote)
			.filter(isStatement);
		for (const text of texts.slice(MOST_CLAIMS)) passedOver.add(keyOf(text));
		const claims = texts.slice(0, MOST_CLAIMS).map((text) => ({ text, quote: text, question: 1 }));
		return JSON.stringify({ claims });
	}
	return system.includes('"answered"') ? '{"answered": [], "contradictions": [], "queries": []}' : '';
}

function questionOf(atMs: number, pages: number, history: ResearchHistory | 'none'): ResearchQuestion {
	return {
		...QUESTION,
		query: 'What do the pages say?',
		today: new Date(atMs).toISOString().slice(0, 10),
		timeZone: 'UTC',
		timeLimitMs: 86_400_000,
		maxPages: pages * 2 + 4,
		pagesPerSite: 1000,
		history,
	};
}

/** Researches pages as they were at a time, on a clock that stands still. */
async function visit(
	pages: ReadonlyMap<string, string>,
	atMs: number,
	history: ResearchHistory | 'none',
	passedOver: Set<string>,
) {
	const notes = new Map<string, unknown>();
	const page = (url: string) => ({
		id: url,
		url,
		title: url,
		description: '',
		markdown: pages.get(url) ?? '',
		creditsUsed: 1,
	});
	return await research(questionOf(atMs, pages.size, history), {
		clock: {
			now: () => 0,
			wallClock: () => atMs,
			random: Math.random,
			sleep: async () => await new Promise(() => undefined),
		},
		notes: { read: (step) => notes.get(step), write: (step, entry) => void notes.set(step, entry) },
		search: async () => {
			const results = [...pages.keys()].map((url) => ({ url, title: url, description: '' }));
			return await Promise.resolve({ results, creditsUsed: 2 });
		},
		scrape: async (url) => await Promise.resolve(page(url)),
		readBack: async (_id, url) => await Promise.resolve(page(url)),
		ask: async (request) => await Promise.resolve({ content: answer(request, passedOver) }),
	});
}

/**
 * Pages at several dates (folders `DATE/*.md`): what a run that tells what is new says of each date beside the one
 * before, held against the difference by sentence and row.
 */
export async function measureWeeks(folder: string, rates: Rates): Promise<void> {
	for (const corpus of readdirSync(folder)) {
		const dates = readdirSync(path.join(folder, corpus)).sort();
		let history: ResearchHistory | 'none' = 'none';
		let before = new Map<string, string>();
		for (const [at, date] of dates.entries()) {
			const own = path.join(folder, corpus, date);
			if (!existsSync(own)) continue;
			const pages = new Map(
				readdirSync(own).map((name) => [
					`https://${corpus}.example/${name}`,
					readFileSync(path.join(own, name), 'utf8'),
				]),
			);
			const passedOver = new Set<string>();
			const result: ResearchResult = await visit(pages, Date.parse(date) || at * 7 * DAY_MS, history, passedOver);
			history = JSON.parse(JSON.stringify(result.history)) as ResearchHistory;
			if (at > 0) compare(corpus, { before, now: pages, passedOver }, result, rates);
			before = pages;
		}
	}
}

type Pages = ReadonlyMap<string, string>;

function compare(
	corpus: string,
	{ before, now, passedOver }: { before: Pages; now: Pages; passedOver: ReadonlySet<string> },
	{ news, status }: ResearchResult,
	rates: Rates,
): void {
	if (!news) return;
	const all = (pages: ReadonlyMap<string, string>) =>
		new Set([...pages.values()].flatMap(statementsOf).map(asQuote).filter(isStatement).map(keyOf));
	const [was, is] = [all(before), all(now)];
	for (const { text } of news.new)
		rates.count(corpus, 'told as new, and not there before', !was.has(keyOf(text)), text);
	for (const { before: earlier, now: claim } of news.changed)
		rates.count(
			corpus,
			'told as changed, and different',
			evenOut(earlier.text) !== evenOut(claim.text),
			`${earlier.text} → ${claim.text}`,
		);
	for (const { text } of news.withdrawn)
		rates.count(corpus, 'told as gone, and not there now', !is.has(keyOf(text)), text);
	const told = [...news.new, ...news.changed.map(({ now: claim }) => claim), ...news.before].map(({ text }) =>
		keyOf(text),
	);
	const moved = [...is].filter((key) => !was.has(key) && !passedOver.has(key));
	for (const key of moved) rates.count(corpus, 'new sentences that are told', told.includes(key), key);
	if (moved.length > 0)
		rates.count(corpus, 'dates with news that are not silent', status !== 'unchanged', moved[0] ?? '');
}
