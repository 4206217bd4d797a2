import { fillSchema } from '../text/fillSchema.ts';
import { termsOf } from '../text/rankSentences.ts';
import { messageText } from './chatRequest.ts';
import type { ChatMessage } from './chatRequest.ts';
import { pickCells, pickLinks, pickResults } from './rowReply.ts';

const MAX_QUESTIONS = 6;
const MAX_QUERIES = 4;
const MAX_SENTENCES = 40;

/** The parts of a question that can be asked by themselves. */
function subQuestionsOf(question: string): string[] {
	const parts = question
		.split(/[?;]|,?\s+(?:and|und|et|y)\s+(?=(?:how|what|when|where|which|who|why|was|wie)\b)/i)
		.map((part) => part.trim().replace(/[.?!]+$/, ''))
		.filter((part) => termsOf(part).length > 1)
		.slice(0, MAX_QUESTIONS);
	return parts.length === 0 ? [question] : parts.map((part) => `${part}?`);
}

function plan({ question }: PromptParts): unknown {
	const subQuestions = subQuestionsOf(question);
	const queries = [question, ...subQuestions].map((text) => [...new Set(termsOf(text))].join(' '));
	return {
		language: 'en',
		subQuestions,
		queries: [...new Set(queries)].filter(Boolean).slice(0, MAX_QUERIES),
		labels: {},
	};
}

/** The claims of a prompt: numbered lines between marks, or behind the questions where there are no marks. */
function claimsOf({ data, questions }: PromptParts): NumberedLine[] {
	const [claims] = data;
	return claims === undefined ? questions : numberedLines(claims);
}

/** One sentence a claim, with the numbers of all claims that say the same. */
function report(parts: PromptParts): string {
	const numbers = new Map<string, number[]>();
	for (const { numbers: cited, text } of claimsOf(parts)) {
		const sentence = text.replace(/[.\s]+$/, '');
		numbers.set(sentence, [...(numbers.get(sentence) ?? []), ...cited]);
	}
	return [...numbers]
		.slice(0, MAX_SENTENCES)
		.map(([sentence, cited]) => `${sentence} ${cited.map((number) => `[${number}]`).join('')}.`)
		.join(' ');
}

/** The first claim, without what it says of earlier days. */
function lead(parts: PromptParts): string {
	const [first] = claimsOf(parts);
	return first ? `${first.text.replace(/ \(\d{4}-.*$/, '').replace(/[.\s]+$/, '')} [${first.number}].` : '';
}

/** The first JSON object in a text. */
function objectIn(text: string): unknown {
	const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')];
	try {
		return JSON.parse(text.slice(first, last + 1));
	} catch {
		return undefined;
	}
}

function filled(parts: PromptParts): unknown {
	const findings = claimsOf(parts).map(({ number, text }) => ({
		text,
		url: '',
		title: text,
		sourceNumber: number,
		score: 1,
	}));
	const json = fillSchema(objectIn(parts.user), findings);
	return { json, claims: claimsOfValues(json, '', claimsOf(parts)), others: {} };
}

/** By the path of each value, the numbers of the claims whose text has it. */
function claimsOfValues(value: unknown, path: string, claims: readonly NumberedLine[]): Record<string, number[]> {
	if (typeof value === 'object' && value !== null) {
		const isList = Array.isArray(value);
		const inner = Object.entries(value).map(([key, one]) => {
			const place = isList ? `${path}[${key}]` : [path, key].filter(Boolean).join('.');
			return claimsOfValues(one, place, claims);
		});
		return Object.assign({}, ...inner);
	}
	const wanted = String(value).toLowerCase();
	const saying = claims.filter(({ text }) =>
		text.toLowerCase().replaceAll(',', '').includes(wanted.replaceAll(',', '')),
	);
	return wanted === '' || saying.length === 0 ? {} : { [path]: saying.flatMap(({ numbers }) => numbers) };
}

/** What was cut off, up to the last object that is complete. */
function mended({ data }: PromptParts): unknown {
	const [text = ''] = data;
	const whole = objectIn(text);
	if (whole !== undefined) return whole;
	const objects = text.match(/\{[^{}]*\}/g) ?? [];
	return { claims: objects.map(objectIn).filter((one) => one !== undefined) };
}

