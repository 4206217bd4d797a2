import type { ScrapeOptions } from '../options/scrapeOptions.ts';

type Redaction = NonNullable<ScrapeOptions['redactPII']>;

/** By rules alone: names and places, which need a model, stay. */
const RULES = [
	{ kind: 'EMAIL', pattern: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g },
	{
		kind: 'FINANCIAL',
		pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}\b|\b(?:\d{4}[ -]?){3}\d{4}\b/g,
	},
	{ kind: 'PHONE', pattern: /(?<![\w.])\+?\d{1,3}[ /-]\(?\d{2,5}\)?(?:[ /-]\d{2,5}){1,4}\b/g },
	{ kind: 'SECRET', pattern: /\b(?:sk|fc|ghp|xoxb)[-_][A-Za-z\d-]{16,}\b/g },
] as const;

/** The text with personal data masked (shape redactPIIOptions). */
export function redactPii(text: string, redaction: Redaction): string {
	if (redaction === false) return text;
	const { entities, replaceStyle } =
		redaction === true ? { entities: undefined, replaceStyle: 'tag' } : redaction;
	let masked = text;
	for (const { kind, pattern } of RULES) {
		if (entities && !entities.includes(kind)) continue;
		masked = masked.replace(pattern, (found) => {
			if (replaceStyle === 'remove') return '';
			return replaceStyle === 'mask' ? '*'.repeat(found.length) : `<${kind}>`;
		});
	}
	return masked;
}
