import type { IDataObject } from 'n8n-workflow';

/** An element of a list where an ID is chosen from it. */
export interface Choice {
	id: string;
	/** What a person knows it by. */
	name: string;
}

/**
 * A choice by what is known of it: `Prices · paused`; without anything, by its ID. Undefined for an element
 * without an ID, which cannot be chosen.
 */
export function choiceOf({ id }: IDataObject, ...parts: unknown[]): Choice | undefined {
	if (typeof id !== 'string' || id === '') return undefined;
	const known = parts.filter((part): part is string => typeof part === 'string' && part !== '');
	return { id, name: known.length === 0 ? id : known.join(' · ') };
}

/**
 * The minute of a time in ISO 8601 as a clock in this zone shows it: `2026-11-21 20:09`; undefined for anything
 * else. A time that names no zone is in UTC.
 */
export function minuteOf(time: unknown, timeZone: string): string | undefined {
	const [, local, zone] =
		/^(\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*)(Z|[+-]\d\d:?\d\d)?$/.exec(String(time)) ?? [];
	if (local === undefined) return undefined;
	const date = new Date(`${local}${zone ?? 'Z'}`);
	if (Number.isNaN(date.getTime())) return undefined;
	const format = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
	// The Swedish way to write a date is that of ISO 8601.
	return new Intl.DateTimeFormat('sv-SE', format).format(date);
}
