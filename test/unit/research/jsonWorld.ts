import type { ModelRequest } from '../../../nodes/research/contract/parts';
import { claimsOf, dataIn, World } from './world.ts';
import type { Script } from './world.ts';

/** A question with known truth: pages, the fields that are asked for, and what is true of each. */
export interface JsonCase {
	subject: string;
	pages: Record<string, string>;
	titles: Record<string, string>;
	schema: Record<string, unknown>;
	/** By the path of each value; null for what stands nowhere. */
	truth: Record<string, unknown>;
	/** By the path of each value, the words of the page that say it. */
	said: Record<string, string>;
	/** By the path of each value, a true value of another thing, and the words that say that. */
	lies: Record<string, { value: unknown; said: string; of: LieKind }>;
}

export type LieKind = 'another plan' | 'another firm' | 'another year' | 'another currency' | 'in no quote';

const NAMES = ['Acme', 'Brino', 'Calvera', 'Dorval', 'Elmstad', 'Fjordly', 'Granit', 'Halvor', 'Isarna', 'Juniper'];
const NEAR = ['Robotics', 'Logistics', 'Foods', 'Labs', 'Marine'];
const CITIES = ['Oslo', 'Lyon', 'Graz', 'Porto', 'Turin', 'Ghent', 'Malmö', 'Bergen', 'Lucerne', 'Utrecht'];
const PEOPLE = ['Mara Lind', 'Jonas Adeyemi', 'Ines Falk', 'Piet Aalders', 'Rana Holt', 'Tom Okafor', 'Lin Wei'];
const PLANS = ['Basic', 'Pro', 'Team', 'Scale', 'Studio', 'Solo'];

const LEAVES = {
	text: { type: ['string', 'null'] },
	number: { type: ['number', 'null'] },
	flag: { type: ['boolean', 'null'] },
};

/** A question about one firm, or about the plans of one, by chance. */
export function jsonCase(random: () => number): JsonCase {
	return random() < 0.5 ? firmCase(random) : plansCase(random);
}

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const between = (random: () => number, least: number, most: number) =>
	least + Math.floor(random() * (most - least + 1));

function firmCase(random: () => number): JsonCase {
	const subject = pick(random, NAMES);
	const near = `${subject} ${pick(random, NEAR)}`;
	const isGerman = random() < 0.3;
	const [city, otherCity] = [...CITIES].sort(() => random() - 0.5);
	const [ceo, otherCeo] = [...PEOPLE].sort(() => random() - 0.5);
	const facts = {
		headOffice: { is: city, lie: otherCity },
		founded: { is: between(random, 1950, 2015), lie: between(random, 1950, 2015) + 70 },
		employees: { is: between(random, 20, 900), lie: between(random, 1000, 9000) },
		ceo: { is: ceo, lie: otherCeo },
		revenueMillion: { is: between(random, 3, 90), lie: between(random, 100, 400) },
		freeTrial: { is: true, lie: false },
	};
	const english: Record<string, (name: string, value: unknown) => string> = {
		headOffice: (name, value) => `The head office of ${name} is in ${value}.`,
		founded: (name, value) => `${name} was founded in ${value}.`,
		employees: (name, value) => `${name} has ${value} employees.`,
		ceo: (name, value) => `The CEO of ${name} is ${value}.`,
		revenueMillion: (name, value) => `${name} had a revenue of ${value} million euros in 2025.`,
		freeTrial: (name, value) =>
			`${name} ${value === true ? 'offers a free trial' : 'offers no free trial'} to new customers.`,
	};
	const german: typeof english = {
		headOffice: (name, value) => `Der Hauptsitz von ${name} ist in ${value}.`,
		founded: (name, value) => `${name} wurde im Jahr ${value} gegründet.`,
		employees: (name, value) => `${name} beschäftigt ${value} Personen.`,
		ceo: (name, value) => `Geschäftsführung bei ${name}: ${value} leitet die Firma.`,
		revenueMillion: (name, value) => `${name} erzielte 2025 einen Umsatz von ${value} Millionen Euro.`,
		freeTrial: (name, value) =>
			`${name} bietet neuen Kunden ${value === true ? 'eine kostenlose Testphase' : 'keine Testphase'}.`,
	};
	const say = isGerman ? german : english;
	const truth: Record<string, unknown> = { company: subject };
	const said: Record<string, string> = {};
	const lies: JsonCase['lies'] = {};
	const own: string[] = [];
	const others: string[] = [];
	for (const [name, { is, lie }] of Object.entries(facts)) {
		const isThere = random() > 0.2;
		truth[name] = isThere ? is : null;
		const sentence = say[name]?.(subject, is) ?? '';
		const other = english[name]?.(near, lie) ?? '';
		if (isThere) {
			own.push(sentence);
			said[name] = sentence;
		}
		others.push(other);
		lies[name] = { value: lie, said: other, of: 'another firm' };
	}
	if (typeof truth.revenueMillion === 'number') {
		const old = `${subject} had a revenue of ${Number(truth.revenueMillion) + 500} million euros in 2015.`;
		own.push(old);
		lies.revenueMillion = { value: Number(truth.revenueMillion) + 500, said: old, of: 'another year' };
	}
	said.company = own[0] ?? '';
	const host = `https://www.${subject.toLowerCase()}.example/about`;
	const elsewhere = `https://www.${near.toLowerCase().replace(' ', '-')}.example/`;
	return {
		subject,
		pages: { [host]: `# ${subject}\n\n${own.join(' ')}`, [elsewhere]: `# ${near}\n\n${others.join(' ')}` },
		titles: { [host]: `About ${subject}`, [elsewhere]: near },
		schema: {
			type: 'object',
			properties: {
				company: LEAVES.text,
				headOffice: { ...LEAVES.text, description: 'town of the head office' },
				founded: { ...LEAVES.number, description: 'year of the foundation' },
				employees: LEAVES.number,
				ceo: { ...LEAVES.text, description: 'who leads the firm' },
				revenueMillion: { ...LEAVES.number, description: 'revenue in 2025, in millions of euros' },
				freeTrial: { ...LEAVES.flag, description: 'whether there is a free trial' },
			},
		},
		truth,
		said,
		lies,
	};
}

