import { formatOf } from './options/formats.ts';
import type { ScrapeOptions } from './options/scrapeOptions.ts';

const DEAR_FORMATS = ['json', 'question', 'query', 'highlights', 'audio', 'video'] as const;
const DEAR = 4;

/** What a page costs with these settings (docs/service-notes.md#prices; recordings scrape-01, scrape-03). */
export function pageCredits(
	options: Pick<ScrapeOptions, 'formats' | 'redactPII' | 'lockdown'> & {
		zeroDataRetention?: boolean | undefined;
	},
	pdfPages = 1,
): number {
	const { formats } = options;
	const dear = DEAR_FORMATS.filter((name) => formatOf(formats, name)).length;
	const tracksJson = formatOf(formats, 'changeTracking')?.modes.includes('json') ?? false;
	return (
		Math.max(1, pdfPages) +
		DEAR * dear +
		(tracksJson && !formatOf(formats, 'json') ? DEAR : 0) +
		(options.redactPII ? DEAR : 0) +
		(options.zeroDataRetention ? 1 : 0) +
		(options.lockdown ? DEAR : 0)
	);
}
