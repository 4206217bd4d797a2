import { messageText } from '../chatRequest.ts';
import type { ChatMessage } from '../chatRequest.ts';

/** A line that begins with a number: `3. …`, `[3] …` or, where several say the same, `[3][7] …`. */
export interface NumberedLine {
	number: number;
	/** All of its numbers, the first among them. */
	numbers: number[];
	text: string;
}

/** What a prompt carries: the model reads nothing else of it. */
export interface PromptParts {
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
export function numberedLines(text: string): NumberedLine[] {
	return text.split('\n').flatMap((line) => {
		const [, before = '', said = ''] = NUMBERED.exec(line) ?? [];
		const numbers = [...before.matchAll(/\d+/g)].map(([digits]) => Number(digits));
		const [number] = numbers;
		return number === undefined ? [] : [{ number, numbers, text: said.trim() }];
	});
}

/** Reads a conversation as a prompt: instructions, a question with its parts, and data between marks. */
export function promptParts(messages: readonly ChatMessage[]): PromptParts {
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
