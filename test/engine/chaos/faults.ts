import type { FaultRule } from '../../../sandbox/control/faultBook.ts';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import type { Random } from '../../../sandbox/runtime/runtime.ts';
import { kindOf } from './kinds';
import type { ChaosKind } from './kinds';

/** Faults that strike before the service does its work. Those that refuse prove that it did none. */
const BEFORE: readonly FaultRule[] = [
	{ kind: 'status', httpStatus: 500 },
	{ kind: 'status', httpStatus: 503, retryAfter: 1 },
	{ kind: 'status', httpStatus: 504 },
	{ kind: 'status', httpStatus: 408 },
	{ kind: 'status', httpStatus: 400, error: 'Bad Request' },
	{ kind: 'status', httpStatus: 401, error: 'Unauthorized: Invalid token' },
	{ kind: 'status', httpStatus: 402 },
	{ kind: 'status', httpStatus: 403, error: 'Forbidden' },
	{ kind: 'status', httpStatus: 404, error: 'Not here' },
	{ kind: 'status', httpStatus: 409, error: 'Conflict' },
	{ kind: 'status', httpStatus: 418, error: 'I am a teapot' },
	{ kind: 'rateLimit' },
	{ kind: 'rateLimit', retryAfter: 1 },
	{ kind: 'rateLimit', retryAfter: 'soon' },
	{ kind: 'reset' },
	{ kind: 'hang' },
	{ kind: 'html' },
	{ kind: 'htmlError' },
	{ kind: 'empty' },
	{ kind: 'truncated' },
	{ kind: 'redirect', to: 'https://elsewhere.example/' },
	{ kind: 'redirect', to: 'file:///etc/passwd', httpStatus: 307 },
	{ kind: 'slow', ms: 700 },
	{ kind: 'wrongShape', body: [] },
	{ kind: 'wrongShape', body: { success: true, id: '../../admin', status: 5, data: 'x' } },
	{ kind: 'wrongShape', body: { success: 'yes', id: { toString: 1 }, status: ['completed'] } },
	{ kind: 'body', httpStatus: 200, body: '{"success":true,"id":"cut off' },
	{ kind: 'body', httpStatus: 500, headers: { 'Content-Type': 'text/html' }, body: '{"error":{}}' },
];

/** Faults that spoil only the answer: the work was done. */
const AFTER: readonly FaultRule[] = [
	{ kind: 'status', httpStatus: 500, when: 'after' },
	{ kind: 'status', httpStatus: 502, when: 'after' },
	{ kind: 'status', httpStatus: 408, when: 'after' },
	{ kind: 'reset', when: 'after' },
	{ kind: 'hang', when: 'after' },
	{ kind: 'truncated', when: 'after' },
	{ kind: 'htmlError', when: 'after' },
	{ kind: 'empty', when: 'after' },
	{ kind: 'slow', ms: 500, when: 'after' },
	{ kind: 'wrongShape', body: { success: true }, when: 'after' },
	{ kind: 'wrongType' },
];

/** Faults that change the job itself. */
const JOB: readonly FaultRule[] = [{ kind: 'failJob', error: 'Chaos let it fail' }, { kind: 'expire' }];

/** Requests of one job that may be struck, by step: most jobs make fewer. */
const JOB_STEPS: Steps = { start: 4, status: 8 };
const SCRAPE_STEPS: Steps = { scrape: 4 };

type Steps = Partial<Record<'start' | 'status' | 'scrape', number>>;

/** One item of an execution. */
export interface Asked {
	/** Of the job, among all of the run. */
	number: number;
	question: string;
	kind: ChaosKind;
}

/** What the execution with this number asks for with these jobs. */
export function askedBy(execution: number, numbers: readonly number[], seed: number): Asked[] {
	const kind = kindOf(execution);
	return numbers.map((number) => ({ number, kind, question: kind.questionOf(number, seed) }));
}

export interface FaultParts {
	seed: number;
	/** Share of the requests that are struck. */
	share: number;
}

/**
 * The faults of one job, drawn from the seed and its question alone: the same job suffers the same
 * faults in every run, whatever else happens meanwhile.
 */
export function faultsOf({ question, number, kind }: Asked, { seed, share }: FaultParts): FaultRule[] {
	const random = seededRandom(seed * 100_003 + number);
	const steps = kind.isJob ? JOB_STEPS : SCRAPE_STEPS;
	return Object.entries(steps).flatMap(([step, requests]) => {
		const struckBefore = new Map<string, number>();
		const rules: FaultRule[] = [];
		for (let request = 0; request < requests; request++) {
			if (random() >= share) continue;
			const fault = draw(random);
			const phase = phaseOf(fault);
			const earlier = struckBefore.get(phase) ?? 0;
			struckBefore.set(phase, earlier + 1);
			// A fault that strikes hides its request from those behind it, which count by themselves.
			const skip = request - earlier;
			rules.push({ ...fault, step: step as keyof Steps, query: question, skip, times: 1 });
		}
		return rules;
	});
}

function draw(random: Random): FaultRule {
	const all = [...BEFORE, ...AFTER, ...JOB];
	return all[Math.floor(random() * all.length)] ?? { kind: 'reset' };
}

function phaseOf(fault: FaultRule): string {
	if (fault.kind === 'failJob' || fault.kind === 'expire') return 'job';
	return fault.kind === 'wrongType' ? 'after' : (fault.when ?? 'before');
}
