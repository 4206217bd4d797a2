import { checkText } from '../../../nodes/research/checkText';
import type { CheckedText } from '../../../nodes/research/checkText';
import type { ModelRequest } from '../../../nodes/research/contract/parts';
import { QUESTION, World, dataIn } from '../research/world.ts';

/** A fact as a page says it, and as a report may say it. */
interface Fact {
	relation: 'plant' | 'bought' | 'sundays';
	subject: string;
	/** A town, or a firm that was bought; empty where there is none. */
	object: string;
	year: number;
	number: number;
	isDenied: boolean;
}

type Form = 'same' | 'paraphrase' | 'german';

/** How a page says a fact, and a report in three forms. */
const SAY: Record<Fact['relation'], Record<'page' | Form, (fact: Fact) => string>> = {
	plant: {
		page: (f) => `${f.subject} opened a plant in ${f.object} in ${f.year} with ${f.number} workers.`,
		same: (f) => `In ${f.year}, ${f.subject} opened a plant in ${f.object} with ${f.number} workers.`,
		paraphrase: (f) =>
			`${f.number} people have been employed at the ${f.object} factory of ${f.subject} since ${f.year}.`,
		german: (f) => `${f.subject} eröffnete ${f.year} ein Werk in ${f.object} mit ${f.number} Beschäftigten.`,
	},
	bought: {
		page: (f) => `${f.subject} bought ${f.object} in ${f.year} for ${f.number} million euros.`,
		same: (f) => `In ${f.year}, ${f.subject} bought ${f.object} for ${f.number} million euros.`,
		paraphrase: (f) =>
			`${f.object} has belonged to ${f.subject} since a takeover of ${f.year} worth ${f.number} million EUR.`,
		german: (f) => `${f.subject} kaufte ${f.object} im Jahr ${f.year} für ${f.number} Millionen Euro.`,
	},
	sundays: {
		page: (f) => `${f.subject} ${f.isDenied ? 'does not offer' : 'offers'} deliveries on Sundays.`,
		same: (f) => `On Sundays, ${f.subject} ${f.isDenied ? 'does not offer' : 'offers'} deliveries.`,
		paraphrase: (f) => `Parcels of ${f.subject} ${f.isDenied ? 'never come' : 'come'} at the end of the week, too.`,
		german: (f) => `${f.subject} liefert am Sonntag ${f.isDenied ? 'nicht' : 'auch'} aus.`,
	},
};

const NAME = '([A-Z][a-z]+(?: [A-Z][a-z]+)?)';

/** Reads a fact out of words, whatever their form: this is all that a judge knows. */
const READ: Array<[relation: Fact['relation'], pattern: RegExp, names: string]> = [
	['plant', new RegExp(`${NAME} opened a plant in ${NAME} in (\\d+) with (\\d+) workers`), 'soyn'],
	['plant', new RegExp(`In (\\d+), ${NAME} opened a plant in ${NAME} with (\\d+) workers`), 'yson'],
	['plant', new RegExp(`(\\d+) people have been employed at the ${NAME} factory of ${NAME} since (\\d+)`), 'nosy'],
	['plant', new RegExp(`${NAME} eröffnete (\\d+) ein Werk in ${NAME} mit (\\d+) Beschäftigten`), 'syon'],
	['bought', new RegExp(`In (\\d+), ${NAME} bought ${NAME} for (\\d+) million`), 'yson'],
	['bought', new RegExp(`${NAME} bought ${NAME} in (\\d+) for (\\d+) million`), 'soyn'],
	['bought', new RegExp(`${NAME} has belonged to ${NAME} since a takeover of (\\d+) worth (\\d+) million`), 'osyn'],
	['bought', new RegExp(`${NAME} kaufte ${NAME} im Jahr (\\d+) für (\\d+) Millionen`), 'soyn'],
	['sundays', new RegExp(`${NAME} (?:does not offer|offers) deliveries on Sundays`), 's'],
	['sundays', new RegExp(`On Sundays, ${NAME} (?:does not offer|offers) deliveries`), 's'],
	['sundays', new RegExp(`Parcels of ${NAME} (?:never come|come) at the end`), 's'],
	['sundays', new RegExp(`${NAME} liefert am Sonntag (?:nicht|auch) aus`), 's'],
];

