import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../service/http/answer';
import type { JsonObject } from '../service/http/transport';
import { readCredits } from './webPage';

/** Fields of the envelope, which the item tells in its own way. */
const ENVELOPE = ['success', 'status', 'error'];

/** True for data that says nothing: none at all, an empty text, list or object (recording agent-16). */
export function holdsNothing(data: unknown): boolean {
	if (data === undefined || data === null || data === '') return true;
	return typeof data === 'object' && Object.keys(data).length === 0;
}

/**
 * Everything a status body tells, without its envelope. The reason of a failed job is called `reason`:
 * n8n takes an item with a field `error` for a failed one (docs/reference/n8n-internals.md#fields-named-error). Credits
 * below zero are unknown ones.
 */
export function recordFields(body: JsonObject): IDataObject {
	const { error: reason, creditsUsed } = body;
	const isUnknown = typeof creditsUsed === 'number' && readCredits(body) === undefined;
	const left = isUnknown ? [...ENVELOPE, 'creditsUsed'] : ENVELOPE;
	const kept = Object.entries(body).filter(([name]) => !left.includes(name));
	return {
		...(Object.fromEntries(kept) as IDataObject),
		...(typeof reason === 'string' && reason !== '' && { reason }),
	};
}

/**
 * `2026-11-21 20:30:00.625328+00`, as the service’s database writes it
 * (docs/reference/service-notes.md#times-of-the-database), or with a T.
 */
const LOCAL_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*([+-]\d\d)(?::?(\d\d))?$/;

/** Names under which times are told; other texts are left as they are, whatever they look like. */
const TIME_NAME = /(At|_at|Activity|Date|Start|End|Success|Run|time|timestamp)$/;

/**
 * The same data with every time in ISO 8601 and UTC, which n8n's date functions read. Only texts under a
 * name for a time and in such a form are changed.
 */
export function withIsoDates(data: JsonObject): JsonObject {
	const entries = Object.entries(data).map(([name, value]) => [name, isoValue(name, value)]);
	return Object.fromEntries(entries) as JsonObject;
}

function isoValue(name: string, value: unknown): unknown {
	if (Array.isArray(value)) return value.map((one: unknown) => isoValue(name, one));
	if (isJsonObject(value)) return withIsoDates(value);
	if (typeof value !== 'string' || !TIME_NAME.test(name)) return value;
	const [, day, time, fraction = '', hours, minutes = '00'] = LOCAL_TIME.exec(value) ?? [];
	if (day === undefined) return value;
	const date = new Date(`${day}T${time}${fraction}${hours}:${minutes}`);
	return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

/** The one item of a cancel. Some services name the state besides (recording crawl-12). */
export function cancelledItem(id: string, { status }: JsonObject): IDataObject[] {
	return [{ cancelled: true, id, ...(typeof status === 'string' && { status }) }];
}

/** The item of a cancel that came too late: the job has ended, which is what was wanted. */
export function endedItem(id: string, reason: string): IDataObject[] {
	return [{ cancelled: false, id, reason }];
}
