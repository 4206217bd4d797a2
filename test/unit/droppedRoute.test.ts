import { readAnswer } from '../../nodes/service/http/answer';
import { ServiceFailure } from '../../nodes/service/http/failure';
import type { ServiceRequest } from '../../nodes/service/http/transport';

const BASE = 'https://api.example';

function failureOf(
	status: number,
	request: Pick<ServiceRequest, 'method' | 'path'>,
	json?: unknown,
) {
	try {
		readAnswer({ status, headers: {}, json, text: 'x' }, { bucket: 'crawl', ...request }, BASE, 0);
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw error;
	}
	throw new Error('It was taken for an answer.');
}

const START = { method: 'POST', path: '/v1/deep-research' } as const;
const STATUS = { method: 'GET', path: '/v1/deep-research/abc' } as const;

describe('a server that has dropped deep research', () => {
	it.each([
		[404, START, undefined],
		[404, START, { success: false, error: 'Not found' }],
		[410, START, undefined],
		[410, STATUS, { success: false, error: 'Gone' }],
	])('is told with what to use instead: %s', (status, request, json) => {
		const failure = failureOf(status, request, json);
		expect(failure.message).toContain('use the node Web Research');
		if (json) expect(failure.message).toContain(`The service says: ${json.error}.`);
		expect([failure.reached, failure.isMissingOnServer]).toEqual(['no', true]);
	});

	it('is none where a job is unknown, or another route is gone', () => {
		const unknown = failureOf(404, STATUS, { success: false, error: 'Job not found' });
		expect(unknown.notFound).toBe(true);
		expect(unknown.message).not.toContain('Web Research');
		const other = failureOf(404, { method: 'POST', path: '/v1/llmstxt' });
		expect(other.message).not.toContain('Web Research');
	});
});