function plansCase(random: () => number): JsonCase {
	const subject = pick(random, NAMES);
	const names = [...PLANS].sort(() => random() - 0.5).slice(0, 3);
	const isTable = random() < 0.6;
	// Prices in two currencies, each in a column of its own.
	const hasDollars = isTable && random() < 0.5;
	const plans = names.map((name, index) => ({
		name,
		price: 9 + 10 * index + between(random, 0, 9),
		users: 2 + 20 * index + between(random, 0, 15),
	}));
	const inDollars = (price: number) => price + 101;
	const truth: Record<string, unknown> = { company: subject };
	const said: Record<string, string> = { company: `${subject} sells three plans.` };
	const lies: JsonCase['lies'] = {};
	const rows: string[] = [];
	const cards: string[] = [];
	const shown = plans.map((plan) => ({ plan, hasUsers: random() > 0.2 }));
	const sentences = (name: string, price: number, users: number | undefined) => {
		const prices = hasDollars ? `${price} | ${inDollars(price)}` : `${price} €`;
		const row = `| ${name} | ${prices} | ${users ?? ''} |`;
		return {
			price: isTable ? row : `It costs ${price} € a month.`,
			users: isTable ? row : `Up to here, ${users} people can use ${name}.`,
		};
	};
	for (const [index, { plan, hasUsers }] of shown.entries()) {
		const { name, price, users } = plan;
		const words = sentences(name, price, hasUsers ? users : undefined);
		truth[`plans[${index}].name`] = name;
		truth[`plans[${index}].price`] = price;
		truth[`plans[${index}].users`] = hasUsers ? users : null;
		said[`plans[${index}].name`] = isTable ? words.price : name;
		said[`plans[${index}].price`] = words.price;
		if (hasUsers) said[`plans[${index}].users`] = words.users;
		const { plan: next, hasUsers: nextHas } = shown[(index + 1) % 3] ?? { plan, hasUsers };
		const other = sentences(next.name, next.price, nextHas ? next.users : undefined);
		lies[`plans[${index}].price`] = { value: next.price, said: other.price, of: 'another plan' };
		if (hasDollars && random() < 0.5) {
			lies[`plans[${index}].price`] = { value: inDollars(price), said: words.price, of: 'another currency' };
		}
		if (nextHas) lies[`plans[${index}].users`] = { value: next.users, said: other.users, of: 'another plan' };
		else lies[`plans[${index}].users`] = { value: 777, said: words.price, of: 'in no quote' };
		rows.push(words.price);
		cards.push(`## ${name}\n\n${words.price}${hasUsers ? ` ${words.users}` : ''}`);
	}
	const host = `https://www.${subject.toLowerCase()}.example/pricing`;
	const heads = hasDollars
		? ['Plan', 'Price a month (EUR)', 'Price a month (USD)', 'Users']
		: ['Plan', 'Price a month', 'Users'];
	const table = [`| ${heads.join(' | ')} |`, `|${' --- |'.repeat(heads.length)}`, ...rows].join('\n');
	return {
		subject,
		pages: { [host]: `# Pricing\n\n${subject} sells three plans.\n\n${isTable ? table : cards.join('\n\n')}` },
		titles: { [host]: `Pricing – ${subject}` },
		schema: {
			type: 'object',
			properties: {
				company: LEAVES.text,
				plans: {
					type: 'array',
					items: {
						type: 'object',
						properties: {
							name: LEAVES.text,
							price: { ...LEAVES.number, description: 'price a month in euros' },
							users: { ...LEAVES.number, description: 'how many people can use it' },
						},
					},
				},
			},
		},
		truth,
		said,
		lies,
	};
}

