import { withMore } from '../../operation/hint';
import type { CheckedValues } from '../../operation/operation';
import { shorten } from '../../service/http/failure';
import { count } from '../../text/amounts';
import { sentences } from './hints';

/** Most fields that are kept, and that are named. */
const MOST_FIELDS = 100;
const MOST_NAMED = 3;
const LONGEST_NAME = 60;

/** What was found of the values of all pages of a run that were checked on them, for one hint. */
export class ValueCounts {
	private values = 0;

	private unproven = 0;

	private unchecked = 0;

	private withoutText = 0;

	private leavesOut = false;

	private readonly fields = new Set<string>();

	private readonly leftOut = new Set<string>();

	add({ values, unproven, unchecked, withoutText, check }: CheckedValues): void {
		this.values += values;
		this.unproven += unproven.length;
		this.unchecked += unchecked;
		this.withoutText += withoutText;
		this.leavesOut ||= check.leavesOut;
		for (const name of unproven) if (this.fields.size < MOST_FIELDS) this.fields.add(shorten(name, LONGEST_NAME));
		for (const setting of unproven.length > 0 ? check.leftOut : []) this.leftOut.add(setting);
	}

	/** Values that do not stand on their page; empty where all do, or only a reader can tell. */
	get unprovenText(): string {
		const { values, unproven, leavesOut } = this;
		if (unproven === 0) return '';
		const fields = [...this.fields];
		const named = withMore(fields.slice(0, MOST_NAMED), fields.length - MOST_NAMED);
		const does = unproven === 1 ? 'does' : 'do';
		const isNull = leavesOut ? `, so ${unproven === 1 ? 'it is' : 'they are'} null` : '';
		const settings = [...this.leftOut].join(' and ');
		const may = `${unproven === 1 ? 'It' : 'They'} may stand in what ${settings} leaves out.`;
		return sentences([
			`${unproven} of ${count(values, 'value')} ${does} not stand on ${values === 1 ? 'its' : 'their'} page (${named})${isNull}: see unproven.`,
			settings === '' ? '' : may,
			this.uncheckedText,
		]);
	}

	/** What was checked, where nothing was found missing; empty where something was, or nothing was checked. */
	get provenText(): string {
		const { values, unproven, unchecked } = this;
		if (unproven > 0 || values === 0 || this.withoutText > 0) return '';
		const found = values - unchecked;
		if (unchecked > 0)
			return sentences([`${found} of ${count(values, 'value')} found on their page.`, this.uncheckedText]);
		return values === 1 ? 'The value was found on its page.' : `All ${values} values were found on their page.`;
	}

	/** Pages whose values could not be checked at all. */
	get withoutTextText(): string {
		const { withoutText } = this;
		if (withoutText === 0) return '';
		return `The values of ${count(withoutText, 'page')} were not checked, because ${withoutText === 1 ? 'it has' : 'they have'} no Markdown: a job whose pages Get shall check needs it among its formats.`;
	}

	private get uncheckedText(): string {
		const { unchecked } = this;
		return unchecked === 0 ? '' : `${unchecked} cannot be checked word for word: see unchecked.`;
	}
}
