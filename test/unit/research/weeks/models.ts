import type { ModelRequest } from '../../../../nodes/research/contract/parts';
import { dataIn } from '../world';
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
	/** Whether it takes this product for a statement, this time; default: all. */
	picks?: (name: string) => boolean;
	/** Says of each product that has been told that its price is known. */
	knowsEasily?: true;
	/** What it says of all pairs, in place of what is so. */
	judges?: () => 'supported' | 'contradicted' | undefined;
}

/** A model that reads prices, and knows one that it has seen by product and price. */
export function priceModel({
	wordingOf,
	forgets = Infinity,
	picks = () => true,
	knowsEasily,
	judges,
}: Behaviour = {}): Script {
	let read = 0;
	let compared = 0;
	return {
		plan: () => JSON.stringify({ subQuestions: ['What do the bikes cost?'], queries: ['bike prices'] }),
		read: (request) => {
			const sentences = (dataIn(request)[0] ?? '').match(/[^\n.]+\./g) ?? [];
			const claims = sentences.flatMap((sentence) => {
				const fact = factIn(sentence);
				const isForgotten = fact !== undefined && ++read % forgets === 0;
				if (!fact || isForgotten || !picks(fact.name)) return [];
				const text = wordingOf ? wording(fact, wordingOf()) : sentence.trim();
				return [{ text, quote: sentence.trim(), question: 1 }];
			});
			return JSON.stringify({ claims });
		},
		judge: (request) => {
			const verdicts = pairsIn(request).map(({ pair, statement, passage }) => {
				const always = judges?.();
				if (always) return { pair, verdict: always };
				const fact = factIn(statement);
				const sentences = passage.split(/ ?\(\d+\) /).filter((one) => one !== '');
				const said = sentences.map(factIn);
				if (said.some((one) => one?.name === fact?.name && one?.price === fact?.price)) {
					return { pair, verdict: 'supported' };
				}
				const at = said.findIndex((one) => one !== undefined && one.name === fact?.name);
				return at === -1 ? { pair, verdict: 'not stated' } : { pair, verdict: 'contradicted', sentence: at + 1 };
			});
			return JSON.stringify({ verdicts });
		},
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
				const isSame = (one: { fact?: Pick<Fact, 'name' | 'price'> | undefined }) =>
					one.fact?.name === fact?.name && (knowsEasily === true || one.fact?.price === fact?.price);
				const same = known.find(isSame);
				if (same) return [{ new: number, verdict: 'known', earlier: same.number }];
				const repeated = list.find((one) => one.number < number && isSame(one));
				if (repeated) return [{ new: number, verdict: 'repeated', earlier: repeated.number }];
				const other = known.find((one) => one.fact?.name === fact?.name);
				return [other ? { new: number, verdict: 'changed', earlier: other.number } : { new: number, verdict: 'new' }];
			});
			return JSON.stringify({ compared: verdicts });
		},
		gaps: () => '{"answered": [{"question": 1, "claims": [1]}], "contradictions": [], "queries": []}',
	};
}

function pairsIn(request: ModelRequest): Array<{ pair: number; statement: string; passage: string }> {
	const pairs = dataIn(request)
		.join('\n')
		.matchAll(/^(\d+)\. Statement: (.*)(?:\nPage: .*)?\nPassage: (.*)$/gm);
	return [...pairs].map(([, pair, statement = '', passage = '']) => ({ pair: Number(pair), statement, passage }));
}
