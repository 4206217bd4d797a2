import type { Row } from './row.ts';

/** Measures one thing. Tells on the way how far it is. */
export type Measure = (say: (line: string) => void) => Promise<Row[]>;

/** One entry of the list of what is measured. */
export interface Benchmark {
	name: string;
	/** Also in the short form: virtual time, or a few seconds. */
	quick: boolean;
	/** After this it is ended and counts as missed, in seconds. */
	mostSeconds: number;
	load: () => Promise<{ measure: Measure }>;
}
