import { isAddressedToWriter } from './addressed';
import { missingFigures } from './figures';
import { missingNames } from './names';
import { evenOut } from './pageText';
import { isReversed } from './polarity';

/** A statement of the model about a page, before anything is known of it. */
export interface DraftClaim {
	text: string;
	quote: string;
	/** The number of the sub-question, counted from 1; 0 where the model named none. */
	question: number;
	/** In an answer about quotes that were not found: the number of the claim that this one replaces. */
	replaces?: number;
}

/** A quote of fewer letters and digits proves nothing: it stands on many pages. */
const MIN_QUOTE_SIGNS = 8;

/** A longer one is no quote: it holds every figure. */
const MAX_QUOTE_CHARACTERS = 1000;

/** How far the sentences around a quote reach on either side. */
const MAX_AROUND = 400;

/** Scripts that put spaces between words. */
const WORD_SIGN = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u;

/** Most of a sentence before a quote that is looked at. */
const MAX_LEAD = 120;

/** A sign, a currency or the rest of a figure that a quote leaves out at its beginning. */
const CUT_BEFORE =
	/\d[.,'/:*-]$|(?:^|[\s(])-$|(?:[$€£¥<>~≈±≤≥]|(?<!\p{L})(?:USD?|EUR|GBP|JPY|CHF|minus|to|than|under|over))\s?$/iu;

/** The same at its end. */
const CUT_BEHIND =
	/^(?:[.,'/:*-]\d|\s?%|\s(?:hundred|thousand|million|billion|trillion|tausend|millionen|milliarden?|percent|per cent|prozent)|\s\d{3}(?!\d))/iu;

/** A page whose quotes are looked up, evened out once. */
export class QuotedPage {
	readonly text: string;

	private smallLetters: string | undefined;

	constructor(markdown: string) {
		this.text = evenOut(markdown);
	}

	/** Whether a name, in small letters, stands on the page. */
	hasName(name: string): boolean {
		this.smallLetters ??= this.text.toLowerCase();
		return this.smallLetters.includes(name);
	}

	/** The words of the page that a quote stands for, evened out, or undefined where it is not there. */
	find(quote: string): string | undefined {
		return this.place(quote)?.found;
	}

	/** The sentences of the page that a quote is part of; the quote itself where it is not there. */
	around(quote: string): string {
		const place = this.place(quote);
		if (!place) return quote;
		const before = this.text.slice(Math.max(0, place.at - MAX_AROUND), place.at);
		const behind = this.text.slice(place.at + place.found.length).slice(0, MAX_AROUND);
		const start = Math.max(...[...before.matchAll(/[.!?]\s/g)].map(({ index }) => index + 2), 0);
		const isEnded = /[.!?]'?$/.test(place.found);
		const end = isEnded ? 0 : behind.search(/[.!?](?:\s|$)/);
		return before.slice(start) + place.found + behind.slice(0, end === -1 ? undefined : end);
	}

	private place(quote: string): { at: number; found: string } | undefined {
		const wanted = evenOut(quote)
			.replace(/^'+|'+$/g, '')
			.trim();
		const signs = wanted.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
		if (signs < MIN_QUOTE_SIGNS || wanted.length > MAX_QUOTE_CHARACTERS) return undefined;
		for (let at = this.text.indexOf(wanted); at !== -1; at = this.text.indexOf(wanted, at + 1)) {
			if (this.isWhole(at, at + wanted.length)) return { at, found: wanted };
		}
		return undefined;
	}

	/** False for a part of a word or number: "5 million" is not what "15 million" says. */
	private isWhole(start: number, end: number): boolean {
		const { text } = this;
		const [before, first] = [text[start - 1] ?? '', text[start] ?? ''];
		const [last, after] = [text[end - 1] ?? '', text[end] ?? ''];
		if (WORD_SIGN.test(before) && WORD_SIGN.test(first)) return false;
		if (WORD_SIGN.test(last) && WORD_SIGN.test(after)) return false;
		if (/\d/.test(first) && CUT_BEFORE.test(text.slice(Math.max(0, start - 16), start)))
			return false;
		const isGroup = /^\d{3}(?!\d)/.test(text.slice(start, start + 4));
		if (isGroup && /(?<![\d.,-])\d{1,3} $/.test(text.slice(Math.max(0, start - 5), start)))
			return false;
		return !(/\d/.test(last) && CUT_BEHIND.test(text.slice(end, end + 24)));
	}

	/** What stands before a quote in its sentence. */
	leadOf(quote: string): string {
		const start = this.text.indexOf(quote);
		const before = this.text.slice(Math.max(0, start - MAX_LEAD), Math.max(0, start));
		return before.slice(before.search(/[^.!?]*$/));
	}
}

/**
 * The claim with the words of the page as its quote, when these stand there and hold all figures and dates
 * of the statement; names of the statement stand on the page or in the context (the question). Undefined: the page does not say so in these words.
 */
export function verifyClaim(
	claim: DraftClaim,
	page: QuotedPage,
	context: readonly string[] = [],
): DraftClaim | undefined {
	const quote = page.find(claim.quote);
	if (quote === undefined || missingFigures(claim.text, [quote]).length > 0) return undefined;
	const foreign = missingNames(claim.text, [quote, ...context]);
	if (foreign.some((name) => !page.hasName(name))) return undefined;
	if (isReversed(claim.text, [`${page.leadOf(quote)}${quote}`])) return undefined;
	return { ...claim, quote };
}

/** Sentences that talk to a model and not to a reader: requests to drop its task, fake roles, marks. */
const INSTRUCTION = new RegExp(
	[
		'\\b(ignore|disregard|forget|override|bypass)\\b.{0,40}\\b(instructions?|prompts?|guidelines)\\b',
		'\\b(system|developer) ?(prompt|message|instruction|override)\\b',
		'\\bas (an? )?(ai|llm|large language model|language model|chatbot)\\b',
		'\\b(you are|attention|dear|note to|hey|hello,?) (now )?(an? |the )?(ai|llm|language model|chatbot|assistant|chatgpt|gpt|claude|gemini)\\b',
		'\\byou are now\\b|\\byour (new )?(task|instructions?|answer|output|report|summary) (is|are|must|should|has to)\\b',
		'\\b(reply|respond|answer) (only )?with\\b|\\bin your (report|answer|output|summary|response|reply)\\b',
		'\\b(output|print|say|write|repeat|append|insert|include|add) (only |exactly )?(this|the following) (text|sentence|link|words?|claim)\\b',
		'^[\\s"\'{]*(please )?(answer|reply|respond|say|write|conclude|(report|state|claim)(?= that the\\b)) that\\b',
		'^[\\s"\'{]*(assistant|system|user|human)"?\\s*:',
		'<\\|?/?(system|assistant|user|im_start|im_end|inst)\\b|\\[/?INST\\]|={5,}',
		'["\'](claims|quote)["\']\\s*:',
		'\\b(ignorier|vergiss|missachte)\\w*\\b.{0,40}\\b(anweisung|anleitung)',
	].join('|'),
	'i',
);

/** A role in capital letters begins a message: not the end of a name in capital letters. */
const ROLE = /(?<![A-Z]\s)\b(?:SYSTEM|ASSISTANT)\s*:/;

/**
 * True for a text that reads as an instruction to a model. Such claims are left out: their quotes stand on
 * the page, but they say nothing about the question. The marks around page text are what keeps a model from
 * following them; this keeps them from being repeated.
 */
export function isInstruction(text: string): boolean {
	return INSTRUCTION.test(text) || ROLE.test(text);
}

/** Whether a claim says something about the question, and not to the model: itself and where it was found. */
export function isStatement({ text, quote }: DraftClaim, page: QuotedPage): boolean {
	const passage = page.around(quote);
	return ![text, quote, passage].some(isInstruction) && !isAddressedToWriter(passage);
}
