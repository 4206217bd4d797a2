/**
 * A text without the comments and the elements of HTML that nobody sees on a page. In code, behind a backslash, and where
 * its end never comes, such a mark is text: else whoever mentions one would hide all that follows. Linear.
 */
export function withoutHidden(
	markdown: string,
	elements: readonly string[],
	left = '',
): { text: string; removed: number } {
	const marks = new RegExp(
		`\\\\[<\`]|<!--|<(${elements.join('|')})(?=[\\s/>])|(?<=^|\\n) {0,3}(\`{3,20}(?!\`)|~{3,20}(?!~))|\`+`,
		'gi',
	);
	const ends = new Ends(markdown);
	const kept: string[] = [];
	let from = 0;
	for (let mark = marks.exec(markdown); mark; mark = marks.exec(markdown)) {
		const [found, element, fence] = mark;
		const behind = marks.lastIndex;
		if (found.startsWith('\\')) continue;
		if (fence !== undefined) {
			// A block of code that never ends goes on to the end.
			marks.lastIndex = ends.ofFence(fence, behind) ?? markdown.length;
			continue;
		}
		if (found.startsWith('`')) {
			marks.lastIndex = ends.ofCode(found.length, behind) ?? behind;
			continue;
		}
		const end = element === undefined ? ends.ofComment(behind) : ends.ofElement(element.toLowerCase(), behind);
		if (end === undefined) continue;
		kept.push(markdown.slice(from, mark.index));
		from = end;
		marks.lastIndex = end;
	}
	return { text: [...kept, markdown.slice(from)].join(left), removed: kept.length };
}

/** Where marks end in a text. What has no end behind one place has none behind a later one, and is not looked for again. */
class Ends {
	private readonly none = new Set<string>();

	/** Runs of backticks by their length, the last first. */
	private runs: Map<number, number[]> | undefined;

	/** The next blank line behind the latest place that was asked about. */
	private blank = -1;

	constructor(private readonly text: string) {}

	ofComment(from: number): number | undefined {
		return this.find('-->', /-->/g, from);
	}

	ofElement(name: string, from: number): number | undefined {
		return this.find(name, new RegExp(`</${name}\\s*>`, 'gi'), from);
	}

	ofFence(fence: string, from: number): number | undefined {
		return this.find(fence, new RegExp(`\\n {0,3}${fence}${fence.charAt(0)}*[ \\t]*(?=\\n|$)`, 'g'), from);
	}

	/** Code in a line ends with as many backticks, in the same paragraph. */
	ofCode(length: number, from: number): number | undefined {
		this.runs ??= runsIn(this.text);
		const ahead = this.runs.get(length) ?? [];
		while ((ahead.at(-1) ?? Infinity) < from) ahead.pop();
		const at = ahead.at(-1);
		if (at === undefined) return undefined;
		if (this.blank < from) {
			const next = this.text.indexOf('\n\n', from);
			this.blank = next === -1 ? this.text.length : next;
		}
		return at < this.blank ? at + length : undefined;
	}

	private find(name: string, end: RegExp, from: number): number | undefined {
		if (this.none.has(name)) return undefined;
		end.lastIndex = from;
		if (end.test(this.text)) return end.lastIndex;
		this.none.add(name);
		return undefined;
	}
}

function runsIn(text: string): Map<number, number[]> {
	const runs = new Map<number, number[]>();
	for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
		const alike = runs.get(run.length);
		if (alike) alike.push(index);
		else runs.set(run.length, [index]);
	}
	return runs;
}

const MAYBE_TAG = /<\/?([a-z][a-z\d-]{0,40})((?:[\s/][^<>]*)?)>|<[!?][a-z][^<>]*>/gi;

/** Elements that begin a line or end one. */
const BREAKS =
	/^(?:br|hr|p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|thead|tbody|h[1-6]|blockquote|pre|section|article|header|footer)$/i;

/**
 * A text without the tags of HTML, with `left` for each; by default a space for those that begin or end a line, and
 * nothing for others. What has words without values where a tag has attributes is text: `a<b and c>d`, `<your name>`.
 */
export function withoutTags(text: string, left?: string): { text: string; removed: number } {
	let removed = 0;
	const shown = text.replace(
		MAYBE_TAG,
		(whole: string, name: string | undefined, attributes: string | undefined = '') => {
			const bare = attributes
				.replace(/"[^"]*"|'[^']*'/g, '""')
				.replace(/=\s*[^\s=]+/g, '=')
				.split(/[\s/]+/)
				.some((word) => word !== '' && !word.endsWith('='));
			if (bare) return whole;
			removed += 1;
			return left ?? (name === undefined || BREAKS.test(name) ? ' ' : '');
		},
	);
	return { text: shown, removed };
}
