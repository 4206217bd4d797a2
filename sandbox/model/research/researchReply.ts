import { fillSchema } from '../../text/fillSchema.ts';
import { termsOf } from '../../text/terms.ts';
import type { ChatMessage } from '../chatRequest.ts';
import { judgePairs } from './judgePairs.ts';
import { judgeClaims } from './judgeClaims.ts';
import { pickClaims } from './pickClaims.ts';
import { numberedLines, promptParts } from './promptParts.ts';
import type { NumberedLine, PromptParts } from './promptParts.ts';

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
		labels: { notFound: 'Not found', contradictions: 'Contradictions' },
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
	return fillSchema(objectIn(parts.user), findings);
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
	if (system.includes('"verdicts"')) return JSON.stringify(judgePairs(parts.data));
	if (system.includes('"answered"'))
		return JSON.stringify(judgeClaims(parts.questions, claimsOf(parts)));
	if (system.includes('"quote"')) {
		// Of a repair, the last data are the passages; the claims before them are no text of the page.
		const data = /passages?/i.test(parts.user) ? parts.data.slice(-1) : parts.data;
		return JSON.stringify({ claims: pickClaims({ ...parts, data }) });
	}
	if (system.includes('meant to be JSON')) return JSON.stringify(mended(parts));
	if (system.includes('fill a JSON object')) return JSON.stringify(filled(parts));
	return system.includes('numbered claims') ? report(parts) : undefined;
}
