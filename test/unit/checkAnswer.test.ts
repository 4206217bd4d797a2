import {
	ALL_ENDED,
	NOT_CHECKED,
	NOT_WAITING,
	RECEIVED,
	WRONG_SECRET,
} from '../../nodes/WebData/run/suspension/answers';
import { readCheckAnswer, verdictOf } from '../../nodes/WebData/run/suspension/checks/checkAnswer';

const running = 'The execution "7" is running already.';

describe('an answer to a check of a suspended execution', () => {
	it.each([
		[200, RECEIVED, 'running'],
		[503, NOT_CHECKED, 'unread'],
	])('says that it goes on: %i %s', (status, message, verdict) => {
		for (const isStored of [true, false]) {
			expect(verdictOf({ status, message }, isStored)).toBe(verdict);
		}
	});

	it.each([
		[200, ALL_ENDED],
		[409, NOT_WAITING],
		[401, WRONG_SECRET],
		[409, 'The execution "7 has finished already.'],
		// So n8n answers for one that was stopped.
		[409, 'The execution "7" has finished with error.'],
	])('says that it does not wait for these jobs any more: %i %s', (status, message) => {
		for (const isStored of [true, false]) {
			expect(verdictOf({ status, message }, isStored)).toBe('over');
		}
	});

	it('that runs is resumed where n8n had stored it, and is not stored yet where it had not', () => {
		expect(verdictOf({ status: 409, message: running }, true)).toBe('over');
		expect(verdictOf({ status: 409, message: running }, false)).toBe('busy');
	});

	it.each([
		'The execution "7" does not exist.',
		'The workflow for execution "7" does not contain a waiting webhook with a matching path/method.',
	])('of n8n that it is gone ends the checks where n8n had stored it: %s', (message) => {
		expect(verdictOf({ status: 404, message }, true)).toBe('over');
		expect(verdictOf({ status: 404, message }, false)).toBe('stranger');
	});

	it.each([429, 500, 502, 503])('says that n8n cannot take it now: %i', (status) => {
		expect(verdictOf({ status, message: 'Not now.' }, true)).toBe('busy');
		const badly = { status, message: 'Something has finished badly.' };
		expect(verdictOf(badly, true)).toBe('busy');
	});

	it.each([
		[404, 'no Route matched with those values'],
		[403, 'Forbidden'],
		[401, 'Invalid token'],
		[301, ''],
		[200, 'Hello'],
	])('is of somebody else: %i %s', (status, message) => {
		for (const isStored of [true, false]) {
			expect(verdictOf({ status, message }, isStored)).toBe('stranger');
		}
	});
});

it('reads the status and the message of an answer', () => {
	const answer = { statusCode: 409, body: { code: 409, message: running } };
	expect(readCheckAnswer(answer)).toEqual({ status: 409, message: running });
});

it.each([
	['a worker', { statusCode: 404, body: '<pre>Cannot POST /webhook-waiting' }],
	['a page of a proxy', { statusCode: 502, body: '<html>Bad Gateway</html>' }],
	['a login page', { statusCode: 200, body: { title: 'Log in' } }],
	['nothing', undefined],
])('does not take %s for n8n', (_who, answer) => {
	expect(() => readCheckAnswer(answer)).toThrow('not n8n');
});
