import type { INodeExecutionData } from 'n8n-workflow';
import { ServiceFailure } from '../../service/http/failure';
import { checkJobs, jobItem, jobItems, judge } from '../jobs/jobEnd';
import type { CheckedJob, EndedJob } from '../jobs/jobEnd';
import { jobFields, isSameAccount, readJobSettings, withWantedJobs } from '../jobs/wantedJobs';
import type { JobSettings } from '../jobs/wantedJobs';
import { shortHash } from '../marks/hashes';
import { MAX_GIVEN_UP, MAX_RUNNING, jobsToCheck, storedJobMark, toldName, withoutOldest } from '../marks/jobMark';
import type { WaitingJob } from '../marks/jobMark';
import { PollFailure } from './pollEvent';
import type { PollEvent, Reader } from './pollEvent';

/** After so many milliseconds a poll asks for no other job's state, and reads no other result: the next one does. */
const CHECKS_BUDGET_MS = 20_000;
const POLL_BUDGET_MS = 40_000;

export const jobFinished: PollEvent = {
	value: 'jobFinished',
	name: 'Job Finished',
	description: 'A crawl, batch scrape, agent or other job has ended, well or not',
	notice:
		'Polling is free. Each poll lists the jobs that the account started in the last 24 hours and checks up to 100 of them; the others follow at the next poll.',
	fields: jobFields,
	isOfAccount: true,
	// IDs and kinds that are added or taken away leave what is known of the others.
	watched: ({ values }) => ({ which: values.which }),
	isSameAccount: async ({ client }, values, mark) => await isSameAccount(client, readJobSettings(values), mark),
	async look(reader, values, stored) {
		const { client } = reader;
		const settings = readJobSettings(values);
		const mark = await withWantedJobs(client, settings, stored);
		const beganMs = client.time.now();
		const asked = jobsToCheck(mark.waiting);
		const checked = await checkJobs(client, asked, beganMs + CHECKS_BUDGET_MS);
		const { ended, waiting } = judgeAll(checked, client.time.wallClock());
		const unreadable = unreadableJobs(checked, waiting);
		const shown = { sample: sampleOf(checked), failure: unreadable };
		if (!mark.begun && settings.which === 'ids') {
			// Their ends are wanted whenever they were: the next poll tells them.
			return { ...shown, news: [], mark: storedJobMark({ ...mark, begun: true }) };
		}
		const wanted = ended.filter(({ job }) => job.isOld !== true);
		const results = await resultsOf(reader, settings, wanted, beganMs + POLL_BUDGET_MS);
		const isAnswered = new Set(checked.map(({ job }) => job));
		const unchecked = mark.waiting.filter((job) => !isAnswered.has(job));
		const [failing, running] = partition(waiting, ({ failures = 0 }) => failures > 0);
		const { kept, givenUp } = withoutOldest([
			...[...results.unread, ...unchecked, ...results.again],
			...[...running, ...failing],
		]);
		const unsaid = [...mark.givenUp, ...givenUp.map(({ id }) => id)].slice(-MAX_GIVEN_UP);
		const failure = unreadable ?? givenUpJobs(unsaid);
		// A poll that starts the workflow says nothing of it, and one failure is said at a time.
		const isSaid = results.news.length === 0 && !unreadable;
		const next = {
			...mark,
			begun: true,
			waiting: kept,
			told: settings.which === 'ids' ? [...mark.told, ...results.told.map(toldName)] : [],
			givenUp: isSaid ? [] : unsaid,
		};
		return { ...shown, failure, news: results.news, mark: storedJobMark(next) };
	},
};

/** What each answer says. */
function judgeAll(checked: readonly CheckedJob[], nowMs: number): { ended: EndedJob[]; waiting: WaitingJob[] } {
	const judged = checked.map((one) => judge(one, nowMs));
	return {
		ended: judged.flatMap((one) => ('ended' in one ? one.ended : [])),
		waiting: judged.flatMap((one) => ('waiting' in one ? one.waiting : [])),
	};
}

