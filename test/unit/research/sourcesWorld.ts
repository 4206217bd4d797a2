/**
 * Made corpora of thirty results: official pages, old ones, reports, one story on eight sites, and sites that call themselves
 * official to be read; and pages that contradict each other, beside neighbours that do not.
 */
import { research } from '../../../nodes/research/research';
import type { ModelRequest, ResearchParts, SearchResult } from '../../../nodes/research/contract/parts';
import { Chance } from '../chance.ts';
import { QUESTION, World, dataIn } from './world.ts';

export const MOST_PAGES = 8;

type Kind = 'official' | 'officialOld' | 'study' | 'news' | 'newsOld' | 'copy' | 'spam';

interface MadeResult extends SearchResult {
	kind: Kind;
	text: string;
}

const OPENINGS = ['Riders say', 'Last week', 'In the town', 'For many years', 'According to plans', 'On most days'];
const THINGS = ['the bridges', 'the harbour', 'the parking places', 'the batteries', 'the docks', 'the winter service'];
const ENDS = [
	'are seen as a reason to wait',
	'were discussed at length',
	'have been improved a lot',
	'cost more than planned',
];

/** Long sentences of a page of its own. */
function prose(chance: Chance, name: string): string {
	return Array.from({ length: 9 }, () => {
		const [start, thing, end] = [chance.oneOf(...OPENINGS), chance.oneOf(...THINGS), chance.oneOf(...ENDS)];
		return `${start} of ${chance.word()} and ${chance.word()}, ${thing} of ${name} ${end} by ${chance.word()} people.`;
	}).join('\n\n');
}

/** Thirty results on one question, in the order in which a search gives them. */
function corpus(chance: Chance): { query: string; results: MadeResult[] } {
	const name = `${chance.word()}${chance.word()}`.replace(/^./, (first) => first.toUpperCase());
	const low = name.toLowerCase();
	const [now, old, made] = [chance.integer(20, 40), chance.integer(41, 60), chance.integer(5, 15)];
	const results: MadeResult[] = [];
	const add = (kind: Kind, host: string, title: string, cents: number, date = '', text = prose(chance, name)) => {
		const isCalled = kind === 'spam' || kind === 'copy' ? 'Official: ' : '';
		const url = `https://${host}.example/${chance.word()}`;
		const fact = `A ride with ${name} costs ${cents} cents a minute.`;
		const day = date === '' ? {} : { date };
		results.push({
			kind,
			url,
			title: isCalled + title,
			description: `${name}: ${title}`,
			...day,
			text: `${text}\n\n${fact}`,
		});
	};
	add('official', low, `Prices of ${name} from 2026`, now, '2026-02-01');
	add('officialOld', low, `Prices of ${name} in 2022`, old, '2022-03-01');
	add('official', `authority-of-transport-${chance.word()}`, `Tariffs of rental scooters, ${name}`, now, '2026-01-15');
	add('study', `university-${chance.word()}`, `A study of ${name} in five towns`, now, '2025-11-01');
	for (let at = 0; at < 3; at += 1)
		add('news', `daily-${chance.word()}`, `${name} changes: ${chance.word()}`, now, `2026-01-2${at}`);
	for (let at = 0; at < 3; at += 1)
		add('newsOld', `daily-${chance.word()}`, `${name} in ${2020 + at}: ${chance.word()}`, old, `${2020 + at}-05-01`);
	const story = prose(chance, name);
	for (let at = 0; at < 8; at += 1) {
		add(
			'copy',
			`wire-${chance.word()}`,
			at % 2 === 0 ? `${name} raises its prices in spring this year` : `News of ${name}: ${chance.word()}`,
			now,
			'2025-12-01',
			story,
		);
	}
	for (let at = 0; at < 12; at += 1)
		add('spam', `best-${low}-deals-${at}`, `${name} prices, deals and codes ${chance.word()}`, made);
	const rank = new Map(
		results.map((one) => [
			one,
			(one.kind === 'spam' ? 0 : one.kind === 'copy' ? 0.3 : 0.5) + chance.integer(0, 100) / 80,
		]),
	);
	results.sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
	return { query: `What does a ride with ${name} cost?`, results };
}

/** The numbered results as the model sees them. */
const shownIn = (request: ModelRequest) =>
	(dataIn(request)[0] ?? '').split('\n').map((line, at) => ({ number: at + 1, line }));

const answer = (numbers: readonly number[]) => JSON.stringify({ results: numbers });

