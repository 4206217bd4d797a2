import { createHash } from 'node:crypto';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { readPatterns } from '../../fields/job/ignoredLines';
import { addressKey } from '../../../text/addressKey';

/** What the pages of a job are compared with, and how. */
export interface ChangesAsked {
	/** What was asked for: pages are compared with the last run that asked for the same. */
	asked: string;
	/** Names the settings that decide what a page's content is: with others, no page can be compared. */
	settings: string;
	ignored: readonly RegExp[];
	/** Most pages that were asked for; undefined where a page that is not there proves nothing. */
	limit: number | undefined;
	/** Where a crawl begins: without this page nothing is known of the others. */
	start?: string;
}

/** Settings of a start that change neither which pages there are nor what they show. */
const WITHOUT_EFFECT = ['url', 'urls', 'limit', 'webhook', 'maxConcurrency', 'delay', 'origin'];

/** Whether only new and changed pages are wanted. */
export function asksForChanges({ onlyChanged, output }: JsonObject): boolean {
	return onlyChanged === true && output !== 'status';
}

/**
 * The body of a start whose pages are as they are now, unless the user has set Max Age: without it the service may
 * answer with a copy that is up to two days old. A fresh page costs the same.
 */
export function withFreshPages(body: JsonObject): JsonObject {
	if (typeof body.url !== 'string') return { maxAge: 0, ...body };
	const own = isJsonObject(body.scrapeOptions) ? body.scrapeOptions : {};
	return { ...body, scrapeOptions: { maxAge: 0, ...own } };
}

/**
 * What the options of a node ask for; undefined where all pages are wanted. `sent` is the body of a start;
 * without it the job was started elsewhere, and nothing is known of what was asked for. Throws a ServiceFailure of
 * kind badInput for a pattern that cannot be used.
 */
export function changesAsked(
	label: string,
	{ onlyChanged, ignoredLines, output }: JsonObject,
	sent: JsonObject | undefined,
): ChangesAsked | undefined {
	if (!asksForChanges({ onlyChanged, output })) return undefined;
	const patterns = typeof ignoredLines === 'string' ? ignoredLines : '';
	const { url, limit } = sent ?? {};
	const isSite = typeof url === 'string';
	const own = Object.entries(sent ?? {}).filter(([name]) => !WITHOUT_EFFECT.includes(name));
	return {
		asked: isSite ? `${label} ${addressKey(url)}` : `${label}${sent ? '' : ' by ID'}`,
		settings: createHash('sha256')
			.update(JSON.stringify([own.sort(), patterns]))
			.digest('base64url')
			.slice(0, 8),
		ignored: readPatterns(patterns),
		...(isSite && { start: url }),
		limit: isSite && typeof limit === 'number' ? limit : undefined,
	};
}
