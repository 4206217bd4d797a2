import { isJsonObject } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import type { ValueCheck } from './operation';

/** The formats that a request asks for of each page. */
export interface AskedFormats {
	/** Names of the formats that are put out in the JSON of the item. */
	formats: readonly string[];
	/** PDF files are stored as they are, and so are not read. */
	keepsPdf: boolean;
	/** Personal data is to be redacted. */
	redacts: boolean;
}

/** Formats whose content stands in a page under another name. */
const PLACES: Partial<Record<string, string>> = {
	question: 'answer',
	query: 'answer',
	deterministicJson: 'json',
};

/** Formats that are texts or links, which say nothing when they are empty; a list or a record may be. */
const TEXTS = [
	'markdown',
	'html',
	'rawHtml',
	'summary',
	'question',
	'query',
	'screenshot',
	'audio',
	'video',
	'rawBase64',
];

/** First characters of a PDF file in base64. */
const PDF_DATA = 'JVBERi0';

/**
 * The formats in the body of a request: at its top, or in its scrape options. What is stored as a file is left
 * to those who store it, and a text that is asked for only to check values on it to those who check. Undefined where
 * nothing is asked for by name.
 */
export function askedFormats(
	sent: JsonObject | undefined,
	stored: readonly string[],
	check?: ValueCheck,
): AskedFormats | undefined {
	const options = isJsonObject(sent?.scrapeOptions) ? sent.scrapeOptions : sent;
	if (!options || !Array.isArray(options.formats)) return undefined;
	const names = options.formats.map((one: unknown) => (isJsonObject(one) ? one.type : one));
	const formats = names.filter((name): name is string => typeof name === 'string');
	const isPutOut = (name: string) => !stored.includes(name) && !(check?.hidesText && name === 'markdown');
	return {
		formats: formats.filter(isPutOut),
		keepsPdf: stored.includes('pdf'),
		redacts: options.redactPII !== undefined && options.redactPII !== false,
	};
}

/**
 * The formats that a page lacks: of which it says nothing at all. An empty list, and a record that is null, are
 * answers: there are no links, no product.
 */
export function lackingFormats(page: JsonObject, { formats }: AskedFormats): string[] {
	return formats.filter((format) => {
		const content = page[PLACES[format] ?? format];
		if (content === undefined) return true;
		return (content === null || content === '') && TEXTS.includes(format);
	});
}

/** True for a screenshot that was asked for and is a link, which expires. */
export function isLinkedScreenshot({ screenshot }: JsonObject, { formats }: AskedFormats): boolean {
	return formats.includes('screenshot') && typeof screenshot === 'string' && /^https?:/.test(screenshot);
}

/** True for a PDF file that was kept as it is although its text was asked for. */
export function isUnreadPdf({ markdown }: JsonObject, { formats, keepsPdf }: AskedFormats): boolean {
	if (!keepsPdf || !formats.includes('markdown')) return false;
	return typeof markdown === 'string' && markdown.startsWith(PDF_DATA);
}