function sampleOf(checked: readonly CheckedJob[]): INodeExecutionData | undefined {
	const samples = checked.flatMap(({ job, answer }) => {
		if (answer instanceof ServiceFailure) return [];
		const { phase, state, reason } = answer;
		return jobItem({ job, state: phase === 'running' ? 'running' : state, reason });
	});
	return samples.at(-1);
}

/** What becomes of jobs that have ended. */
interface Results {
	/** What starts the workflow. */
	news: INodeExecutionData[];
	/** The jobs that it tells. */
	told: WaitingJob[];
	/** Those whose result could not be read, for a later poll. */
	again: WaitingJob[];
	/** Those that the next poll begins with, because this one has no time left. */
	unread: WaitingJob[];
}

async function resultsOf(
	{ items, client }: Reader,
	{ output }: JobSettings,
	ended: EndedJob[],
	deadlineMs: number,
): Promise<Results> {
	const results: Results = { news: [], told: [], again: [], unread: [] };
	for (const [at, one] of ended.entries()) {
		const { job } = one;
		// One result a poll is read however slow the service is, so that each is read some day.
		if (output === 'result' && at > 0 && client.time.now() >= deadlineMs) {
			results.unread.push(toReadLater(job));
			continue;
		}
		const found = output === 'result' ? await jobItems(items, one) : [jobItem(one)];
		if (found) {
			results.news.push(...found);
			results.told.push(job);
		} else results.again.push({ ...toReadLater(job), tries: (job.tries ?? 0) + 1 });
	}
	return results;
}

/** A job that has ended and waits for its result only: it is not given up as one that runs. */
function toReadLater(job: WaitingJob): WaitingJob {
	const { isChecked, ...unchecked } = job;
	return isChecked ? unchecked : job;
}

function partition<T>(list: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
	return [list.filter(isFirst), list.filter((one) => !isFirst(one))];
}

/** Most jobs whose IDs are shown. */
const MAX_NAMED = 10;

/** At so many polls in a row the state of a job may not be read before it is named. */
const FAILURES_BEFORE_NAMED = 3;

/**
 * What is to be said of jobs whose state cannot be read: where no state at all could be read, that is trouble
 * with the service; where others can be read, each job is named once it has failed for some polls.
 */
function unreadableJobs(checked: readonly CheckedJob[], waiting: readonly WaitingJob[]): ServiceFailure | undefined {
	const failures = checked.flatMap(({ answer, job }) =>
		answer instanceof ServiceFailure && !answer.notFound ? [{ answer, job }] : [],
	);
	const [first] = failures;
	if (!first) return undefined;
	const { kind, reached, httpCode } = first.answer;
	if (failures.length === checked.length) {
		const message = textOf(
			failures.map(({ job }) => job.id),
			first.answer,
		);
		return new ServiceFailure({
			kind,
			reached,
			message,
			...(httpCode !== undefined && { httpCode }),
		});
	}
	const named = waiting.filter(({ failures: count = 0 }) => count >= FAILURES_BEFORE_NAMED);
	if (named.length === 0) return undefined;
	const ids = named.map(({ id }) => id).sort();
	const one = failures.find(({ job }) => ids.includes(job.id)) ?? first;
	return new PollFailure({
		trouble: `jobs ${shortHash(ids.join())}`,
		message: textOf(ids, one.answer),
		...(httpCode !== undefined && { httpCode }),
	});
}

/** What is to be said of jobs that are not waited for any more, by their ids; undefined where there are none. */
export function givenUpJobs(ids: readonly string[]): ServiceFailure | undefined {
	if (ids.length === 0) return undefined;
	const shown = ids.slice(0, MAX_NAMED).join(', ');
	const others = ids.length > MAX_NAMED ? ' and others' : '';
	return new PollFailure({
		trouble: 'jobs given up',
		message: `More than ${MAX_RUNNING} jobs have not ended, so the end of the oldest is not reported (${shown}${others}). Get reads them.`,
	});
}

function textOf(ids: readonly string[], { message }: ServiceFailure): string {
	const jobs = ids.length === 1 ? 'a job' : `${ids.length} jobs`;
	return `The state of ${jobs} could not be read (${ids.join(', ')}). ${message} The next polls try again.`;
}
