import { readAnswer } from '../../nodes/service/http/answer';
import { isAnswerLost, ServiceFailure } from '../../nodes/service/http/failure';
import { Attempts, policyFor } from '../../nodes/service/http/retry';
import type { ServiceRequest } from '../../nodes/service/http/transport';
import plain from '../fixtures/plainServer.json';

const OWN = 'http://127.0.0.1:3002';
const HOSTED = 'https://api.firecrawl.dev';

type Recorded = (typeof plain)[number];

function failureOf({ status, body, method, path }: Recorded, baseUrl = OWN): ServiceFailure {
	const request = { method, path, bucket: 'other' } as ServiceRequest;
	try {
		readAnswer({ status, headers: {}, json: body, text: '' }, request, baseUrl, 0);
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw error;
	}
	throw new Error('That is no failure.');
}

const isRepeated = (method: ServiceRequest['method'], failure: ServiceFailure): boolean =>
	new Attempts(policyFor({ method }), { now: () => 0, random: () => 0 }).after(failure) !== 'giveUp';

const named = (names: string[]) => plain.filter(({ name }) => names.includes(name));

const missing = plain.filter(({ advice }) => advice !== '');
const others = plain.filter(({ advice }) => advice === '');

it.each(missing.map((one) => [one.name, one] as const))(
	'%s: is asked once, is not started, and says what works there',
	(_name, recorded) => {
		const failure = failureOf(recorded);
		expect(failure.isMissingOnServer).toBe(true);
		expect(failure.mayHaveExecuted).toBe(false);
		expect(isAnswerLost(failure)).toBe(false);
		for (const method of ['GET', 'POST', 'DELETE'] as const) {
			expect(isRepeated(method, failure)).toBe(false);
		}
		expect(failure.message).toMatch(/^This server .+: .+\. The service says: .+[^.]\.$/);
		expect(failure.message).toContain(recorded.advice);
	},
);

it.each(others.map((one) => [one.name, one] as const))('%s: is no word about the server', (_name, recorded) => {
	expect(failureOf(recorded).isMissingOnServer).toBe(false);
});

it('the hosted service has what fails there for a moment', () => {
	for (const recorded of named(['plain-35-activity', 'plain-30-credit-usage', 'plain-21-monitor-list'])) {
		const failure = failureOf(recorded, HOSTED);
		expect(failure.isMissingOnServer).toBe(false);
		expect(isRepeated('GET', failure)).toBe(true);
	}
});
