import { shorten } from '../http/shortText';
import type { JsonObject } from '../http/transport';

const MAX_WARNINGS = 5;

/** What takes the place of an endpoint in n8n: the service names only endpoints. */
const IN_N8N: ReadonlyArray<readonly [remark: RegExp, instead: string]> = [
	[/deep-research.* deprecated/, 'In n8n, the node Web Research does this.'],
	[/extract.* deprecated/, 'In n8n, use Page · Scrape with the format JSON, or Agent · Start.'],
];

/**
 * What the service remarks beside a result, in its own words: `warning`, `warnings`, and the
 * `replacement` of what it will give up (recordings of 2026: crawl, map, scrape, deep research). Never
 * throws; wrong types count as missing.
 */
export function readWarnings({ warning, warnings, replacement }: JsonObject): string[] {
	if (warning === undefined && warnings === undefined && replacement === undefined) return [];
	const listed = Array.isArray(warnings) ? warnings.slice(0, MAX_WARNINGS) : [];
	const all = [warning, ...listed].filter(isText).map((text) => shorten(text));
	const texts = [...new Set(all)].map(withNode);
	if (!isText(replacement)) return texts;
	// The remark that something is deprecated names what replaces it, in most cases.
	const isNamed = texts.some((text) => text.includes(replacement));
	return isNamed ? texts : [...texts, `Use ${shorten(replacement)} instead.`];
}

function withNode(text: string): string {
	const [, instead] = IN_N8N.find(([remark]) => remark.test(text)) ?? [];
	return instead === undefined ? text : `${text} ${instead}`;
}

/** The same as the service gave it, for an output that tells all: only what is there. */
export function remarksOf(body: JsonObject): JsonObject {
	const { warning, warnings, replacement } = body;
	return {
		...(says(warning) && { warning }),
		...(says(warnings) && { warnings }),
		...(says(replacement) && { replacement }),
	};
}

function says(value: unknown): boolean {
	return isText(value) || (Array.isArray(value) && value.length > 0);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