function factIn(text: string): Fact | undefined {
	for (const [relation, pattern, names] of READ) {
		const [whole, ...groups] = pattern.exec(text) ?? [];
		if (whole === undefined) continue;
		const of = (name: string) => groups[names.indexOf(name)] ?? '';
		const isDenied = /does not|never|nicht/.test(whole);
		return { relation, subject: of('s'), object: of('o'), year: Number(of('y')), number: Number(of('n')), isDenied };
	}
	return undefined;
}

/** A judge that goes by the pair alone. */
function judgedHonestly(statement: string, passage: string): string {
	const [said, shown] = [factIn(statement), factIn(passage)];
	if (!said || !shown || said.relation !== shown.relation) return 'not stated';
	const isSame = JSON.stringify(said) === JSON.stringify(shown);
	if (isSame) return 'supported';
	const isReversed = said.subject === shown.object && said.object === shown.subject;
	if (said.subject !== shown.subject) return isReversed ? 'contradicted' : 'not stated';
	return said.relation === 'bought' && said.object !== shown.object ? 'not stated' : 'contradicted';
}

export const LIES = ['figure', 'year', 'firm', 'object', 'negation', 'reversed', 'other page'] as const;
export type Lie = (typeof LIES)[number];

/** A sentence of a report with what is true of it. */
interface Told {
	text: string;
	url: string;
	form: Form;
	lie?: Lie;
	/** Its source cannot be seen, or not all of it. */
	isUnseen: boolean;
}

export const LAYOUTS = ['numbers', 'footnotes', 'hosts', 'html', 'bare'] as const;

const FIRMS = ['Acme', 'Brino', 'Calvera', 'Dorval', 'Elmstad', 'Fjordly', 'Granit', 'Halvor', 'Isarna', 'Juniper'];
const TOWNS = ['Oslo', 'Lyon', 'Graz', 'Porto', 'Turin', 'Ghent', 'Bergen', 'Lucerne', 'Utrecht', 'Split'];

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const other = <T>(random: () => number, from: readonly T[], not: readonly T[]): T =>
	pick(
		random,
		from.filter((one) => !not.includes(one)),
	);

function factBy(random: () => number, subject: string): Fact {
	const relation = pick(random, ['plant', 'plant', 'bought', 'bought', 'sundays'] as const);
	const hasNumbers = relation !== 'sundays';
	return {
		relation,
		subject,
		object: relation === 'plant' ? pick(random, TOWNS) : relation === 'bought' ? other(random, FIRMS, [subject]) : '',
		year: hasNumbers ? 1990 + Math.floor(random() * 35) : 0,
		number: hasNumbers ? 105 + Math.floor(random() * 800) : 0,
		isDenied: !hasNumbers && random() < 0.5,
	};
}

function lieOf(random: () => number, fact: Fact): { fact: Fact; lie: Lie } {
	const lie = pick(
		random,
		LIES.filter((one) => {
			if (fact.relation === 'sundays') return one === 'negation' || one === 'firm' || one === 'other page';
			return one !== 'negation' && (one !== 'reversed' || fact.relation === 'bought');
		}),
	);
	const changed = { ...fact };
	if (lie === 'figure') changed.number += 7;
	if (lie === 'year') changed.year -= 3;
	if (lie === 'firm') changed.subject = other(random, FIRMS, [fact.subject, fact.object]);
	if (lie === 'object')
		changed.object = other(random, fact.relation === 'plant' ? TOWNS : FIRMS, [fact.subject, fact.object]);
	if (lie === 'negation') changed.isDenied = !fact.isDenied;
	if (lie === 'reversed') [changed.subject, changed.object] = [fact.object, fact.subject];
	return { fact: changed, lie };
}

