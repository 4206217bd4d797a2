import type { N8nClient } from '../../../n8n/client.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { nameOf } from './course.ts';
import type { Course } from './course.ts';
import { readLog, storedExecutions } from './stored.ts';
import type { Stored } from './stored.ts';

/** Where a kill has met an execution. */
export const PLACES = [
	'before its starts were sent',
	'a start sent, none accepted',
	'a start accepted, its answer not read',
	'starts answered, not yet stored',
	'starts stored, no check yet',
	'at or after a check',
	'in the Wait node',
] as const;
export type Place = (typeof PLACES)[number];

/** One execution that was met by a kill. */
export interface Fall {
	course: string;
	place: Place;
	/** Starts that the log tells of, jobs that the service has, and how many of these the log names. */
	sent: number;
	accepted: number;
	named: number;
}

export interface FallParts {
	client: N8nClient;
	sandbox: Sandbox;
	logFile: string;
	/** Ids of jobs that were counted in an earlier fall. */
	knownIds: Set<string>;
}

/** Reads what n8n has stored after its restart, and says where the kill has met this course, if it has. */
export async function readFall(course: Course, parts: FallParts): Promise<Fall | undefined> {
	course.executions = await storedExecutions(parts.client, course.workflowId);
	const last = course.executions.at(-1);
	if (last === undefined || course.left.has(last.id)) return undefined;
	const nothing = { course: nameOf(course), sent: 0, accepted: 0, named: 0 };
	if (last.status === 'waiting') return { ...nothing, place: 'in the Wait node' };
	if (last.status !== 'crashed' || course.crashed.has(last.id)) return undefined;
	course.crashed.add(last.id);
	const counts = countStarts(course, last, parts);
	return { course: nameOf(course), ...counts, place: placeOf(last, counts, parts.sandbox) };
}

function countStarts(course: Course, { id: executionId }: Stored, { sandbox, logFile, knownIds }: FallParts) {
	const fresh = sandbox
		.stats()
		.starts.list.filter(({ query, id }) => course.questions.includes(query) && !knownIds.has(id));
	for (const { id } of fresh) knownIds.add(id);
	const log = readLog(logFile);
	const inLog = new Set(log.started.filter((line) => line.executionId === executionId).map(({ jobId }) => jobId));
	return {
		sent: log.sent.filter((line) => line.executionId === executionId).length,
		accepted: fresh.length,
		named: fresh.filter(({ id }) => inLog.has(id)).length,
	};
}

function placeOf(
	{ startedIds }: Stored,
	{ sent, accepted, named }: Pick<Fall, 'sent' | 'accepted' | 'named'>,
	sandbox: Sandbox,
): Place {
	if (startedIds.length > 0) {
		const { byJob } = sandbox.stats().polls;
		const looked = startedIds.some((id) => (byJob[id] ?? 0) > 0);
		return looked ? 'at or after a check' : 'starts stored, no check yet';
	}
	if (named < accepted) return 'a start accepted, its answer not read';
	if (accepted > 0) return 'starts answered, not yet stored';
	return sent > 0 ? 'a start sent, none accepted' : 'before its starts were sent';
}
