import { ServiceFailure } from '../../nodes/service/http/failure';
import type { FailureFacts } from '../../nodes/service/http/failure';
import { crawlJob, extractJob } from '../../nodes/service/jobs/jobKinds';
import type { JobKind } from '../../nodes/service/jobs/jobKinds';
import { areUnreadable } from '../../nodes/service/results/unreadJobs';
import type { DeniedSince } from '../../nodes/service/results/unreadJobs';

const failure = (facts: Partial<FailureFacts>) =>
	new ServiceFailure({ kind: 'http', reached: 'maybe', message: 'It failed.', ...facts });
const gone = failure({ httpCode: 404, notFound: true });
const keyRefused = failure({ httpCode: 401 });
const outage = failure({ httpCode: 502 });

/** Judges a job that cannot be read at these seconds, each time because of this. */
function watch(kind: JobKind = crawlJob) {
	const since: DeniedSince = new Map();
	return {
		at: (second: number, ...failures: ServiceFailure[]) =>
			areUnreadable(
				failures.map((why, index) => ({ id: `job${index}`, failure: why })),
				{ kind, since, nowMs: second * 1000 },
			),
	};
}

describe('a suspended job that the service denies', () => {
	it('is waited for within a minute, and left to the node then', () => {
		const job = watch();
		for (const second of [2, 4, 8, 16, 30, 61]) expect(job.at(second, gone)).toBe(false);
		expect(job.at(62, gone)).toBe(true);
	});

	it('is denied again after an answer that does not deny it', () => {
		const job = watch();
		job.at(2, gone);
		job.at(50, outage);
		expect(job.at(70, gone)).toBe(false);
	});
});

it('a suspended job whose status is refused is left to the node at once, as with a key that was withdrawn', () => {
	expect(watch().at(2, keyRefused)).toBe(true);
});

it('no outage, however long, resumes an execution', () => {
	const job = watch();
	for (const why of [outage, failure({ kind: 'unreachable' }), failure({ kind: 'rateLimited' })]) {
		for (const second of [0, 120, 3600]) expect(job.at(second, why)).toBe(false);
	}
});

it('nor does what some servers answer for an unknown id, as with an extract', () => {
	const job = watch(extractJob);
	for (const second of [0, 120, 3600]) expect(job.at(second, failure({ httpCode: 500 }))).toBe(false);
});

it('one job that may still be read keeps the others waiting', () => {
	const job = watch();
	expect(job.at(100, keyRefused, outage)).toBe(false);
	expect(job.at(110, keyRefused)).toBe(true);
});