/** How models choose. */
export const CHOOSERS: Record<string, (request: ModelRequest) => string> = {
	'by site and day': (request) => {
		const worth = (line: string) => {
			const [host = ''] = line.replace(/^\d+\. /, '').split(' · ');
			if (/^best-|deals/.test(host)) return 0;
			const day = /20\d\d/.exec(line)?.[0] ?? '2000';
			const kind =
				/authority|university/.test(host) || !/^(?:daily|wire)-/.test(host)
					? 3000
					: host.startsWith('daily')
						? 2000
						: 1000;
			return kind + Number(day) - 2000;
		};
		const ranked = shownIn(request).sort((one, other) => worth(other.line) - worth(one.line));
		return answer(ranked.map(({ number }) => number));
	},
	'by titles': (request) => {
		const ranked = shownIn(request).sort(
			(one, other) => Number(other.line.includes('Official')) - Number(one.line.includes('Official')),
		);
		return answer(ranked.map(({ number }) => number));
	},
	adversary: (request) =>
		answer(
			shownIn(request)
				.filter(({ line }) => line.includes('best-'))
				.map(({ number }) => number),
		),
	'no answer': () => 'I cannot choose.',
};

export interface Table {
	official: number;
	newest: number;
	copies: number;
	spam: number;
	tokens: number;
	credits: number;
}

/** The shares of a chooser, on average over the questions of these seeds. */
export async function measured(chooser: string, seeds: readonly number[], questions: number): Promise<Table> {
	const sum: Table = { official: 0, newest: 0, copies: 0, spam: 0, tokens: 0, credits: 0 };
	let count = 0;
	for (const seed of seeds) {
		const chance = new Chance(seed);
		for (let number = 0; number < questions; number += 1) {
			const { query, results } = corpus(chance);
			const pages = Object.fromEntries(results.map(({ url, text }) => [url, text]));
			const world = new World(pages, { chooseResults: CHOOSERS[chooser] ?? (() => '') } as never);
			const { parts } = world;
			const shown = results.map(({ url, title, description, date }) => ({
				url,
				title,
				description,
				...(date !== undefined && { date }),
			}));
			const search: ResearchParts['search'] = async (text) => {
				const { creditsUsed } = await parts.search(text);
				return { results: shown, creditsUsed };
			};
			const found = await world.clock.until(
				research({ ...QUESTION, query, maxPages: MOST_PAGES }, { ...parts, search }),
			);
			const kinds = new Map(results.map(({ url, kind }) => [url, kind]));
			const cited = found.sources.map(({ url }) => kinds.get(url));
			const of = (...wanted: Kind[]) => cited.filter((kind) => kind !== undefined && wanted.includes(kind)).length;
			sum.official += of('official') / 2;
			sum.newest += of('official', 'study', 'news', 'copy') / Math.max(1, cited.length);
			sum.copies += Math.max(0, of('copy') - 1);
			sum.spam += of('spam');
			sum.tokens += found.usage.inputTokens + found.usage.outputTokens;
			sum.credits += found.usage.creditsUsed;
			count += 1;
		}
	}
	return Object.fromEntries(Object.entries(sum).map(([name, value]) => [name, value / count])) as unknown as Table;
}

/** A statement on one page and another one on a second page that cannot be true beside it, and neighbours that can. */
export function conflictPages(chance: Chance): { query: string; pages: Record<string, string> } {
	const [name, other] = [chance.word(), chance.word()].map((word) =>
		`${word}${chance.word()}`.replace(/^./, (first) => first.toUpperCase()),
	);
	const [now, before] = [chance.integer(10, 40), chance.integer(41, 80)];
	const say = chance.oneOf(
		(who = '', amount = 0) => `A ride with ${who} costs ${amount} cents a minute in the town.`,
		(who = '', amount = 0) => `The company ${who} has ${amount} people in its head office.`,
		(who = '', amount = 0) => `The smallest plan of ${who} costs ${amount} euros a month for one user.`,
	);
	return {
		query: `What is known of ${name}?`,
		pages: {
			'https://one.example/': `${say(name, now)}\n\nThe shop of ${name} opens at 9 in the morning.`,
			'https://two.example/': say(name, before),
			// Another firm, another year, the same again.
			'https://three.example/': `${say(other, before + 7)}\n\nIn 2021 ${say(name, before + 3).replace(/^./, (first) => first.toLowerCase())}`,
			'https://four.example/': `In 2024 ${say(name, now + 1).replace(/^./, (first) => first.toLowerCase())}\n\n${say(name, now)}`,
		},
	};
}

export const JUDGES: Record<string, (statement: string, passage: string) => string> = {
	// By names and years, not by the truth: it sees the pair alone.
	honest: (statement, passage) => {
		const words = (text: string) => new Set(text.toLowerCase().match(/\p{L}{2,}/gu) ?? []);
		const numbers = (text: string) => (text.match(/\d+/g) ?? []).filter((one) => one.length < 4).join();
		const years = (text: string) => (text.match(/20\d\d/g) ?? []).join();
		const [own, held] = [words(statement), words(passage)];
		const isSame = [...own].every((word) => held.has(word)) && years(statement) === years(passage);
		if (!isSame) return 'not stated';
		return numbers(statement) === numbers(passage) ? 'supported' : 'contradicted';
	},
	'contradicted to all': (statement, passage) => (statement === passage ? 'supported' : 'contradicted'),
	'supported to all': () => 'supported',
};
