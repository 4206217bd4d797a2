import { seededRandom } from '../../../../sandbox/runtime/runtime.ts';

/** What is known to be true of a question's subject, and what a report must hold to have found it. */
export interface KnownFact {
	/** The figure as pages and reports write it. */
	figure: string;
	/** The sentence that pages state it with. */
	sentence: string;
}

/** A question over pages that are made for it. */
export interface MadeQuestion {
	number: number;
	subject: string;
	query: string;
	/** Stated on several pages each. */
	common: [KnownFact, KnownFact, KnownFact];
	/** Says of the second common one something else. */
	contradiction: KnownFact;
	/** Stands on one page alone, in the middle of 300 KB. */
	deep: KnownFact;
}

const NAMES = ['Varen', 'Ostheim', 'Calder', 'Lunara', 'Brisk', 'Tornby', 'Quillan', 'Eskdal'];
const KINDS = ['Bridge', 'Tunnel', 'Observatory', 'Museum', 'Reservoir'];

/** The question with this number: the same in every run. */
export function madeQuestion(number: number): MadeQuestion {
	const random = seededRandom(1000 + number);
	const whole = (least: number, most: number) => Math.floor(least + random() * (most - least));
	const subject = `${NAMES[(number * 3) % NAMES.length]} ${KINDS[number % KINDS.length]}`;
	const opened = String(whole(1880, 1990));
	const cost = whole(20, 400);
	const staff = whole(110, 890);
	const visitors = `${whole(100, 900)},${whole(100, 999)}`;
	const costs = (million: number): KnownFact => ({
		figure: `${million} million`,
		sentence: `Building the ${subject} cost ${million} million crowns.`,
	});
	return {
		number,
		subject,
		query: `When was the ${subject} opened to the public? What did building the ${subject} cost? How many engineers worked on the ${subject}? How many visitors did the ${subject} count in its best year?`,
		common: [
			{ figure: opened, sentence: `The ${subject} was opened to the public in ${opened}.` },
			costs(cost),
			{ figure: `${staff}`, sentence: `A total of ${staff} engineers worked on the ${subject}.` },
		],
		contradiction: costs(cost + whole(5, 15)),
		deep: {
			figure: visitors,
			sentence: `The ${subject} counted ${visitors} visitors in its best year.`,
		},
	};
}
