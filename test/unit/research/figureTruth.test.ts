import { compareFigures } from '../../../nodes/research/claims/figures';
import { FIGURE_SENTENCES } from './figureSentences';
import type { FigureSentences } from './figureSentences';

/** What code says of a statement beside its passage. */
type Said = 'kept' | 'judge' | 'refused';
const KINDS = ['date', 'unit', 'time', 'scale', 'percent'] as const;
type Kind = (typeof KINDS)[number];

function saidOf(statement: string, passage: string): Said {
	const { different, unclear } = compareFigures(statement, [passage]);
	if (different.length > 0) return 'refused';
	return unclear.length > 0 ? 'judge' : 'kept';
}

const shown = (value: number, { mark }: FigureSentences) => String(value).replace('.', mark);
const month = ({ months }: FigureSentences, at: number) => months.split('|')[at % 12] ?? '';

/** The sentence of a kind with the figures of a seed; `isOther` says a month, a unit or a scale other than the one of it. */
function sentence(of: FigureSentences, kind: Kind, seed: number, isOther: boolean): string {
	const figure = shown(11 + ((seed * 37) % 80) + (seed % 9) / 10, of);
	switch (kind) {
		case 'date':
			return of.date(13 + (seed % 15), month(of, isOther ? seed + 1 + (seed % 10) : seed), 1990 + (seed % 30));
		case 'unit':
			return isOther ? of.other(figure) : of.length(figure);
		case 'time':
			return isOther ? of.days(12 + seed) : of.hours(12 + seed);
		case 'scale':
			return isOther ? of.billions(figure) : of.millions(figure);
		case 'percent':
			return of.percent(isOther ? shown(12 + ((seed * 37) % 80) + (seed % 9) / 10, of) : figure);
	}
}

/** How often code says what, over all pairs of languages. */
function count(kind: Kind, isTrue: boolean): Record<Said, number> {
	const counts: Record<Said, number> = { kept: 0, judge: 0, refused: 0 };
	for (const [at, statement] of FIGURE_SENTENCES.entries()) {
		for (const [other, passage] of FIGURE_SENTENCES.entries()) {
			const seed = at * FIGURE_SENTENCES.length + other;
			const said = saidOf(sentence(statement, kind, seed, !isTrue), sentence(passage, kind, seed, false));
			counts[said] += 1;
		}
	}
	return counts;
}

const ALL = FIGURE_SENTENCES.length ** 2;

it('refuses no true figure, in twelve languages beside twelve, and leaves few to the model', () => {
	for (const kind of KINDS) {
		const { kept, refused } = count(kind, true);
		expect({ kind, refused }).toEqual({ kind, refused: 0 });
		expect({ kind, kept: kept >= 0.95 * ALL }).toEqual({ kind, kept: true });
	}
});

it.each([
	['date', 1],
	['unit', 0.9],
	['time', 0.9],
	['scale', 0.97],
	['percent', 1],
] as const)('refuses another %s, or leaves it to the model, with that word', (kind, part) => {
	const { refused, kept } = count(kind, false);
	expect(refused).toBeGreaterThanOrEqual(part * ALL);
	expect(kept).toBe(0);
});
