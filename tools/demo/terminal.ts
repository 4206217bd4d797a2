import { styleText } from 'node:util';

const WIDTH = 80;

/** Each line of a text in lines of at most 80 characters, cut between words; what is longer by itself stays whole. */
export function wrapped(text: string, width = WIDTH): string {
	return text
		.split('\n')
		.map((line) => wrapLine(line, width))
		.join('\n');
}

/** The further lines of a list's entry stand under its text. */
function wrapLine(line: string, width: number): string {
	if (line.length <= width) return line;
	const [begin = '', indent = '', sign = ''] = /^(\s*)([-*] |\d+\. )?/.exec(line) ?? [];
	const further = ' '.repeat(indent.length + sign.length);
	const lines: string[] = [];
	let current = begin;
	let isEmpty = true;
	for (const word of line.slice(begin.length).split(/ +/)) {
		if (!isEmpty && current.length + 1 + word.length > width) {
			lines.push(current);
			current = further;
			isEmpty = true;
		}
		current += isEmpty ? word : ` ${word}`;
		isEmpty = false;
	}
	return [...lines, current].join('\n');
}

type Look = Parameters<typeof styleText>[0];

/** In colour where this stream is a terminal and nobody has said NO_COLOR. */
export function styled(stream: NodeJS.WriteStream, look: Look, text: string): string {
	return styleText(look, text, { stream });
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;

/**
 * Shows on a terminal that something is waited for, and for how long, until what it returns is called. Nothing
 * elsewhere, and nothing in CI.
 */
export function showWaiting(stream: NodeJS.WriteStream, what: string): () => void {
	if (!stream.isTTY || process.env.CI !== undefined) return () => undefined;
	const began = Date.now();
	let frame = 0;
	const timer = setInterval(() => {
		const seconds = Math.floor((Date.now() - began) / 1000);
		const sign = styled(stream, 'cyan', FRAMES[frame++ % FRAMES.length] ?? '');
		stream.write(`\r${sign} ${what}, ${seconds} s`);
	}, FRAME_MS);
	return () => {
		clearInterval(timer);
		stream.write('\r\u001b[K');
	};
}
