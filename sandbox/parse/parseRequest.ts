import { z } from 'zod';

import { UNKNOWN_KEY_TEXT, callerFields } from '../http/bodySchema.ts';
import { scrapeFields } from '../scrape/options/scrapeOptions.ts';

/** The options of an upload: those of a page but its address (shape parseOptions; recordings parse-55 to parse-85). */
export const parseRequestSchema = z
	.object({
		...scrapeFields(2026),
		...callerFields(2026),
		zeroDataRetention: z.boolean().optional(),
	})
	.strict(UNKNOWN_KEY_TEXT)
	.refine(
		({ formats }) => !formats.some(({ type }) => type === 'rawBase64'),
		'The rawBase64 format is not supported for parse uploads',
	);

export type ParseRequest = z.output<typeof parseRequestSchema>;

/** What an upload cannot be asked for, in the words of the refusal (recordings parse-60 to parse-67). */
export function unsupportedOption(request: ParseRequest): string | undefined {
	const has = (name: string): boolean => request.formats.some(({ type }) => type === name);
	if (request.actions?.length) return 'Parse uploads do not support actions.';
	if (has('screenshot')) return 'Parse uploads do not support screenshot output.';
	if (has('branding')) return 'Parse uploads do not support branding output.';
	if (has('changeTracking')) return 'Parse uploads do not support change tracking.';
	if (request.waitFor > 0) return 'Parse uploads do not support waitFor.';
	if (request.location) return 'Parse uploads do not support location overrides.';
	if (request.mobile) return 'Parse uploads do not support mobile rendering.';
	return request.proxy === 'auto' || request.proxy === 'basic'
		? undefined
		: 'Parse uploads only support proxy values of auto or basic.';
}
