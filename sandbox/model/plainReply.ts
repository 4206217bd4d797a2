import { rankSentences } from '../text/rankSentences.ts';
import { termsOf } from '../text/terms.ts';
import { messageText } from './chatRequest.ts';
import type { ChatMessage } from './chatRequest.ts';

const SENTENCES = 5;
const bounds = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a text, each once. Line ends that JSON has written as `\n` count, too. */
export function sentencesOf(text: string): string[] {
	const lines = text.split(/\\n|[\n\r]+/u);
	const found = lines.flatMap((line) =>
		[...bounds.segment(line)].map(({ segment }) => segment.trim()),
	);
	return [...new Set(found.filter((sentence) => /\p{L}.*\s.*\p{L}/u.test(sentence)))];
}

/**
 * A reply to any conversation: the sentences of what it holds besides the latest question that have most of the
 * question's words in them, in the order of their worth. Says so when there are none.
 */
export function plainReply(messages: readonly ChatMessage[]): string {
	const asked = messages.findLastIndex(({ role }) => role === 'user');
	const question = messages[asked];
	const others = messages.filter((message, index) => index !== asked && message.role !== 'system');
	const wanted = termsOf(question ? messageText(question) : '');
	const page = { url: '', title: '', description: '', icon: '', links: [] };
	const known = [
		...others.map(messageText),
		...(others.length === 0 && question ? [messageText(question)] : []),
	];
	const sentences = known.flatMap(sentencesOf);
	const found = rankSentences([{ ...page, sentences }], wanted).filter(({ score }) => score > 0);
	if (found.length === 0) {
		const [told] = messages.filter(({ role }) => role === 'tool').slice(-1);
		const first = told ? sentencesOf(messageText(told)).slice(0, SENTENCES).join(' ') : '';
		return first === '' ? 'I know nothing about that.' : `This is what was found: ${first}`;
	}
	return found
		.slice(0, SENTENCES)
		.map(({ text }) => text)
		.join(' ');
}
