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

/** The minute of a time in ISO 8601, for people to read: `2026-11-21 20:09`; undefined for anything else. */
export function minuteOf(time: unknown): string | undefined {
	const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(String(time)) ?? [];
	return day === undefined || minute === undefined ? undefined : `${day} ${minute}`;
}
