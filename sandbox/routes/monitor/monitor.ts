import { z } from 'zod/v4';
import { Refused, jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { checkPageRecord, checkRecord, monitorRecord } from '../../monitor/monitorRecord.ts';
import {
	GOAL_TEXT,
	checkQuerySchema,
	idSchema,
	lacksGoal,
	listQuerySchema,
	monitorRequestSchema,
	monitorUpdateSchema,
	scheduleFault,
} from '../../monitor/monitorRequest.ts';
import { acceptBody, read, serviceUrlOf } from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import type { Monitor } from '../../monitor/monitors.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/monitor';

/** The id of a monitor or a check, refused where it is none; `name` is that of the parameter. */
function readId(service: Service, name: string, id: string): void {
	read(service, { [name]: id }, z.object({ [name]: idSchema }));
}

function withMonitor(service: Service, id: string, answer: (monitor: Monitor) => Answer): Answer {
	readId(service, 'monitorId', id);
	const monitor = service.monitors.find(id);
	return monitor ? answer(monitor) : refusal(404, 'Monitor not found');
}

const record = (service: Service, monitor: Monitor): Answer =>
	jsonAnswer(200, { success: true, data: monitorRecord(monitor, service.now()) });

function demandSchedule(service: Service, schedule: { cron: string; timezone: string } | undefined): void {
	const fault = schedule && scheduleFault(schedule.cron, schedule.timezone, service.now());
	if (fault !== undefined) throw new Refused(refusal(400, fault));
}

function create(service: Service, body: ReadBody): Answer {
	const given = acceptBody(service, body, monitorRequestSchema);
	if (!service.options.hasDatabase) return service.unknownError();
	demandSchedule(service, given.schedule);
	return record(service, service.monitors.create(given));
}

function update(service: Service, monitor: Monitor, body: ReadBody): Answer {
	const changes = acceptBody(service, body, monitorUpdateSchema);
	demandSchedule(service, changes.schedule);
	if (changes.goal === null && lacksGoal({ ...monitor, ...changes })) {
		return refusal(400, GOAL_TEXT);
	}
	service.monitors.update(monitor, changes);
	return record(service, monitor);
}

function run(service: Service, monitor: Monitor, started: (id: string) => void): Answer {
	if (monitor.status === 'paused') {
		return refusal(409, 'Monitor is paused. Resume it before running a check.');
	}
	const { check, isNew } = service.monitors.run(monitor);
	if (!isNew) return refusal(409, 'Monitor check is already running.', { checkId: check.id });
	const { id, query, createdAtMs: startedAtMs } = check;
	const start = { id, kind: 'monitorCheck', query, startedAtMs } as const;
	service.statistics.countStart(start, service.countRunning(service.now()));
	started(id);
	const data = { ...checkRecord(check, 'queued', service.now()) };
	return jsonAnswer(200, { success: true, id, data });
}

function listChecks(service: Service, monitor: Monitor, query: unknown): Answer {
	const { limit, offset, status } = read(service, query, listQuerySchema);
	const data = [...monitor.checks]
		.reverse()
		.map((check) => checkRecord(check, service.monitors.stateOf(check), service.now()))
		.filter((check) => status === undefined || check.status === status)
		.slice(offset, offset + limit);
	return jsonAnswer(200, { success: true, data });
}

function getCheck(service: Service, { id, part: checkId, query: given, request }: Asked): Answer {
	for (const [name, value] of [
		['monitorId', id],
		['checkId', checkId],
	] as const) {
		readId(service, name, value);
	}
	const { skip, limit, status } = read(service, given, checkQuerySchema);
	const check = service.monitors.findCheck(checkId);
	if (check?.monitorId !== id) return refusal(404, 'Check not found');
	const nowMs = service.now();
	const pages = (check.endsAtMs <= nowMs ? check.pages : [])
		.filter((page) => status === undefined || page.status === status)
		.map((page) => checkPageRecord(page, check));
	const data = {
		...checkRecord(check, service.monitors.stateOf(check), nowMs),
		pages: pages.slice(skip, skip + limit),
	};
	if (skip + limit >= pages.length) return jsonAnswer(200, { success: true, data });
	// It stands in both places (recording monitor-39).
	const query = `?skip=${skip + limit}&limit=${limit}${status ? `&status=${status}` : ''}`;
	const next = `${serviceUrlOf(request)}${PATH}/${id}/checks/${checkId}${query}`;
	return jsonAnswer(200, { success: true, next, data: { ...data, next } });
}

function list(service: Service, query: unknown): Answer {
	const { limit, offset } = read(service, query, listQuerySchema);
	const part = service.monitors.list().slice(offset, offset + limit);
	return jsonAnswer(200, { success: true, data: part.map((monitor) => monitorRecord(monitor, service.now())) });
}

/** Monitors: writing counts as crawl, the rest is free. A plain server has none (recordings plain-20 to plain-22). */
export function monitorRoutes(service: Service): Route[] {
	const step = 'monitor';
	const bucket = 'crawl';
	const known = (work: () => Answer): Answer => (service.options.hasDatabase ? work() : service.unknownError());
	const isSlice = ({ query }: Asked): boolean => Number(query.skip) > 0;
	return [
		{ on: `POST ${PATH}`, step, bucket, work: ({ body }) => create(service, body) },
		{ on: `GET ${PATH}`, step, work: ({ query }) => known(() => list(service, query)) },
		{
			on: `GET ${PATH}/:id`,
			step,
			work: ({ id }) => known(() => withMonitor(service, id, (monitor) => record(service, monitor))),
		},
		{
			on: `PATCH ${PATH}/:id`,
			step,
			bucket,
			work: ({ id, body }) => withMonitor(service, id, (monitor) => update(service, monitor, body)),
		},
		{
			on: `DELETE ${PATH}/:id`,
			step,
			bucket,
			work: ({ id }) =>
				withMonitor(service, id, () => {
					service.monitors.remove(id);
					return jsonAnswer(200, { success: true });
				}),
		},
		{
			on: `POST ${PATH}/:id/run`,
			step: 'monitorRun',
			bucket,
			query: ({ id }) => service.monitors.find(id)?.name,
			work: ({ id, started }) => withMonitor(service, id, (monitor) => run(service, monitor, started)),
		},
		{
			on: `GET ${PATH}/:id/checks`,
			step: 'monitorChecks',
			work: ({ id, query }) => withMonitor(service, id, (monitor) => listChecks(service, monitor, query)),
		},
		{
			on: `GET ${PATH}/:id/checks/:checkId`,
			step: (asked) => (isSlice(asked) ? 'slice' : 'monitorCheck'),
			query: ({ part }) => service.monitors.findCheck(part)?.query,
			job: ({ part }) => part,
			isPoll: (asked) => !isSlice(asked),
			work: (asked) => getCheck(service, asked),
		},
	];
}
