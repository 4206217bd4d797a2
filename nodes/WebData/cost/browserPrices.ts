import type { JsonObject } from '../../service/http/transport';
import { counted } from './worstCase';
import type { WorstCase } from './worstCase';

/** Credits for each minute of a browser, one minute at least (docs/service-notes.md#prices). */
const CODE_RATE = 2;
const PROMPT_RATE = 7;

/** How long a session lives at most where nobody says so (docs/service-notes.md#browser-sessions). */
const SESSION_SECONDS = 600;

/** How long the page of an interaction stays open at most: nobody can set it (docs/service-notes.md#browser-sessions). */
const INTERACTION_SECONDS = 600;

/** A session: as long as it may live. */
export function sessionPrice({ ttl }: JsonObject): WorstCase {
	return minutesPrice(typeof ttl === 'number' ? ttl : SESSION_SECONDS, CODE_RATE);
}

/** An interaction: the page stays open for more, so the time until it ends by itself counts. */
export function interactPrice({ prompt }: JsonObject): WorstCase {
	const rate = prompt === undefined ? CODE_RATE : PROMPT_RATE;
	return { ...minutesPrice(INTERACTION_SECONDS, rate), lower: [] };
}

function minutesPrice(seconds: number, rate: number): WorstCase {
	const minutes = Math.max(1, seconds / 60);
	return {
		credits: Math.ceil(minutes * rate),
		sum: `${counted(Math.round(minutes * 10) / 10, 'minute')} × ${rate}`,
		lower: ['Lifetime'],
		notCounted: [],
	};
}
