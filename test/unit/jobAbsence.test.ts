import fc from 'fast-check';

import { ServiceFailure } from '../../nodes/service/http/failure';
import type { FailureFacts } from '../../nodes/service/http/failure';
import {
	deniedSince,
	isGone,
	isLongDenied,
	statusWordOf,
} from '../../nodes/service/jobs/jobAbsence';
import type { ListWord, StatusWord } from '../../nodes/service/jobs/jobAbsence';
import { crawlJob, extractJob } from '../../nodes/service/jobs/jobKinds';

const failure = (facts: Partial<FailureFacts>) =>
	new ServiceFailure({ kind: 'http', reached: 'maybe', message: 'It failed.', ...facts });

describe('what a status request says of whether a job exists', () => {
	it.each<[StatusWord, Partial<FailureFacts>]>([
		['denied', { httpCode: 404, notFound: true }],
		['failed', { httpCode: 404 }],
		['failed', { httpCode: 500 }],
		['failed', { kind: 'timeout' }],
		['noWord', { kind: 'rateLimited', httpCode: 429 }],
		['noWord', { kind: 'aborted' }],
	])('is "%s" for %j', (word, facts) => {
		expect(statusWordOf(crawlJob, failure(facts))).toBe(word);
	});

	it('is "mayBeDenied" for a 500 of a kind that some servers answer so for an unknown id', () => {
		expect(statusWordOf(extractJob, failure({ httpCode: 500 }))).toBe('mayBeDenied');
		expect(statusWordOf(extractJob, failure({ httpCode: 502 }))).toBe('failed');
	});

	it('is "known" without a failure', () => {
		expect(statusWordOf(crawlJob, undefined)).toBe('known');
	});
});

const words: StatusWord[] = ['known', 'denied', 'mayBeDenied', 'failed', 'noWord'];
const lists: ListWord[] = ['listed', 'notListed', 'noList', 'unread'];
const answers = fc.array(
	fc.record({ word: fc.constantFrom(...words), afterMs: fc.integer({ min: 0, max: 40_000 }) }),
	{ minLength: 1 },
);

it('proves that a job is gone only after a minute of denials without any other answer, and never while it is listed', () => {
	fc.assert(
		fc.property(answers, fc.constantFrom(...lists), (given, list) => {
			let nowMs = 0;
			let sinceMs: number | undefined;
			let lastOtherMs = 0;
			for (const { word, afterMs } of given) {
				nowMs += afterMs;
				sinceMs = deniedSince(sinceMs, word, nowMs);
				if (word === 'known' || word === 'failed') lastOtherMs = nowMs;
				if (!isGone({ word, sinceMs, nowMs }, list)) continue;
				expect(['denied', 'mayBeDenied']).toContain(word);
				expect(nowMs - lastOtherMs).toBeGreaterThanOrEqual(60_000);
				expect(list).not.toBe('listed');
				if (word === 'mayBeDenied') expect(list).toBe('notListed');
			}
		}),
	);
});

it.each<[ListWord, StatusWord, number | undefined]>([
	['notListed', 'denied', 60_000],
	['notListed', 'mayBeDenied', 60_000],
	['noList', 'denied', 60_000],
	['noList', 'mayBeDenied', undefined],
	['unread', 'denied', 300_000],
	['unread', 'mayBeDenied', undefined],
	['listed', 'denied', undefined],
	['notListed', 'noWord', undefined],
])('where the list says "%s" and the status "%s", a job is gone after %p ms', (list, word, ms) => {
	const sinceMs = 1000;
	const isGoneAfter = (forMs: number) => isGone({ word, sinceMs, nowMs: sinceMs + forMs }, list);
	expect(isGoneAfter(10_000_000)).toBe(ms !== undefined);
	if (ms === undefined) return;
	expect(isGoneAfter(ms)).toBe(true);
	expect(isGoneAfter(ms - 1)).toBe(false);
});

it('is not gone when it was never denied', () => {
	expect(isLongDenied(undefined, 1e9)).toBe(false);
	expect(isLongDenied(0, 59_999)).toBe(false);
	expect(isGone({ word: 'denied', sinceMs: undefined, nowMs: 1e9 }, 'notListed')).toBe(false);
});
