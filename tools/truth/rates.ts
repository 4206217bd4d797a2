/** How often something came out right, and what stood at the other times. */
export interface Rate {
	/** The data that it was measured on, and what was measured. */
	of: string;
	what: string;
	right: number;
	all: number;
	worst: string[];
}

/** Examples that are kept of what came out wrong. */
const MOST_EXAMPLES = 10;

/** Rates that grow while data are read. */
export class Rates {
	private readonly rates = new Map<string, Rate>();

	/** Counts one case. `example`: told where it came out wrong. */
	count(of: string, what: string, isRight: boolean, example: string): void {
		const key = `${of}\n${what}`;
		const rate = this.rates.get(key) ?? { of, what, right: 0, all: 0, worst: [] };
		rate.all += 1;
		if (isRight) rate.right += 1;
		else if (rate.worst.length < MOST_EXAMPLES) rate.worst.push(example.replace(/\s+/g, ' ').slice(0, 400));
		this.rates.set(key, rate);
	}

	get all(): Rate[] {
		return [...this.rates.values()];
	}

	/** A table, and below it the examples of each rate that is not whole. */
	get text(): string {
		const row = ({ of, what, right, all }: Rate) =>
			`| ${of} | ${what} | ${right} of ${all} | ${((100 * right) / Math.max(1, all)).toFixed(1)} % |`;
		const table = ['| data | what | right | share |', '|---|---|---|---|', ...this.all.map(row)];
		const examples = this.all.flatMap(({ of, what, worst }) =>
			worst.length === 0 ? [] : [`\n${of}, ${what}:`, ...worst.map((one) => `- ${one}`)],
		);
		return [...table, ...examples].join('\n');
	}
}