/** How a model fills the JSON: as it is said; with guesses for what is not; with wrong numbers of claims; with lies. */
export const MODELS = ['honest', 'guessing', 'sloppy', 'adversary'] as const;
export type ModelKind = (typeof MODELS)[number];

export const JUDGES = ['honest', 'yes', 'no'] as const;
export type JudgeKind = (typeof JUDGES)[number];

/** The numbers of the claims of a request whose text has these words. */
function numbersOf(request: ModelRequest, words: string): number[] {
	const [lines = ''] = dataIn(request);
	return lines.split('\n').flatMap((line) => {
		const [, marks = '', text = ''] = /^((?:\[\d+\])+) (.*)$/.exec(line) ?? [];
		const plain = (one: string) => one.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
		return words !== '' && plain(text).includes(plain(words))
			? [...marks.matchAll(/\d+/g)].map(([digits]) => Number(digits))
			: [];
	});
}

function setAt(json: Record<string, unknown>, path: string, value: unknown): void {
	const keys = path.replace(/\[(\d+)\]/g, '.$1').split('.');
	const last = keys.pop() ?? '';
	let at: Record<string, unknown> = json;
	for (const [index, key] of keys.entries()) {
		at[key] ??= /^\d+$/.test(keys[index + 1] ?? last) ? [] : {};
		at = at[key] as Record<string, unknown>;
	}
	at[last] = value;
}

/** What was invented for a field that stands nowhere. */
const GUESSES: Record<string, unknown> = { headOffice: 'Vienna', ceo: 'Alex Moreau', freeTrial: true };

function filled(made: JsonCase, kind: ModelKind, random: () => number, request: ModelRequest): string {
	const json: Record<string, unknown> = {};
	const claims: Record<string, number[]> = {};
	const any = () => [between(random, 1, 6)];
	for (const [path, value] of Object.entries(made.truth)) {
		const lie = made.lies[path];
		const own = numbersOf(request, made.said[path] ?? '');
		if (kind === 'adversary' && lie && random() < 0.7) {
			setAt(json, path, lie.value);
			claims[path] = numbersOf(request, lie.said);
		} else if (value === null && kind !== 'honest') {
			const name = path.split('.').at(-1) ?? '';
			setAt(json, path, GUESSES[name] ?? 1234);
			claims[path] = any();
		} else {
			setAt(json, path, value);
			claims[path] = kind === 'sloppy' && random() < 0.3 ? any() : own;
		}
	}
	return JSON.stringify({ json, claims, others: {} });
}

/** By the name of a field, the words that speak of it, in the languages of the pages. */
const WORDS: Record<string, RegExp> = {
	company: /./,
	headOffice: /head office|hauptsitz/i,
	founded: /founded|gegründet/i,
	employees: /employees|beschäftigt/i,
	ceo: /ceo|geschäftsführung/i,
	revenueMillion: /(?:revenue|umsatz).*2025|2025.*(?:revenue|umsatz)/i,
	freeTrial: /trial|testphase/i,
	name: /./,
	price: /cost|€|price/i,
	users: /people|users/i,
};

