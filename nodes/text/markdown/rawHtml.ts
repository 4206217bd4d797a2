/**
 * Where a Markdown text holds HTML that a browser would read as such, by the rules of CommonMark: neither in code, nor
 * behind a backslash. A mark whose end never comes is none. Linear.
 */

/** A comment as a whole, or the tag that opens or closes an element. */
interface HtmlMark {
	kind: 'comment' | 'open' | 'close';
	/** Of the element, in small letters. */
	name: string;
	start: number;
	end: number;
}

/** A part of a text by its lines: `inline` is a paragraph or a heading, `raw` a block of HTML. The rest is code. */
interface Region {
	kind: 'inline' | 'raw';
	start: number;
	end: number;
}

/** Comments, and the tags of these elements, in the order of the text. */
export function htmlMarks(markdown: string, elements: readonly string[]): HtmlMark[] {
	const names = elements.join('|');
	const inRaw = new RegExp(`<!--|<(/?)(${names})(?=[\\s/>])[^<>]*>?`, 'gi');
	const attribute =
		'\\s{1,99}[a-z_:][\\w.:-]{0,99}(?:\\s{0,99}=\\s{0,99}(?:[^\\s"\'=<>`]{1,2000}|\'[^\']{0,2000}\'|"[^"]{0,2000}"))?';
	const inLine = new RegExp(`\\\\[<\`]|\`+|<!--|<(/?)(${names})(?:${attribute}){0,50}\\s{0,99}/?>`, 'gi');
	return regionsOf(markdown).flatMap((region) => marksIn(markdown, region, region.kind === 'raw' ? inRaw : inLine));
}

function marksIn(markdown: string, { start, end }: Region, pattern: RegExp): HtmlMark[] {
	// What is looked for ends with its region.
	const text = markdown.slice(start, end);
	const marks: HtmlMark[] = [];
	let codeEnd: ReturnType<typeof codeEnds> | undefined;
	let noComment = false;
	pattern.lastIndex = 0;
	for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
		const [found, slash, name] = match;
		if (found.startsWith('\\')) continue;
		if (found.startsWith('`')) {
			codeEnd ??= codeEnds(text);
			pattern.lastIndex = codeEnd(found.length, pattern.lastIndex) ?? pattern.lastIndex;
		} else if (name !== undefined) {
			const kind = slash === '/' ? 'close' : 'open';
			marks.push({ kind, name: name.toLowerCase(), start: start + match.index, end: start + pattern.lastIndex });
		} else if (!noComment) {
			const at = text.indexOf('-->', match.index + 2);
			noComment = at === -1;
			if (noComment) continue;
			pattern.lastIndex = at + 3;
			marks.push({ kind: 'comment', name: '', start: start + match.index, end: start + at + 3 });
		}
	}
	return marks;
}

/** Where the next of a kind stands: its end, for the first one from a place on. Places asked for must grow. */
export function nextOf<Kind>(
	all: ReadonlyArray<{ kind: Kind; start: number; end: number }>,
): (kind: Kind, from: number) => number | undefined {
	const byKind = new Map<Kind, Array<{ start: number; end: number }>>();
	for (const { kind, start, end } of [...all].reverse()) {
		const alike = byKind.get(kind);
		if (alike) alike.push({ start, end });
		else byKind.set(kind, [{ start, end }]);
	}
	return (kind, from) => {
		const ahead = byKind.get(kind) ?? [];
		while ((ahead.at(-1)?.start ?? Infinity) < from) ahead.pop();
		return ahead.at(-1)?.end;
	};
}

