import { readPage } from '../../html/pageText.ts';
import { fillSchema } from '../../text/fillSchema.ts';
import { rankSentences } from '../../text/rankSentences.ts';
import { termsOf } from '../../text/terms.ts';
import { formatOf } from '../options/formats.ts';
import type { Finding } from '../../text/rankSentences.ts';
import type { Format } from '../options/formats.ts';

/**
 * The formats for which the service asks a language model. The sandbox has none: it picks sentences of
 * the page and fills schemas with them.
 */

const SUMMARY_SENTENCES = 3;
const HIGHLIGHTS = 3;

export interface PickedFormats {
	[field: string]: unknown;
	summary?: string;
	json?: unknown;
	answer?: string;
	highlights?: string;
}

/** The page's sentences, those first that deal with the wish. */
function findings(html: string, url: string, wish: string): Finding[] {
	const page = readPage(url, html);
	const wanted = termsOf(wish);
	const topic = `${page.title} ${page.description}`;
	return rankSentences([page], wanted.length > 0 ? wanted : termsOf(topic));
}

/** The structured data for a schema, a prompt or both; undefined where neither is given (recording scrape-27). */
export function pickJson(
	html: string,
	url: string,
	wish: { schema?: unknown; prompt?: string | undefined },
): unknown {
	if (wish.schema === undefined && wish.prompt === undefined) return undefined;
	return fillSchema(wish.schema, findings(html, url, wish.prompt ?? ''));
}

/** What the formats ask for of summary, json, answer and highlights. */
export function pickFormats(html: string, url: string, formats: readonly Format[]): PickedFormats {
	const picked: PickedFormats = {};
	const best = (wish: string, most: number): string[] =>
		findings(html, url, wish)
			.slice(0, most)
			.map(({ text }) => text);
	if (formatOf(formats, 'summary')) {
		picked.summary = best('', SUMMARY_SENTENCES).join(' ') || readPage(url, html).description;
	}
	const json = formatOf(formats, 'json');
	if (json) {
		const value = pickJson(html, url, json);
		if (value !== undefined) picked.json = value;
	}
	const question = formatOf(formats, 'question')?.question ?? formatOf(formats, 'query')?.prompt;
	if (question !== undefined) picked.answer = best(question, 1).join(' ');
	const highlights = formatOf(formats, 'highlights');
	if (highlights) picked.highlights = best(highlights.query, HIGHLIGHTS).join('\n\n');
	return picked;
}
