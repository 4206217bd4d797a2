import { seededRandom } from '../../sandbox/runtime/runtime.ts';

/** Choices that follow from one number, so that a failed case can be repeated from it. */
export class Chance {
	private readonly random: () => number;

	constructor(seed: number) {
		this.random = seededRandom(seed);
	}

	boolean(): boolean {
		return this.random() < 0.5;
	}

	/** From `min` to `max`, often one of the two. */
	integer(min: number, max: number): number {
		if (this.random() < 0.2) return this.boolean() ? min : max;
		return min + Math.floor(this.random() * (max - min + 1));
	}

	oneOf<T>(...choices: T[]): T {
		const choice = choices[Math.floor(this.random() * choices.length)];
		if (choice === undefined) throw new Error('nothing to choose from');
		return choice;
	}

	/** At least one of the choices, in any order. */
	some<T>(choices: T[]): T[] {
		const chosen = choices.filter(() => this.boolean());
		return chosen.length > 0 ? chosen : [this.oneOf(...choices)];
	}

	list<T>(min: number, max: number, make: () => T): T[] {
		return Array.from({ length: this.integer(min, max) }, make);
	}

	word(): string {
		const letters = this.list(1, 8, () => String.fromCharCode(97 + this.integer(0, 25)));
		return letters.join('');
	}

	/** Text of any characters, never blank and never only dots. */
	text(maxLength: number): string {
		const most = Math.min(40, maxLength);
		const characters = 'aZ09 .,;:-_"\'`<>{}[]()/\\?#%&=+*|~^$@!\n\t\u00e4\u4e2d\u{1f600}';
		const others = this.list(0, most - 1, () => this.oneOf(...characters));
		return `${this.word().slice(0, 1)}${others.join('')}`;
	}

	json(depth = 2): unknown {
		const kinds = depth > 0 ? 6 : 4;
		switch (this.integer(0, kinds - 1)) {
			case 0:
				return this.text(20);
			case 1:
				return this.integer(-1000, 1000) / 8;
			case 2:
				return this.boolean();
			case 3:
				return null;
			case 4:
				return this.list(0, 3, () => this.json(depth - 1));
			default:
				return this.object(() => this.json(depth - 1));
		}
	}

	object<T>(make: () => T): Record<string, T> {
		return Object.fromEntries(this.list(0, 4, () => [this.word(), make()]));
	}

	webAddress(): string {
		const scheme = this.oneOf('http', 'https');
		return `${scheme}://${this.domain()}/${this.list(0, 3, () => this.word()).join('/')}?q=${this.word()}`;
	}

	domain(): string {
		return `${this.word()}.${this.oneOf('example', 'com', 'co.uk')}`;
	}
}
