import { markdownBlocks } from './blocks';
import type { Block } from './blocks';
import { cutText } from './cutText';
import { plainTitle } from './headingTitle';

/** A part of a text, and the headings that it stands under. */
export interface Section {
	text: string;
	/** `Guide > Install > Docker`; empty before the first heading. */
	headingPath: string;
}

interface OpenSection {
	blocks: Block[];
	headingPath: string;
	level: number;
}

/**
 * Cuts a Markdown text at its headings. A section of more than `maxCharacters` is cut between its paragraphs, and a
 * paragraph that is longer by itself inside. Tables and fenced code stay whole, however long they are. Nothing but
 * empty lines is lost between the sections.
 */
export function cutAtHeadings(text: string, maxCharacters: number): Section[] {
	return sectionsOf(markdownBlocks(text)).flatMap(({ blocks, headingPath }) =>
		packed(blocks, maxCharacters)
			.map(withoutEmptyLines)
			.filter((piece) => piece !== '')
			.map((piece) => ({ text: piece, headingPath })),
	);
}

function sectionsOf(blocks: readonly Block[]): OpenSection[] {
	const sections: OpenSection[] = [];
	const path: Array<{ level: number; title: string }> = [];
	for (const block of blocks) {
		const { level, title = '' } = block;
		const last = sections.at(-1);
		if (level === undefined) {
			if (last) last.blocks.push(block);
			else sections.push({ blocks: [block], headingPath: '', level: 0 });
			continue;
		}
		while ((path.at(-1)?.level ?? 0) >= level) path.pop();
		const plain = plainTitle(title);
		if (plain !== '') path.push({ level, title: plain });
		const headingPath = path.map((heading) => heading.title).join(' > ');
		// A title above the first subtitle says nothing by itself.
		const isAbove =
			last && last.level < level && last.blocks.every(({ kind }) => kind === 'heading');
		if (isAbove) {
			last.blocks.push(block);
			Object.assign(last, { headingPath, level });
		} else sections.push({ blocks: [block], headingPath, level });
	}
	return sections;
}

/** The blocks of a section as pieces. A heading is not left alone. */
function packed(blocks: readonly Block[], max: number): string[] {
	const pieces: string[] = [];
	let current = '';
	let isOnlyHeading = true;
	const end = () => {
		if (current !== '') pieces.push(current);
		current = '';
	};
	for (const { kind, text } of blocks) {
		// Empty lines at its end are not put out.
		const length = text.trimEnd().length;
		const isWhole = kind === 'whole';
		if (current.length + length > max && !(isOnlyHeading && current.length <= max / 2)) end();
		if (isWhole || current.length + length <= max) current += text;
		else {
			const [first = '', ...others] = cutText(text, max - current.length, max);
			current += first;
			for (const piece of others) {
				end();
				current = piece;
			}
		}
		isOnlyHeading = kind === 'heading' && (isOnlyHeading || current === text);
	}
	end();
	return pieces;
}

/** What stands at the beginning of the first line may be an indentation. */
function withoutEmptyLines(text: string): string {
	return text.replace(/^(?:[^\S\r\n]*[\r\n]+)+/, '').trimEnd();
}