const FILLER = Array.from(
	{ length: 12 },
	(_one, at) => `Paragraph ${at + 1} of this page is about the weather of the region, and of its hills and rivers.`,
).join('\n\n');

/** A report in one layout, its pages, and what is true of its sentences. */
function reportBy(random: () => number, layout: (typeof LAYOUTS)[number], seen: 'all' | 'some') {
	const pages: Record<string, string> = {};
	const partly: string[] = [];
	const told: Told[] = [];
	for (let at = 0; at < 5; at += 1) {
		const subject = FIRMS[(at * 2 + Math.floor(random() * 2)) % FIRMS.length] ?? 'Acme';
		const url = `https://site${at}-${Math.floor(random() * 1e6)}.example/report/${at}`;
		const facts = [factBy(random, subject), factBy(random, subject)];
		if (facts[0]?.relation === facts[1]?.relation) facts.splice(1, 1);
		pages[url] = `# Report ${at}\n\n${facts.map((fact) => SAY[fact.relation].page(fact)).join('\n\n')}\n\n${FILLER}`;
		const isUnseen = seen === 'some' && at === 0;
		if (isUnseen) {
			const kind = pick(random, ['wall', 'pdf', 'script'] as const);
			const first = `# Report ${at}\n\n${FILLER}`;
			if (kind === 'wall') pages[url] = `${first}\n\nSubscribe to continue reading.`;
			if (kind === 'script') pages[url] = 'You need to enable JavaScript to run this app.';
			if (kind === 'pdf') {
				pages[url] = first;
				partly.push(url);
			}
		}
		for (const fact of facts) {
			const form = random() < 1 / 3 ? 'german' : random() < 3 / 8 ? 'paraphrase' : 'same';
			const isLie = random() < 0.5;
			const { fact: said, lie } = isLie ? lieOf(random, fact) : { fact, lie: undefined };
			const text = SAY[said.relation][form](said);
			told.push({ text, url, form, isUnseen, ...(lie && { lie }) });
		}
	}
	// A true sentence with the number of another page.
	for (const one of told) if (one.lie === 'other page') one.url = other(random, Object.keys(pages), [one.url]);
	for (const one of told) one.isUnseen = seen === 'some' && one.url === Object.keys(pages)[0];
	return { text: layOut(layout, told, Object.keys(pages)), pages, partly, told };
}

function layOut(layout: (typeof LAYOUTS)[number], told: readonly Told[], urls: readonly string[]): string {
	const numberOf = ({ url }: Told) => urls.indexOf(url) + 1;
	const sentence = ({ text }: Told) => text.replace(/\.$/, '');
	switch (layout) {
		case 'numbers':
			return `# A report\n\n${told.map((one) => `${sentence(one)} [${numberOf(one)}].`).join(' ')}\n\n## Sources\n\n${urls.map((url, at) => `${at + 1}. [A page](${url})`).join('\n')}`;
		case 'footnotes':
			return `${told.map((one) => `${one.text}[^${numberOf(one)}]`).join(' ')}\n\n${urls.map((url, at) => `[^${at + 1}]: A page, ${url}`).join('\n')}`;
		case 'hosts':
			return told.map((one) => `${one.text} ([${new URL(one.url).hostname}](${one.url}?utm_source=chat))`).join(' ');
		case 'html':
			return `<html><body><h1>A report</h1>${told.map((one) => `<p>${sentence(one)} <a href="${one.url}">[${numberOf(one)}]</a>.</p>`).join('')}</body></html>`;
		case 'bare':
			return told.map((one) => `- ${sentence(one)} (${one.url}).`).join('\n');
	}
}

export const CHECK_JUDGES = ['honest', 'yes', 'no'] as const;
export type CheckJudge = (typeof CHECK_JUDGES)[number];