/**
 * The reply to a prompt of Web Research; undefined for any other. Which task it is shows in the form of the answer
 * that the instructions ask for; everything else comes from the data that the prompt carries.
 */
export function researchReply(messages: readonly ChatMessage[]): string | undefined {
	const parts = promptParts(messages);
	const { system } = parts;
	if (system.includes('"subQuestions"')) return JSON.stringify(plan(parts));
	if (system.includes('"compared"')) return JSON.stringify({ compared: compareStatements(parts.data) });
	if (system.includes('"verdicts"')) return JSON.stringify(judgePairs(parts.data));
	if (system.includes('"answered"')) return JSON.stringify(judgeClaims(parts.questions, claimsOf(parts)));
	if (system.includes('"cells"')) {
		const [page = ''] = parts.data;
		return JSON.stringify({ cells: pickCells(parts.user, parts.data.join('\n'), sentencesOf(page)) });
	}
	if (system.includes('"found"')) return JSON.stringify({ found: findSentences(parts.data) });
	if (system.includes('{"pages"')) return JSON.stringify({ pages: pickLinks(parts.user, parts.data.join('\n')) });
	if (system.includes('{"results"'))
		return JSON.stringify({ results: pickResults(parts.question, parts.data.join('\n')) });
	if (system.includes('"quote"')) {
		// Of a repair, the last data are the passages; the claims before them are no text of the page.
		const data = /passages?/i.test(parts.user) ? parts.data.slice(-1) : parts.data;
		return JSON.stringify({ claims: pickClaims({ ...parts, data }) });
	}
	if (system.includes('meant to be JSON')) return JSON.stringify(mended(parts));
	if (system.includes('fill a JSON object')) return JSON.stringify(filled(parts));
	// It has named all that it can.
	if (system.includes('values by their paths')) return '{"claims": {}}';
	if (system.includes('first sentence of a brief')) return lead(parts);
	return system.includes('numbered claims') ? report(parts) : undefined;
}

/** A line that begins with a number: `3. …`, `[3] …` or, where several say the same, `[3][7] …`. */
interface NumberedLine {
	number: number;
	/** All of its numbers, the first among them. */
	numbers: number[];
	text: string;
}

/** What a prompt carries: the model reads nothing else of it. */
interface PromptParts {
	system: string;
	/** What the user message says outside the marks. */
	user: string;
	/** The question, and its numbered parts. */
	question: string;
	questions: NumberedLine[];
	/** What stands between two lines that are the same mark, in order. */
	data: string[];
}

const MARK = /^={3,}[a-z0-9]+={3,}$/i;
const NUMBERED = /^\s*((?:\[\d{1,4}\])+|\d{1,4}[.)])\s+(.+)$/;
const QUESTION = /^(?:the )?question:\s*(.+)$/im;

/** Splits a text into what stands between marks and what does not. */
function splitAtMarks(text: string): { outside: string; data: string[] } {
	const outside: string[] = [];
	const data: string[] = [];
	let mark = '';
	let inside: string[] = [];
	for (const line of text.split('\n')) {
		if (mark === '' && MARK.test(line.trim())) {
			mark = line.trim();
			inside = [];
		} else if (mark !== '' && line.trim() === mark) {
			data.push(inside.join('\n'));
			mark = '';
		} else (mark === '' ? outside : inside).push(line);
	}
	// A mark that is never closed holds data to the end.
	if (mark !== '') data.push(inside.join('\n'));
	return { outside: outside.join('\n'), data };
}

/** The numbered lines of a text. */
function numberedLines(text: string): NumberedLine[] {
	return text.split('\n').flatMap((line) => {
		const [, before = '', said = ''] = NUMBERED.exec(line) ?? [];
		const numbers = [...before.matchAll(/\d+/g)].map(([digits]) => Number(digits));
		const [number] = numbers;
		return number === undefined ? [] : [{ number, numbers, text: said.trim() }];
	});
}