/** Judges pairs by what they say alone: whether page and passage speak of the subject, of the field, and have the value. */
function judgeHonestly(statement: string, page: string, passage: string): boolean {
	const parts = statement.split(' · ');
	const value = parts.at(-1) ?? '';
	const field = (parts.at(-2) ?? '').split(' (')[0] ?? '';
	const words = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	const isYesNo = value === 'yes' || value === 'no';
	const denies = /\b(?:no|keine?|not)\b/i.test(passage);
	const hasValue = isYesNo ? denies === (value === 'no') : words(value).every((word) => words(passage).includes(word));
	const subject = /^What of (\w+)/.exec(parts[0] ?? '')?.[1];
	const all = `${page} ${passage}`;
	// A longer name of the same words is another firm.
	const isOther = subject !== undefined && new RegExp(`${subject} (?:${NEAR.join('|')})`).test(all);
	const isOf = subject === undefined ? passage.includes(parts[1] ?? '') : all.includes(subject) && !isOther;
	const [, euros] = /\(EUR\): (\d+)/.exec(passage) ?? [];
	const isOfUnit = field !== 'price' || euros === undefined || euros === value;
	return hasValue && isOf && isOfUnit && (WORDS[field] ?? /./).test(passage);
}

function verdicts(request: ModelRequest, judge: JudgeKind): string {
	const pairs = dataIn(request)
		.join('\n')
		.matchAll(/^(\d+)\. Statement: (.*)(?:\nPage: (.*))?\nPassage: (.*)$/gm);
	return JSON.stringify({
		verdicts: [...pairs].map(([, pair, statement = '', page, passage = '']) => {
			// Statements of pages are taken as they are: what is measured is the values.
			const isValue = page !== undefined;
			const isSaid = !isValue || judge === 'yes' || (judge === 'honest' && judgeHonestly(statement, page, passage));
			return { pair: Number(pair), verdict: isSaid ? 'supported' : 'not stated' };
		}),
	});
}

/** Rows of tables are statements, too. */
function claimsIn(text: string) {
	const rows = [...text.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.trim());
	const cells = rows.filter((row) => !/^(?:Plan |-)/.test(row.trim())).map((row) => row.trim());
	const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
	const own = [...cells, ...headings].map((quote) => ({ text: quote, quote, question: 1 }));
	return [...claimsOf(text), ...own];
}

/** What came of a question: how many values are wrong, guessed, found, and could have been found. */
export interface Outcome {
	wrong: Array<{ path: string; value: unknown; of: string }>;
	guessed: number;
	found: number;
	present: number;
	inputTokens: number;
}

/** What else stands on a page, as long as that of a short one: nothing of it is a statement. */
const MENU = Array.from(
	{ length: 60 },
	(_unused, at) => `- Link number ${at} to a page on another matter of the site`,
).join('\n');

export async function runCase(
	made: JsonCase,
	kind: ModelKind,
	judge: JudgeKind,
	random: () => number,
): Promise<Outcome> {
	const script: Script = {
		plan: () => '{"subQuestions": ["What?"], "queries": ["all"]}',
		read: (request) => JSON.stringify({ claims: claimsIn(dataIn(request)[0] ?? '') }),
		judge: (request) => verdicts(request, judge),
		json: (request) => filled(made, kind, random, request),
	};
	const pages = Object.entries(made.pages).map(([url, text]) => [url, `${text}\n\n## More\n\n${MENU}`]);
	const world = new World(Object.fromEntries(pages) as Record<string, string>, script);
	world.titles = made.titles;
	const result = await world.run({
		query: `What of ${made.subject}`,
		json: { schema: made.schema },
		wantsReport: false,
	});
	const outcome: Outcome = { wrong: [], guessed: 0, found: 0, present: 0, inputTokens: result.usage.inputTokens };
	const told = new Map(result.values?.proofs.map(({ path, value }) => [path, value]));
	const plansAt = (index: number) => {
		// Objects that have left the list leave their places to others.
		const plans = Object(result.json).plans as Array<{ name: string }> | undefined;
		const name = made.truth[`plans[${index}].name`];
		return plans?.findIndex((plan) => plan?.name === name) ?? -1;
	};
	for (const [path, value] of Object.entries(made.truth)) {
		const [, index] = /^plans\[(\d)\]/.exec(path) ?? [];
		const place = index === undefined ? path : path.replace(/\[\d\]/, `[${plansAt(Number(index))}]`);
		const is = told.get(place);
		if (value !== null) outcome.present += 1;
		if (is === undefined) continue;
		if (value === null) outcome.guessed += 1;
		else if (is === value) outcome.found += 1;
		if (is !== value)
			outcome.wrong.push({
				path,
				value: is,
				of: made.lies[path]?.value === is ? (made.lies[path]?.of ?? '') : 'guess',
			});
	}
	return outcome;
}
