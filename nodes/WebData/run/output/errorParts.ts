/** Longest title: n8n shows it in one or two lines. */
const MAX_CHARACTERS = 140;

/**
 * A message as n8n shows an error: a short title, which says what happened, and a description with all
 * the rest. A failure with a title of its own has its whole message below it; of any other, the title is
 * the beginning of the message, up to the reason that follows a colon, or its first sentence where the
 * colon is part of what went wrong (`badInput` names fields in quotes).
 */
export function inTwoParts(
	{ title, kind }: { title?: string; kind: string },
	message: string,
): { title: string; description: string } {
	if (title !== undefined) {
		const isRepeated = message.startsWith(title);
		const rest = isRepeated ? message.slice(title.length).replace(/^[:.\s]+/, '') : message;
		return { title, description: capitalized(rest) };
	}
	const end = kind === 'badInput' ? /[.!?](?=\s)/ : /[.!?:](?=\s)/;
	const at = end.exec(message)?.index ?? message.length;
	const first = message.slice(0, at);
	const rest = message.slice(at + 1).trim();
	if (first.length > MAX_CHARACTERS || rest === '') return { title: message, description: '' };
	return { title: first, description: capitalized(rest) };
}

/** With a capital, where it begins with a word: codes, names of options and addresses stay as they are. */
function capitalized(text: string): string {
	const isWord = /^\p{Ll}[\p{Ll}'’-]*[,;.!?]?(\s|$)/u.test(text);
	if (!isWord) return text;
	return text.charAt(0).toUpperCase() + text.slice(1);
}