/** What came of the sentences of reports. */
export interface CheckOutcome {
	trueOnes: number;
	lies: Record<string, number>;
	/** Lies that were let through, by kind. */
	through: Record<string, number>;
	/** True sentences that are told as not stated or contradicted. */
	accused: string[];
	/** The same of sentences whose source could not be seen. */
	unseenAccused: string[];
	/** Sentences of a report that were not found in the text, or under another source. */
	lost: string[];
	/** Sentences whose source was seen, and on which nothing was decided. */
	open: string[];
	supported: number;
	tokens: number;
	credits: number;
}

/** Checks one report. */
export async function checkReport(
	random: () => number,
	layout: (typeof LAYOUTS)[number],
	seen: 'all' | 'some',
	judge: CheckJudge,
	outcome: CheckOutcome,
): Promise<CheckedText> {
	const { text, pages, partly, told } = reportBy(random, layout, seen);
	const world = new World(pages, {
		checkText: (request) => findIn(request),
		judge: (request) => verdicts(request, judge),
	});
	for (const url of partly) world.partly.add(url);
	const page = world.page.bind(world);
	world.page = (url) => page(url.replace('?utm_source=chat', ''));
	const question = { ...QUESTION, query: 'check', maxPages: 20 };
	const checked = await world.clock.until(checkText(text, question, world.parts));
	for (const one of told) {
		const plain = (text: string) => text.replace(/\.$/, '');
		const cites = ({ sources }: { sources: number[] }) =>
			sources.some((number) => checked.sources[number - 1]?.url.startsWith(one.url));
		const found = checked.sentences.find((sentence) => plain(sentence.text) === plain(one.text) && cites(sentence));
		if (!found) {
			outcome.lost.push(`${layout}: ${one.text}`);
			continue;
		}
		const isAccusing = found.verdict === 'notStated' || found.verdict === 'contradicted';
		if (one.isUnseen) {
			if (isAccusing) outcome.unseenAccused.push(`${layout}: ${one.text} ${found.verdict}`);
		} else if (one.lie) {
			outcome.lies[one.lie] = (outcome.lies[one.lie] ?? 0) + 1;
			if (found.verdict === 'supported') outcome.through[one.lie] = (outcome.through[one.lie] ?? 0) + 1;
			else if (!isAccusing) outcome.open.push(`${layout}: ${one.text} ${found.verdict}`);
		} else {
			outcome.trueOnes += 1;
			if (found.verdict === 'supported') outcome.supported += 1;
			else if (!isAccusing) outcome.open.push(`${layout}: ${one.text} ${found.verdict}`);
			if (isAccusing) outcome.accused.push(`${layout} ${one.form}: ${one.text} ${JSON.stringify(found)}`);
		}
	}
	outcome.tokens += checked.usage.inputTokens + checked.usage.outputTokens;
	outcome.credits += checked.usage.creditsUsed;
	return checked;
}

/** The model that reads: of each sentence the words of the page that speak of the same. */
function findIn(request: ModelRequest): string {
	const [lines = '', page = ''] = dataIn(request);
	const shown = page.split('\n').filter((line) => factIn(line));
	const found = [...lines.matchAll(/^(\d+)\. (.*)$/gm)].flatMap(([, number, text = '']) => {
		const said = factIn(text);
		const quote = shown.find((line) => factIn(line)?.relation === said?.relation);
		return said && quote !== undefined ? [{ sentence: Number(number), quote }] : [];
	});
	return JSON.stringify({ found });
}

function verdicts(request: ModelRequest, judge: CheckJudge): string {
	const pairs = dataIn(request)
		.join('\n')
		.matchAll(/^(\d+)\. Statement: (.*)\nPage: .*\nPassage: (.*)$/gm);
	return JSON.stringify({
		verdicts: [...pairs].map(([, pair, statement = '', passage = '']) => ({
			pair: Number(pair),
			verdict: judge === 'yes' ? 'supported' : judge === 'no' ? 'not stated' : judgedHonestly(statement, passage),
		})),
	});
}