/** Reads a conversation as a prompt: instructions, a question with its parts, and data between marks. */
function promptParts(messages: readonly ChatMessage[]): PromptParts {
	const of = (...roles: string[]) =>
		messages
			.filter(({ role }) => roles.includes(role))
			.map(messageText)
			.join('\n');
	const { outside, data } = splitAtMarks(of('user'));
	const questions = numberedLines(outside);
	const first = outside.split('\n').find((line) => line.trim() !== '') ?? '';
	return {
		system: of('system', 'developer'),
		user: outside,
		question: (QUESTION.exec(outside)?.[1] ?? first).trim(),
		questions,
		data,
	};
}

/** A statement of a page, with the words that say so. */
interface PickedClaim {
	text: string;
	quote: string;
	/** Number of the question that it answers. */
	question: number;
}

const LONGEST_QUOTE = 300;
const MAX_CLAIMS = 8;
/** So many words of a question, or this share of them, make a sentence an answer. */
const ENOUGH_WORDS = 2;
const ENOUGH_SHARE = 0.34;

const bounds = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a page as they stand in it: headings, lists and table rows are lines of their own. */
function sentencesOf(page: string): string[] {
	const lines = page.split('\n');
	return lines
		.filter((line, index) => {
			const isUnderlined = /^\s*(=+|-+)\s*$/.test(lines[index + 1] ?? '');
			return !isUnderlined && !/^\s*(#|!\[|\|?\s*-{3,})/.test(line);
		})
		.flatMap((line) => [...bounds.segment(line.replace(/^\s*(?:[-*+>]|\d+\.)\s+/, ''))])
		.map(({ segment }) => segment.trim())
		.filter((sentence) => /\p{L}{2,}.*\s.*\p{L}{2,}/u.test(sentence));
}

/** A sentence without the marks of Markdown, as a person would say it. */
function plain(sentence: string): string {
	return sentence
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/[*_`]+/g, '')
		.replace(/\s+/g, ' ')
		.trim();
}

function beginning(sentence: string): string {
	if (sentence.length <= LONGEST_QUOTE) return sentence;
	return sentence.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, '');
}

/** How well a sentence answers a question: the words of it that it has, 0 when they are too few. */
function worth(terms: ReadonlySet<string>, wanted: readonly string[]): number {
	const shared = new Set(wanted.filter((term) => terms.has(term))).size;
	const isEnough = shared >= ENOUGH_WORDS || shared / Math.max(1, wanted.length) >= ENOUGH_SHARE;
	return isEnough ? shared : 0;
}

/** The sentences of the data that have most of the questions' words in them, in their order on the page. */
function pickClaims({ question, questions, data }: PromptParts): PickedClaim[] {
	const asked = questions.length > 0 ? questions : [{ number: 1, numbers: [1], text: question }];
	const wanted = asked.map(({ number, text }) => ({ number, terms: termsOf(text) }));
	const whole = termsOf(question);
	const found = sentencesOf(data.join('\n')).map((sentence) => {
		const terms = new Set(termsOf(sentence));
		const [best] = wanted
			.map(({ number, terms: words }) => ({ number, score: worth(terms, words) }))
			.sort((left, right) => right.score - left.score);
		const score = Math.max(best?.score ?? 0, worth(terms, whole)) + (/\d/.test(sentence) ? 0.5 : 0);
		return { sentence, score, number: best?.number ?? 1 };
	});
	const bar = [...found].sort((left, right) => right.score - left.score)[MAX_CLAIMS - 1]?.score ?? 0;
	return found
		.filter(({ score }) => score >= Math.max(1, bar))
		.slice(0, MAX_CLAIMS)
		.map(({ sentence, number }) => {
			const quote = beginning(sentence);
			return { text: plain(quote), quote, question: number };
		});
}

const MAX_FURTHER_QUERIES = 3;
/** Two claims that share so many of their words are about the same. */
const SAME_SHARE = 0.7;

function wordsOf(text: string): string[] {
	return [...new Set(termsOf(text))].filter((term) => !/\d/.test(term));
}

function figuresOf(text: string): Set<string> {
	return new Set(text.match(/\d[\d.,]*\d|\d/g) ?? []);
}

/** True for claims with the same words, whatever their figures are. */
function areAboutTheSame(left: string, right: string): boolean {
	const [one, other] = [wordsOf(left), wordsOf(right)];
	const shared = one.filter((word) => other.includes(word)).length;
	return shared / Math.max(1, one.length, other.length) >= SAME_SHARE;
}

/** True for claims with the same words and other figures. */
function areOpposed(left: string, right: string): boolean {
	if (!areAboutTheSame(left, right)) return false;
	const [figures, others] = [figuresOf(left), figuresOf(right)];
	if (figures.size === 0 || others.size === 0) return false;
	return ![...figures].some((figure) => others.has(figure));
}

/** Which questions the claims answer, which of them cannot all be true, and what to search for next. */
function judgeClaims(
	questions: readonly NumberedLine[],
	claims: readonly NumberedLine[],
): { answered: object[]; contradictions: number[][]; queries: string[] } {
	const judged = questions.map(({ number, text }) => {
		const wanted = wordsOf(text);
		const fitting = claims.filter((claim) => {
			const words = wordsOf(claim.text);
			const shared = wanted.filter((word) => words.includes(word)).length;
			return shared >= Math.min(ENOUGH_WORDS, wanted.length);
		});
		return { number, text, claims: fitting.map((claim) => claim.number) };
	});
	const answered = judged.filter((one) => one.claims.length > 0);
	const open = judged.filter((one) => one.claims.length === 0);
	const contradictions = claims.flatMap((left, index) =>
		claims
			.slice(index + 1)
			.filter((right) => areOpposed(left.text, right.text))
			.map((right) => [left.number, right.number]),
	);
	return {
		answered: answered.map((one) => ({ question: one.number, claims: one.claims })),
		contradictions,
		queries: open.slice(0, MAX_FURTHER_QUERIES).map(({ text }) => wordsOf(text).join(' ')),
	};
}

/** Which new statements an earlier one says already, and which of them it says with other figures. */
function compareStatements([earlier = '', fresh = '']: readonly string[]): object[] {
	const known = numberedLines(earlier).map(({ number, text }) => ({ number, text: text.replace(/^\([\d-]+\) /, '') }));
	return numberedLines(fresh).map(({ number, text }) => {
		const near = known.filter((one) => areAboutTheSame(one.text, text));
		const same = near.find((one) => !areOpposed(one.text, text));
		const [other] = near;
		if (same) return { new: number, verdict: 'known', earlier: same.number };
		return other ? { new: number, verdict: 'changed', earlier: other.number } : { new: number, verdict: 'new' };
	});
}

/** Of each sentence, the one of the page that shares most of its words. */
function findSentences([asked = '', page = '']: readonly string[]): object[] {
	const held = sentencesOf(page);
	return numberedLines(asked).flatMap(({ number, text }) => {
		const wanted = [...new Set(termsOf(text))];
		const [best] = held
			.map((sentence) => ({ sentence, shared: wanted.filter((term) => termsOf(sentence).includes(term)).length }))
			.sort((one, other) => other.shared - one.shared);
		const isEnough = best !== undefined && best.shared >= Math.max(ENOUGH_WORDS, wanted.length / 3);
		return isEnough ? [{ sentence: number, quote: beginning(best.sentence) }] : [];
	});
}

type Verdict = 'supported' | 'contradicted' | 'not stated' | 'no statement';

/** So many of a statement's words must stand in its passage. */
const ENOUGH_SHARE_OF_PAIR = 0.6;

/** Words that turn a statement around, in the languages of the sandbox's pages. */
const NEGATION =
	/(?<!\p{L})(?:no|not|never|none|neither|nobody|nothing|without|cannot|\p{L}+n['’]t|nichts?|niemand|kein\p{L}*|nie|ohne|pas|jamais|personne|rien|aucune?|nunca|sin)(?!\p{L})/giu;

/** A pair in the data of a prompt: `3. Statement: …` or `3. Heading: …`, for some whose `Page: …` it is, `Passage: …`, and whether that names the subject. */
const PAIR = /^(\d+)\. (Statement|Heading): (.*)(?:\nPage: .*)?\nPassage: (.*)(\nNote: the page does not name .*)?$/gm;

/**
 * Judges pairs of statement and passage by the words they share and by their negations. It is no language model: it
 * does not know who does what to whom.
 */
function judgePairs(data: readonly string[]): {
	verdicts: Array<{ pair: number; verdict: Verdict; sentence?: number }>;
} {
	const pairs = [...data.join('\n').matchAll(PAIR)];
	return {
		verdicts: pairs.map(([, number, kind, statement = '', passage = '', unnamed]) => {
			if (statement.includes(' · ')) {
				const verdict = unnamed === undefined ? judgeValue(statement, passage) : 'not stated';
				return { pair: Number(number), verdict };
			}
			const sentences = passage.split(/(?:^| )\(\d+\) /).filter((one) => one !== '');
			const isNumbered = passage.startsWith('(1) ');
			const against = isNumbered ? sentences.findIndex((one) => areOpposed(statement, one)) : -1;
			const isSaid = sentences.some((one) => areAboutTheSame(statement, one) && !areOpposed(statement, one));
			if (against !== -1 && !isSaid) return { pair: Number(number), verdict: 'contradicted', sentence: against + 1 };
			const verdict = kind === 'Heading' ? judgeTitle(statement, passage) : judgeOne(statement, passage);
			return { pair: Number(number), verdict };
		}),
	};
}

/** Of a subject, its field and a value: whether the passage has the words of the value. */
function judgeValue(statement: string, passage: string): Verdict {
	const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	const said = new Set(words(passage));
	const value = statement.split(' · ').at(-1) ?? '';
	if (value === 'yes' || value === 'no') {
		const field = termsOf(statement.split(' · ').slice(1, -1).join(' ').replace(/[_-]/g, ' '));
		const isAbout = termsOf(passage).some((term) => field.includes(term));
		return isAbout && (passage.match(NEGATION) !== null) === (value === 'no') ? 'supported' : 'not stated';
	}
	// A currency may be a sign.
	const wanted = words(value.replace(/(?<=\d) [A-Z]{3}$/, ''));
	return wanted.every((word) => said.has(word)) ? 'supported' : 'not stated';
}

/** Verbs that make a few words a statement, in the languages of the sandbox's pages. */
const VERB =
	/(?<!\p{L})(?:is|are|was|were|has|have|had|may|must|should|will|can|costs?|ends?|lost|sold|ist|sind|war|wird|wurden?|hat|haben|darf|sollten?|kostet|endet|meldet|est|sont|était|ont|peut|faut|coûte|disparaît|vendus?)(?!\p{L})/iu;

/** A few words without a verb name a subject; any other title must be said by one sentence of its passage, word for word. */
function judgeTitle(title: string, passage: string): Verdict {
	const wanted = [...new Set(termsOf(title))];
	if (wanted.length <= 3 && !VERB.test(title)) return 'no statement';
	const nearest = nearestIn(passage, wanted);
	const held = new Set(termsOf(nearest));
	return wanted.every((word) => held.has(word)) ? judgeOne(title, nearest) : 'not stated';
}

/** Of a passage, the sentence that shares most words with these. */
function nearestIn(passage: string, wanted: readonly string[]): string {
	const [nearest = passage] = passage
		.split(/(?<=[.!?])\s+/)
		.map((sentence) => {
			const words = new Set(termsOf(sentence));
			return { sentence, score: wanted.filter((word) => words.has(word)).length };
		})
		.sort((one, other) => other.score - one.score)
		.map(({ sentence }) => sentence);
	return nearest;
}

function judgeOne(statement: string, passage: string): Verdict {
	const held = new Set(termsOf(passage));
	const wanted = [...new Set(termsOf(statement))];
	const shared = wanted.filter((word) => held.has(word)).length;
	if (wanted.length === 0 || shared / wanted.length < ENOUGH_SHARE_OF_PAIR) return 'not stated';
	const denies = (statement.match(NEGATION) ?? []).length > 0;
	const nearest = nearestIn(passage, wanted);
	const isDenied = (nearest.match(NEGATION) ?? []).length > 0;
	return denies === isDenied ? 'supported' : 'contradicted';
}
