/** What a model can do wrong on request: see `sandbox/model/spoiledReply.ts` and the chat route. */
export const MODEL_FAULTS = [
	/** JSON in a code fence, with a sentence before and after it. */
	'fenced',
	/** The reply breaks off in the middle. */
	'brokenJson',
	/** Its thoughts stand before the reply, with JSON of another kind in them. */
	'thinking',
	/** The content is a list of parts, a thought first. */
	'parts',
	/** Quotes that stand on no page. */
	'inventedQuotes',
	/** Other figures in what it states; its quotes stay true. */
	'changedFigures',
	/** Finds every statement supported. */
	'judgesWrongly',
	/** Leaves out every second verdict. */
	'judgesHalf',
	/** Judges in words instead of data. */
	'judgesInWords',
	/** Cites numbers and addresses that it was not given. */
	'unknownCitations',
	'refusal',
	'empty',
	/** The tokens are not counted. */
	'noUsage',
	/** 429, to be asked again after a second. */
	'rateLimit',
	/** 500. */
	'serverError',
	/** 400: the prompt is longer than the context. */
	'contextTooLong',
] as const;
export type ModelFault = (typeof MODEL_FAULTS)[number];

/** What the name of a model asks for. */
export interface NamedModel {
	faults: ModelFault[];
	/** Milliseconds before it answers. */
	slowMs: number;
	/** The prompt may have so many tokens. */
	contextTokens: number;
}

/** So that a workflow for a real model runs as it is. */
const OPENAI = /^(?:gpt-|text-embedding-)[a-z0-9.-]+$/;
const SLOW = /^slow(\d{1,6})$/;
const CONTEXT = /^context(\d{1,9})$/;

/**
 * Reads the name of a model: `sandbox`, or `sandbox:` and what goes wrong, joined by `+`, for example
 * `sandbox:fenced+slow2000` or `sandbox:context8000`. OpenAI's names stand for it, too. Undefined for a model that there is not.
 */
export function readModelName(name: string): NamedModel | undefined {
	const [base, settings, ...more] = name.split(':');
	const isKnown = base === 'sandbox' || OPENAI.test(base ?? '');
	if (!isKnown || more.length > 0) return undefined;
	const model: NamedModel = { faults: [], slowMs: 0, contextTokens: Infinity };
	for (const word of settings?.split('+') ?? []) {
		const fault = MODEL_FAULTS.find((known) => known === word);
		const slow = SLOW.exec(word)?.[1];
		const context = CONTEXT.exec(word)?.[1];
		if (fault !== undefined) model.faults.push(fault);
		else if (slow !== undefined) model.slowMs = Number(slow);
		else if (context !== undefined) model.contextTokens = Number(context);
		else return undefined;
	}
	return model;
}
