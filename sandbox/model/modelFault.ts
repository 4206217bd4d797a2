import type { Reply } from './chat.ts';

/** What a model can do wrong on request. */
export const MODEL_FAULTS = [
	/** JSON in a code fence, with a sentence before and after it. */
	'fenced',
	/** Its thoughts stand before the reply, with JSON of another kind in them. */
	'thinking',
	/** Quotes that stand on no page. */
	'inventedQuotes',
	/** Other figures in what it states; its quotes stay true. */
	'changedFigures',
	/** Leaves out every second verdict. */
	'judgesHalf',
	/** Judges in words instead of data. */
	'judgesInWords',
	/** Cites numbers and addresses that it was not given. */
	'unknownCitations',
	'refusal',
	/** 429, to be asked again after a second. */
	'rateLimit',
	/** 400: the prompt is longer than the context. */
	'contextTooLong',
	/** Its server has no Responses API, as many that speak OpenAI's language. */
	'noResponses',
] as const;
export type ModelFault = (typeof MODEL_FAULTS)[number];

/** What the name of a model asks for. */
interface NamedModel {
	faults: ModelFault[];
	/** Milliseconds before it answers. */
	slowMs: number;
}

/** So that a workflow for a real model runs as it is. */
const OPENAI = /^(?:gpt-|text-embedding-)[a-z0-9.-]+$/;
const SLOW = /^slow(\d{1,6})$/;

/**
 * Reads the name of a model: `sandbox`, or `sandbox:` and what goes wrong, joined by `+`, for example
 * `sandbox:fenced+slow2000`. OpenAI's names stand for it, too. Undefined for a model that there is not.
 */
export function readModelName(name: string): NamedModel | undefined {
	const [base, settings, ...more] = name.split(':');
	const isKnown = base === 'sandbox' || OPENAI.test(base ?? '');
	if (!isKnown || more.length > 0) return undefined;
	const model: NamedModel = { faults: [], slowMs: 0 };
	for (const word of settings?.split('+') ?? []) {
		const fault = MODEL_FAULTS.find((known) => known === word);
		const slow = SLOW.exec(word)?.[1];
		if (fault !== undefined) model.faults.push(fault);
		else if (slow !== undefined) model.slowMs = Number(slow);
		else return undefined;
	}
	return model;
}

const REFUSAL = "I'm sorry, but I can't help with that.";
const INVENTED = 'An invented sentence with the figure 90210 that no page ever held.';
const THOUGHTS = '<think>\nThe answer could be {"claims": "none yet"}, let me see.\n</think>\n';
const UNKNOWN = ' A further figure is 31337 [97], see https://invented.example/page [98].';

/** Strings of these fields are quotes, word for word. */
const QUOTE = /quote/i;

type Change = (text: string, field: string) => string;

/** The value with every text in it changed; numbers and the rest stay. */
function changeTexts(value: unknown, change: Change, field = ''): unknown {
	if (typeof value === 'string') return change(value, field);
	if (Array.isArray(value)) return value.map((item: unknown) => changeTexts(item, change, field));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, changeTexts(item, change, name)]));
}

/** The same in a reply that is JSON; in any other the text as a whole is changed. */
function changeReply(text: string, change: Change): string {
	try {
		return JSON.stringify(changeTexts(JSON.parse(text), change));
	} catch {
		return change(text, '');
	}
}

/** Another digit for each, but not in a citation such as [3]. */
function otherFigures(text: string): string {
	return text.replace(/\[\d+\]|\d/g, (found) => (found.length > 1 ? found : String((Number(found) + 1) % 10)));
}

function fenced(text: string): string {
	return `Here is the result:\n\n\`\`\`json\n${text}\n\`\`\`\n\nLet me know if you need more.`;
}

/** What the faults make of the reply. Faults of the connection are none of its business. */
export function spoil(reply: Reply, faults: readonly ModelFault[]): Reply {
	return faults.reduce(spoilOnce, reply);
}

function spoilOnce(reply: Reply, fault: ModelFault): Reply {
	const { content } = reply;
	if (fault === 'refusal') return { content: REFUSAL };
	if (content === null) return reply;
	switch (fault) {
		case 'fenced':
			return { ...reply, content: fenced(content) };
		case 'thinking':
			return { ...reply, content: THOUGHTS + content };
		case 'inventedQuotes': {
			const change: Change = (text, field) => (QUOTE.test(field) ? INVENTED : text);
			return { ...reply, content: changeReply(content, change) };
		}
		case 'changedFigures': {
			const change: Change = (text, field) => (QUOTE.test(field) ? text : otherFigures(text));
			return { ...reply, content: changeReply(content, change) };
		}
		case 'unknownCitations': {
			const change: Change = (text, field) =>
				QUOTE.test(field) || text.length < UNKNOWN.length ? text : text + UNKNOWN;
			return { ...reply, content: changeReply(content, change) };
		}
		case 'judgesHalf':
		case 'judgesInWords':
			return { ...reply, content: misjudged(content, fault) };
		default:
			return reply;
	}
}

function misjudged(content: string, fault: ModelFault): string {
	if (!content.startsWith('{"verdicts"')) return content;
	if (fault === 'judgesInWords') return 'All of them look fine to me.';
	const { verdicts } = JSON.parse(content) as { verdicts: Array<{ verdict: string }> };
	return JSON.stringify({ verdicts: verdicts.filter((_verdict, index) => index % 2 === 0) });
}
