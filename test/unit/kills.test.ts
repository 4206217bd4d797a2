import { account } from '../chaos/kills/account.ts';
import { newCourse } from '../chaos/kills/course.ts';
import type { Course } from '../chaos/kills/course.ts';
import type { LogOfStarts, Stored } from '../chaos/kills/stored.ts';

// The check of npm run chaos:kills must itself see what it is there to see.

const QUESTION = 'Which one?';
const CAREFUL = 1;
const HASTY = 2;

const job = (id: string) => ({
	id,
	kind: 'deepResearch' as const,
	query: QUESTION,
	startedAtMs: 0,
});

function courseOf(number: number, status: string, result?: string): Course {
	const results = new Map(result === undefined ? [] : [[result, `About: ${QUESTION}`]]);
	const none = { retryOf: undefined, startedIds: [], completed: [], error: undefined };
	const execution: Stored = { id: '7', status, results, ...none };
	return { ...newCourse(number, [QUESTION]), executions: [execution] };
}

interface Facts {
	course: Course;
	ids: string[];
	log?: Partial<LogOfStarts>;
	collected?: string[];
}

const violationsOf = ({ course, ids, log, collected = [] }: Facts): string[] =>
	account({
		courses: [course],
		starts: ids.map(job),
		log: { sent: [], started: [], ...log },
		collected: new Set(collected),
	}).violations;

const left = (): Course => {
	const course = courseOf(CAREFUL, 'crashed');
	course.left.add('7');
	return course;
};
const line = { executionId: '7', item: 0 };

it('is content with one start and its result', () => {
	expect(violationsOf({ course: courseOf(CAREFUL, 'success', 'a'), ids: ['a'] })).toEqual([]);
});

it.each([CAREFUL, HASTY])('sees a question that was started twice (course %i)', (number) => {
	const log = { sent: [line], started: [] };
	const course = courseOf(number, 'success', 'b');
	expect(violationsOf({ course, ids: ['a', 'b'], log })).toEqual([
		expect.stringContaining('started 2 times'),
	]);
});

it('sees a job that nothing tells of', () => {
	expect(violationsOf({ course: left(), ids: ['a'] })).toEqual([
		expect.stringContaining('its job a is forgotten'),
	]);
	expect(violationsOf({ course: left(), ids: ['a'], log: { sent: [line] } })).toEqual([]);
});

it('sees a job in the log that could not be collected', () => {
	const log = { started: [{ ...line, jobId: 'a' }] };
	const facts = { course: left(), ids: ['a'], log };
	expect(violationsOf(facts)).toEqual([expect.stringContaining('Get did not collect it')]);
	expect(violationsOf({ ...facts, collected: ['a'] })).toEqual([]);
});

it('sees a workflow that never ends, and a question that was never started', () => {
	expect(violationsOf({ course: courseOf(CAREFUL, 'running'), ids: [] })).toEqual([
		expect.stringContaining('does not end: running'),
		expect.stringContaining('was never started'),
	]);
});
