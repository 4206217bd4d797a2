import { trimEnd } from '../../text/ends';
import { wordCount } from '../../text/sentences';

/** Above a list of sources, in the languages of reports. */
const HEAD =
	/^[\s#*_>-]*(?:sources?|references?|bibliography|works cited|citations?|footnotes?|further reading|links|quellen(?:verzeichnis|angaben)?|literatur(?:verzeichnis)?|einzelnachweise|fußnoten|fuentes?|referencias|bibliografía|références|sources citées|bibliographie|notes|fonti|riferimenti|bibliografia|fontes|referências|bronnen|källor|kilder|źródła|источники|ссылки|джерела|参考文献|参考资料|来源|來源|出典|資料|출처|참고문헌|المصادر|المراجع|מקורות)(?:\s*\([^)]*\))?[\s*_:：]*$/iu;

/** Whether a line is the head of a list of sources. */
export function isHeadOfSources(line: string): boolean {
	return HEAD.test(line);
}

/** A line of such a list: its number, and an address in it. */
const NUMBERED =
	/^[\s>*-]{0,12}(?:\\?\[\^?(\d{1,3})\\?\]:?|\^?(\d{1,3})[.):]|\((\d{1,3})\)|【(\d{1,3})】|([⁰¹²³⁴-⁹]{1,3}))(.*)$/u;
const ADDRESS = /https?:\/\/[^\s<>"'\]]{1,2000}/i;

/** Words of a line beside its address that still make it one of a source. */
const MOST_WORDS = 40;

/** Ways to write a number before a source. */
const NUMBER_FORMS = 5;
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function numberIn(groups: ReadonlyArray<string | undefined>): number | undefined {
	const given = groups.slice(0, NUMBER_FORMS).find((one) => one !== undefined);
	if (given === undefined) return undefined;
	return Number([...given].map((sign) => (RAISED.includes(sign) ? String(RAISED.indexOf(sign)) : sign)).join(''));
}

interface SourceLine {
	number: number | undefined;
	address: string;
}

/** The source that a line names; undefined for any other line. `isListed`: below a head, where numbers need not stand. */
function sourceOf(line: string, isListed: boolean): SourceLine | undefined {
	const [, ...groups] = NUMBERED.exec(line) ?? [];
	const rest = groups[NUMBER_FORMS] ?? line;
	const given = numberIn(groups);
	const address = addressIn(rest);
	if (address === undefined || (given === undefined && !isListed)) return undefined;
	if (wordCount(rest.replace(ADDRESS, ' '), MOST_WORDS) >= MOST_WORDS) return undefined;
	return { number: given, address };
}

/** The address of a line, without the brackets and marks around it. */
function addressIn(line: string): string | undefined {
	const found = ADDRESS.exec(line)?.[0];
	if (found === undefined) return undefined;
	const open = (found.match(/\(/g) ?? []).length;
	const closed = (found.match(/\)/g) ?? []).length;
	const trimmed = trimEnd(found, /[.,;:!?*_]/);
	return closed > open ? trimEnd(trimmed, /[).,;]/) : trimmed;
}

/** A sentence before its address ends with a mark; of a title it may do so, too, but not twice. */
function isSentenceWithLink(line: string): boolean {
	const words = line.replace(/\[[^[\]]{0,300}\]\([^()]{0,2000}\)|https?:\/\/\S{1,2000}/g, ' ');
	return (words.match(/[\p{Ll}\p{N})][.!?](?=\s|$)/gu) ?? []).length > 1;
}

/**
 * Takes the list of sources from a text: definitions of footnotes, lines below a head, and numbered lines with addresses at
 * its end. Gives the rest, and the addresses by their numbers. Sources without numbers are numbered in their order.
 */
export function readSources(text: string): { body: string; byNumber: Map<number, string> } {
	const lines = text.split('\n');
	const byNumber = new Map<number, string>();
	const taken = new Set<number>();
	const take = (at: number, source: SourceLine, number: number) => {
		if (!byNumber.has(number)) byNumber.set(number, source.address);
		taken.add(at);
	};
	for (const [at, line] of lines.entries()) {
		const isDefinition = /^\s{0,3}\[\^?\d{1,3}\]:\s/.test(line);
		const source = isDefinition ? sourceOf(line, false) : undefined;
		if (source?.number !== undefined) take(at, source, source.number);
	}
	for (const [head, line] of lines.entries()) {
		if (!isHeadOfSources(line)) continue;
		let count = 0;
		let last = head;
		for (let at = head + 1; at < lines.length; at += 1) {
			const below = lines[at] ?? '';
			if (below.trim() === '') continue;
			const source = sourceOf(below, true);
			if (!source) {
				// A title may stand on a line of its own above its address.
				const next = sourceOf(lines[at + 1] ?? '', true);
				const [, ...groups] = NUMBERED.exec(below) ?? [];
				const given = numberIn(groups);
				if (!next || next.number !== undefined || isSentenceWithLink(below)) break;
				count += 1;
				take(at, next, given ?? count);
				taken.add(at + 1);
				last = at + 1;
				at += 1;
				continue;
			}
			count += 1;
			take(at, source, source.number ?? count);
			last = at;
		}
		if (last > head) taken.add(head);
	}
	for (let at = lines.length - 1; at >= 0; at -= 1) {
		const line = lines[at] ?? '';
		if (line.trim() === '' || taken.has(at)) continue;
		const source = sourceOf(line, false);
		if (source?.number === undefined || isSentenceWithLink(line)) break;
		take(at, source, source.number);
	}
	return { body: lines.filter((_line, at) => !taken.has(at)).join('\n'), byNumber };
}
