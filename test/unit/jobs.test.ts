import fc from 'fast-check';

import {
	deepResearchJob,
	readJob,
	readJobId,
	statusRequest,
} from '../../nodes/service/jobs/jobKinds';

const read = (body: Record<string, unknown>) => readJob(deepResearchJob, body);

it.each([
	['completed', 'done'],
	['failed', 'failed'],
	['cancelled', 'failed'],
	['processing', 'running'],
	['queued', 'running'],
	['something new', 'running'],
	['Completed', 'running'],
])('takes the state %s for %s, at the top and in data', (status, phase) => {
	expect(read({ status })).toMatchObject({ phase, state: status });
	expect(read({ success: true, data: { status } })).toMatchObject({ phase, state: status });
});

it('goes by the state and not by success, the one at the top first', () => {
	expect(read({ success: false, status: 'completed' }).phase).toBe('done');
	expect(read({ success: true, status: 'failed', data: { status: 'completed' } }).phase).toBe(
		'failed',
	);
	expect(read({ status: '', data: { status: 'completed' } }).phase).toBe('done');
});

it('gives the reason of a failure in the service’s words, from either place', () => {
	expect(read({ status: 'failed', error: 'No credits left' }).reason).toBe('No credits left');
	expect(read({ status: 'failed', data: { error: 'No pages' } }).reason).toBe('No pages');
	expect(read({ status: 'failed' }).reason).toBe('');
});

it('never throws and waits on when the body names no state', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
			const { phase, state } = read({ ...body, status: 5 });
			if (state === 'unknown') expect(phase).toBe('running');
		}),
	);
	expect(read({ data: ['completed'] })).toMatchObject({ phase: 'running', state: 'unknown' });
	expect(read({ status: 'x'.repeat(10_000) }).state).toHaveLength(100);
});

it.each([
	['fd35809c-be05-4e60-8ab8-0c8fa2cf7c7b', 'fd35809c-be05-4e60-8ab8-0c8fa2cf7c7b'],
	[' abc_1 \n', 'abc_1'],
	['a/b', undefined],
	['..', undefined],
	['a.b', undefined],
	['a%2Fb', undefined],
	['a?b', undefined],
	['a#b', undefined],
	['a\\b', undefined],
	['a b', undefined],
	['a\nb', undefined],
	['a\u0000', undefined],
	['é', undefined],
	['a'.repeat(128), 'a'.repeat(128)],
	['a'.repeat(129), undefined],
	['', undefined],
	[null, undefined],
	[12, undefined],
	[['a'], undefined],
	[{ id: 'a' }, undefined],
])('reads the id %j as %j', (value, id) => {
	expect(readJobId(value)).toBe(id);
});

it('lets no id change the path of a status request', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (value) => {
			const id = readJobId(value);
			if (id === undefined) return;
			const { pathname, search } = new URL(
				statusRequest(deepResearchJob, id).path,
				'https://a.example',
			);
			expect([pathname, search]).toEqual([`/v1/deep-research/${id}`, '']);
		}),
	);
	expect(statusRequest(deepResearchJob, '$&')).toMatchObject({
		method: 'GET',
		bucket: 'crawlStatus',
	});
});
