import { ServiceFailure } from '../../nodes/service/http/failure';
import type { FailureFacts } from '../../nodes/service/http/failure';
import type { ListWord } from '../../nodes/service/jobs/jobAbsence';
import { crawlJob } from '../../nodes/service/jobs/jobKinds';
import { areUnreadable } from '../../nodes/service/results/unreadJobs';
import type { UnreadSince } from '../../nodes/service/results/unreadJobs';

const failure = (facts: Partial<FailureFacts>) =>
	new ServiceFailure({ kind: 'http', reached: 'maybe', message: 'It failed.', ...facts });
const gone = failure({ httpCode: 404, notFound: true });
const keyRefused = failure({ httpCode: 401 });
const outage = failure({ httpCode: 502 });

/** Judges a job that cannot be read at these seconds, each time because of this. */
function watch(list: ListWord) {
	const since = new Map<string, UnreadSince>();
	const asked: string[] = [];
	return {
		asked,
		async at(second: number, ...failures: ServiceFailure[]) {
			return await areUnreadable(
				failures.map((why, index) => ({ id: `job${index}`, failure: why })),
				{
					kind: crawlJob,
					since,
					nowMs: second * 1000,
					askList: async (id) => {
						asked.push(id);
						return await Promise.resolve(list);
					},
				},
			);
		},
	};
}

describe('a suspended job that the service denies', () => {
	it('is waited for within a minute, and the list is not asked', async () => {
		const job = watch('notListed');
		for (const second of [2, 4, 8, 16, 30, 61]) expect(await job.at(second, gone)).toBe(false);
		expect(job.asked).toEqual([]);
	});

	it('is left to the node after a minute where the list does not have it', async () => {
		const job = watch('notListed');
		expect(await job.at(2, gone)).toBe(false);
		expect(await job.at(62, gone)).toBe(true);
		expect(job.asked).toEqual(['job0']);
	});

	it('is waited for as long as the list has it, or cannot be read for five minutes', async () => {
		const listed = watch('listed');
		const unread = watch('unread');
		for (const job of [listed, unread]) {
			expect(await job.at(2, gone)).toBe(false);
			expect(await job.at(301, gone)).toBe(false);
		}
		expect(await listed.at(4000, gone)).toBe(false);
		expect(await unread.at(302, gone)).toBe(true);
	});

	it('is denied again after an answer that does not deny it', async () => {
		const job = watch('notListed');
		await job.at(2, gone);
		await job.at(50, outage);
		expect(await job.at(70, gone)).toBe(false);
	});
});

describe('a suspended job whose status is refused', () => {
	it('is left to the node after a minute, as with a key that was withdrawn', async () => {
		const job = watch('notListed');
		expect(await job.at(2, keyRefused)).toBe(false);
		expect(await job.at(61, keyRefused)).toBe(false);
		expect(await job.at(62, keyRefused)).toBe(true);
		expect(job.asked).toEqual([]);
	});

	it('is refused again after an answer that does not refuse it', async () => {
		const job = watch('notListed');
		await job.at(2, keyRefused);
		await job.at(50, outage);
		expect(await job.at(70, keyRefused)).toBe(false);
	});
});

it('no outage, however long, resumes an execution', async () => {
	const job = watch('notListed');
	for (const why of [outage, failure({ kind: 'unreachable' }), failure({ kind: 'rateLimited' })]) {
		for (const second of [0, 120, 3600]) expect(await job.at(second, why)).toBe(false);
	}
	expect(job.asked).toEqual([]);
});

it('one job that may still be read keeps the others waiting', async () => {
	const job = watch('notListed');
	await job.at(2, keyRefused, outage);
	expect(await job.at(100, keyRefused, outage)).toBe(false);
	expect(await job.at(110, keyRefused)).toBe(true);
});
