import { dataIn, verdictsOn } from '../world';
import type { Script } from '../world';
import { ALL_NAMES, wording } from './site';
import type { Fact } from './site';

/** The product and the price in a statement, whatever its words are. */
function factIn(text: string): Pick<Fact, 'name' | 'price'> | undefined {
	const name = ALL_NAMES.find((one) => text.includes(`${one} bike`));
	const [, price] = /(\d+) euros/.exec(text) ?? [];
	return name !== undefined && price !== undefined ? { name, price: Number(price) } : undefined;
}

/** How a model behaves beside one that judges right. */
export interface Behaviour {
	/** Which wording it gives a statement; default: that of the page. */
	wordingOf?: () => number;
	/** Leaves out every so many statements of a page, and every so many verdicts on new ones. */
	forgets?: number;
}

/** A model that reads prices, and knows one that it has seen by product and price. */
export function priceModel({ wordingOf, forgets = Infinity }: Behaviour = {}): Script {
	let read = 0;
	let compared = 0;
	return {
		plan: () => JSON.stringify({ subQuestions: ['What do the bikes cost?'], queries: ['bike prices'] }),
		read: (request) => {
			const sentences = (dataIn(request)[0] ?? '').match(/[^\n.]+\./g) ?? [];
			const claims = sentences.flatMap((sentence) => {
				const fact = factIn(sentence);
				const isForgotten = fact !== undefined && ++read % forgets === 0;
				if (!fact || isForgotten) return [];
				const text = wordingOf ? wording(fact, wordingOf()) : sentence.trim();
				return [{ text, quote: sentence.trim(), question: 1 }];
			});
			return JSON.stringify({ claims });
		},
		judge: (request) =>
			verdictsOn(request, (statement, passage) => {
				const fact = factIn(statement);
				return fact !== undefined && passage.includes(`${fact.name} bike`) && passage.includes(`${fact.price} euros`);
			}),
		compare: (request) => {
			const [earlier = '', fresh = ''] = dataIn(request);
			const numbered = (text: string) =>
				[...text.matchAll(/^(\d+)\. (?:\([^)]*\) )?(.*)$/gm)].map(([, number, said = '']) => ({
					number: Number(number),
					fact: factIn(said),
				}));
			const known = numbered(earlier);
			const list = numbered(fresh);
			const verdicts = list.flatMap(({ number, fact }) => {
				if (++compared % forgets === 0) return [];
				const same = known.find((one) => one.fact?.name === fact?.name && one.fact?.price === fact?.price);
				if (same) return [{ new: number, verdict: 'known', earlier: same.number }];
				const repeated = list.find(
					(one) => one.number < number && one.fact?.name === fact?.name && one.fact?.price === fact?.price,
				);
				if (repeated) return [{ new: number, verdict: 'repeated', earlier: repeated.number }];
				const other = known.find((one) => one.fact?.name === fact?.name);
				return [other ? { new: number, verdict: 'changed', earlier: other.number } : { new: number, verdict: 'new' }];
			});
			return JSON.stringify({ compared: verdicts });
		},
		gaps: () => '{"answered": [{"question": 1, "claims": [1]}], "contradictions": [], "queries": []}',
	};
}