/** Runs of backticks by their length: code ends with as many as it has begun with. */
function codeEnds(text: string): (length: number, from: number) => number | undefined {
	const runs = Array.from(text.matchAll(/`+/g), ({ 0: { length }, index }) => ({
		kind: length,
		start: index,
		end: index + length,
	}));
	return nextOf(runs);
}

const FENCE = /^(`{3,})[^`]*$|^(~{3,})/;
const BLOCK_NAMES =
	'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
const BLOCK_TAG = new RegExp(`^</?(?:${BLOCK_NAMES})(?:[\\s>]|/>|$)`, 'i');
/** A complete tag alone on its line; it does not break a paragraph. */
const LONE_TAG = /^<\/?[a-z][a-z\d-]*(?:\s[^<>]*)?>\s*$/i;
const RAW_TAG = /^<(?:script|style|pre|textarea)(?:[\s>]|$)/i;
const RAW_END = /<\/(?:script|style|pre|textarea)>/i;
const HEADING = /^#{1,6}(?:\s|$)/;
const MARKER = /^ {0,3}(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)) ?/;

/** How a block of HTML ends: with a line that holds its end, or before a blank line. */
type BlockEnd = RegExp | 'blank';

/** Reads the blocks of a text, line by line. */
function regionsOf(markdown: string): Region[] {
	const regions: Region[] = [];
	/** What is open: a paragraph or a block of HTML, from its first line; or code between fences. */
	let open: Region | undefined;
	let fence: string | undefined;
	/** The quotation and the item of a list in which it has begun: code and HTML end with these. */
	let held = { isQuoted: false, listIndent: 0 };
	let blockEnd: BlockEnd | undefined;
	let listIndent = 0;
	const ends = { comment: markdown.lastIndexOf('-->'), raw: lastRawEnd(markdown) };
	const close = (end: number) => {
		if (open) regions.push({ ...open, end });
		open = undefined;
		blockEnd = undefined;
	};
	for (let start = 0; start < markdown.length;) {
		const found = markdown.indexOf('\n', start);
		const end = found === -1 ? markdown.length : found + 1;
		const line = markdown.slice(start, end).replace(/\n$/, '');
		const { text, indent, isQuoted, listAt, lead } = contentOf(line, listIndent);
		const isBlank = text === '';
		const begins = start;
		start = end;
		const isLeft = (held.isQuoted && !isQuoted) || (!isBlank && lead < held.listIndent);
		if (fence !== undefined) {
			const isClosed = indent < 4 && text.startsWith(fence) && /^(?:`+|~+)\s*$/.test(text);
			if (isLeft || isClosed) fence = undefined;
			if (!isLeft) continue;
		}
		if (blockEnd !== undefined && !isLeft && !(blockEnd === 'blank' && isBlank)) {
			if (blockEnd !== 'blank' && blockEnd.test(line)) close(end);
			continue;
		}
		if (blockEnd !== undefined) close(begins);
		if (isBlank) {
			close(begins);
			continue;
		}
		if (listAt !== undefined) {
			close(begins);
			listIndent = listAt;
		} else if (lead === 0 && !open) listIndent = 0;
		// Of what is open in the item of a list, only a paragraph goes on without its indentation.
		const isOutside = listAt === undefined && lead < listIndent;
		// A quotation begins; a line without its mark may go on in it.
		if (isQuoted && !held.isQuoted) close(begins);
		const isParagraph = open !== undefined;
		if (!isParagraph) held = { isQuoted, listIndent };
		if (indent >= 4 && !isParagraph) continue;
		const fenced = indent < 4 ? FENCE.exec(text) : null;
		if (fenced) {
			close(begins);
			fence = fenced[1] ?? fenced[2];
			held = { isQuoted, listIndent: isOutside ? 0 : listIndent };
			continue;
		}
		const newEnd = indent < 4 ? blockEndOf(text, isParagraph, begins, ends) : undefined;
		if (newEnd !== undefined) {
			close(begins);
			open = { kind: 'raw', start: begins, end };
			held = { isQuoted, listIndent: isOutside ? 0 : listIndent };
			blockEnd = newEnd;
			if (newEnd !== 'blank' && newEnd.test(line)) close(end);
		} else if (indent < 4 && HEADING.test(text)) {
			close(begins);
			regions.push({ kind: 'inline', start: begins, end });
		} else open ??= { kind: 'inline', start: begins, end };
	}
	close(markdown.length);
	return regions;
}

/** How the block of HTML ends that begins with this line; undefined where none does, or its end never comes. */
function blockEndOf(
	text: string,
	isParagraph: boolean,
	start: number,
	ends: { comment: number; raw: number },
): BlockEnd | undefined {
	if (!text.startsWith('<')) return undefined;
	if (text.startsWith('<!--')) return ends.comment > start ? /-->/ : undefined;
	if (RAW_TAG.test(text)) return ends.raw > start ? RAW_END : undefined;
	if (BLOCK_TAG.test(text)) return 'blank';
	return !isParagraph && LONE_TAG.test(text) ? 'blank' : undefined;
}

function lastRawEnd(markdown: string): number {
	let last = -1;
	for (const { index } of markdown.matchAll(/<\/(?:script|style|pre|textarea)>/gi)) last = index;
	return last;
}

/** A line without the marks of quotations and lists before it, and what these were. */
function contentOf(
	line: string,
	listIndent: number,
): { text: string; indent: number; isQuoted: boolean; listAt: number | undefined; lead: number } {
	let rest = line.replaceAll('\t', '    ');
	let isQuoted = false;
	let listAt: number | undefined;
	const lead = /^ */.exec(rest)?.[0].length ?? 0;
	if (listIndent > 0 && lead >= listIndent) rest = rest.slice(listIndent);
	let column = line.length - rest.length;
	for (let marker = MARKER.exec(rest); marker; marker = MARKER.exec(rest)) {
		const [mark] = marker;
		rest = rest.slice(mark.length);
		column += mark.length;
		if (mark.includes('>')) isQuoted = true;
		else listAt = Math.max(2, column);
	}
	const text = rest.trimStart();
	return { text: text.trimEnd(), indent: rest.length - text.length, isQuoted, listAt, lead };
}
