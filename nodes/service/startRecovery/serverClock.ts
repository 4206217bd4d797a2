import { readHeader } from '../http/transport';
import type { JsonObject } from '../http/transport';

/** The service's clock beside ours: it showed `dateMs` (since 1970) or later at `receivedMs` (monotonic). */
export interface ClockReading {
	dateMs: number;
	receivedMs: number;
}

/** The least that the service's clock may have shown at a monotonic time. A Date has whole seconds. */
export function serverTimeOf({ dateMs, receivedMs }: ClockReading, atMs: number): number {
	return dateMs - (receivedMs - atMs);
}

/** What the service's clock shows by the headers of an answer, in milliseconds since 1970. */
export function readDateMs(headers: JsonObject): number | undefined {
	return readTimeMs(readHeader(headers, 'date'));
}

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** When something began by its id: the first 48 bits of a UUID v7 (docs/service-notes.md#ids-hold-the-time). */
export function idTimeMs(id: string): number | undefined {
	const match = UUID_V7.exec(id);
	return match ? Number.parseInt(`${match[1]}${match[2]}`, 16) : undefined;
}

/** `2026-11-21 20:04:16.060777+00`, as the service's database writes it (V8 reads that), or any other date. */
export function readTimeMs(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const ms = Date.parse(value);
	return Number.isNaN(ms) ? undefined : ms;
}
