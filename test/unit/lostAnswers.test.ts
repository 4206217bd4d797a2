import {
	executionStopped,
	isAnswerLost,
	refusedInput,
	ServiceFailure,
} from '../../nodes/service/http/failure';
import type { FailureFacts } from '../../nodes/service/http/failure';
import type { LostStartFinding } from '../../nodes/service/jobs/jobTask';
import { scrapedPage, underWay } from '../../nodes/service/jobs/jobKinds';
import {
	candidatesOf,
	lostCallHints,
	lostCallText,
} from '../../nodes/WebData/run/calls/lostCallTexts';

const failure = (facts: Partial<FailureFacts>) =>
	new ServiceFailure({ kind: 'http', reached: 'maybe', message: 'It failed.', ...facts });

describe('an answer is lost', () => {
	it.each<[string, Partial<FailureFacts>]>([
		['a broken connection', { kind: 'connection' }],
		['no answer in time', { kind: 'timeout' }],
		['half an answer', { kind: 'notJson', httpCode: 200 }],
		['a web page of a gateway', { httpCode: 502 }],
		['a failure without a code', { httpCode: 500, answer: { success: false, error: 'x' } }],
		['a code that is no text', { httpCode: 500, answer: { code: 5 } }],
	])('by %s', (_what, facts) => expect(isAnswerLost(failure(facts))).toBe(true));

	it.each([
		[
			'the service says what became of it',
			failure({ httpCode: 500, answer: { code: 'SCRAPE_X' } }),
		],
		['it works on', failure({ httpCode: 408, retryInMs: 5000 })],
		['it never arrived', failure({ kind: 'unreachable', reached: 'no' })],
		['it was refused', failure({ httpCode: 400, reached: 'no' })],
		['it was not sent', refusedInput('Wrong.')],
		['the execution was stopped', executionStopped('maybe')],
	])('not where %s', (_what, one) => expect(isAnswerLost(one)).toBe(false));
});

it('a scrape is known to other searches by its address', () => {
	const known = { place: '/v2/scrape/{jobId}', target: 'https://a.example/?b#c' };
	expect(underWay(scrapedPage, { url: 'HTTPS://a.example?b#c', formats: [] })).toEqual(known);
	expect(underWay(scrapedPage, {}).target).toBe('');
});

describe('what is said of a lost call', () => {
	const PAGE = { collectWith: 'Page · Get', shows: 'address' };
	const BEGIN = 'It may have been done and paid for';

	it('always that it may be paid for, with all ids that it may have', () => {
		const several: LostStartFinding = { kind: 'several', ids: ['a', 'b'] };
		expect(lostCallText(several, PAGE)).toMatch(
			/^It may have been done and paid for: .* more than one that may be it: a, b\. Page · Get collects/,
		);
		expect(lostCallText({ kind: 'several', ids: ['a'] }, PAGE)).toContain("somebody else's: a.");
		expect(lostCallText({ kind: 'found', id: 'a', ageMs: 0, evidence: 'options' }, PAGE)).toContain(
			'by its address and time only, a, but gives no result',
		);
		expect(lostCallText({ kind: 'none', isProof: true }, PAGE)).toContain('does not list it');
		expect(lostCallText({ kind: 'unknown' }, PAGE)).toContain('could not be read');
		expect(lostCallText(undefined, undefined)).toBe(`${BEGIN}. A retry sends it again.`);
		expect(candidatesOf(several)).toEqual(['a', 'b']);
		expect(candidatesOf({ kind: 'found', id: 'a', ageMs: 0, evidence: 'options' })).toEqual(['a']);
		expect(candidatesOf({ kind: 'unknown' })).toEqual([]);
	});

	it('nothing where nothing was lost, else what was found and what was sent again', () => {
		expect(lostCallHints([], [], 'address')).toEqual([]);
		const [found, again] = lostCallHints(
			[{ asked: 'https://a.example', id: 'a' }],
			['b', 'c'],
			'name',
		);
		expect(found?.message).toContain('by its name and time only');
		expect(found?.message).toContain('https://a.example (a).');
		expect(again?.message).toContain('b, c. They were not found');
		expect(again?.message).toContain('may be paid for twice');
	});
});
