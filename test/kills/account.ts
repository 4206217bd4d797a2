import type { AcceptedStart } from '../../sandbox/control/statistics.ts';
import { ASKS_TO_LOOK, isOver, nameOf } from './course.ts';
import type { Course } from './course.ts';
import type { LogOfStarts } from './stored.ts';

/** What became of all that was asked and started. */
export interface Account {
	questions: number;
	starts: number;
	/** Jobs whose analysis is in the items of a finished execution. */
	results: number;
	/** Jobs that only the log names, and how many of them Get has collected. */
	named: number;
	collected: number;
	/** Jobs without a known id, of which the log says that their start was sent. */
	unnamed: number;
	/** Questions that were never started, of executions that were left. */
	notStarted: number;
	/** Retries that the node refused, because n8n had died in it. */
	refusals: number;
	/** Starts of a question whose execution had died in the same node before, twice. */
	again: number;
	violations: string[];
}

export interface Evidence {
	courses: readonly Course[];
	starts: readonly AcceptedStart[];
	log: LogOfStarts;
	/** Ids of the jobs that were collected with Get. */
	collected: ReadonlySet<string>;
}

/** Follows every job that the service has started, and every question that it was asked. */
export function account(evidence: Evidence): Account {
	const sum: Account = {
		questions: 0,
		starts: evidence.starts.length,
		results: 0,
		named: 0,
		collected: 0,
		unnamed: 0,
		notStarted: 0,
		refusals: 0,
		again: 0,
		violations: [],
	};
	for (const course of evidence.courses) {
		const last = course.executions.at(-1);
		if (!isOver(course)) {
			const state = `${last?.status ?? 'without execution'}, ${last?.error ?? 'no error'}`;
			sum.violations.push(`${nameOf(course)} does not end: ${state}`);
		}
		sum.refusals += course.executions.filter(({ error }) => ASKS_TO_LOOK.test(error ?? '')).length;
		course.questions.forEach((_question, item) => new Follower(course, item, evidence, sum).follow());
	}
	return sum;
}

/** Follows one question. */
class Follower {
	private readonly question: string;
	private readonly course: Course;
	private readonly item: number;
	private readonly evidence: Evidence;
	private readonly sum: Account;

	constructor(course: Course, item: number, evidence: Evidence, sum: Account) {
		this.question = course.questions[item] ?? '';
		this.course = course;
		this.item = item;
		this.evidence = evidence;
		this.sum = sum;
	}

	follow(): void {
		const { course, sum, evidence } = this;
		const jobs = evidence.starts.filter(({ query }) => query === this.question);
		sum.questions += 1;
		if (jobs.length === 0 && course.left.size > 0) sum.notStarted += 1;
		else if (jobs.length === 0) this.complain('was never started');
		for (const { id } of jobs) this.followJob(id);
		if (jobs.length <= 1) return;
		// The node refuses the first retry after a death; what is known of a second one is in the log only.
		if (course.habit === 'hasty' && course.crashed.size > 1) sum.again += jobs.length - 1;
		else this.complain(`started ${jobs.length} times`);
	}

	private followJob(id: string): void {
		const { course, sum, evidence } = this;
		const results = new Map(course.executions.flatMap((one) => [...one.results]));
		const analysis = results.get(id);
		if (analysis !== undefined) {
			sum.results += 1;
			if (!analysis.includes(this.question)) this.complain(`${id} has another question's result`);
		} else if (evidence.log.started.some(({ jobId }) => jobId === id)) {
			sum.named += 1;
			if (evidence.collected.has(id)) sum.collected += 1;
			else this.complain(`the log names its job ${id}, but Get did not collect it`);
		} else {
			sum.unnamed += 1;
			if (!this.isTold()) this.complain(`its job ${id} is forgotten`);
		}
	}

	/** Whether the log says that this question's start was sent. */
	private isTold(): boolean {
		const ids = new Set(this.course.executions.map(({ id }) => id));
		return this.evidence.log.sent.some(({ executionId, item }) => ids.has(executionId) && item === this.item);
	}

	private complain(what: string): void {
		this.sum.violations.push(`${nameOf(this.course)}, ${this.question}: ${what}`);
	}
}
