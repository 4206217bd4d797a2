import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { jsonAnswer, badRequest, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { bodyOf } from '../../http/requestChecks.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { serviceError, serviceIssues } from '../../http/bodySchema.ts';
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
import { acceptBody, answerRequest, serviceUrlOf } from '../../requests/answerRequest.ts';
import type { Bucket } from '../../account/plan.ts';
import type { Step } from '../../control/faultBook.ts';
import type { Monitor } from '../../monitor/monitors.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/monitor';

interface MonitorRoute {
	Params: { id: string; checkId: string };
	Querystring: Record<string, string | string[] | undefined>;
}
type MonitorCall = FastifyRequest<MonitorRoute>;

/** What the schema makes of it, or the refusal. */
function read<Schema extends z.ZodTypeAny>(
	schema: Schema,
	value: unknown,
	path: string[] = [],
): { value: z.output<Schema> } | { refused: Answer } {
	const result: z.SafeParseReturnType<unknown, z.output<Schema>> = schema.safeParse(value);
	if (result.success) return { value: result.data };
	const issues = serviceIssues(result.error.issues).map((issue) => ({
		...issue,
		path: [...path, ...issue.path],
	}));
	return { refused: badRequest(issues, serviceError(issues)) };
}

function withMonitor(service: Service, id: string, answer: (monitor: Monitor) => Answer): Answer {
	const given = read(idSchema, id, ['monitorId']);
	if ('refused' in given) return given.refused;
	const monitor = service.monitors.find(id);
	return monitor ? answer(monitor) : refusal(404, 'Monitor not found');
}

const record = (service: Service, monitor: Monitor): Answer =>
	jsonAnswer(200, { success: true, data: monitorRecord(monitor, service.now()) });

function badSchedule(service: Service, schedule: { cron: string; timezone: string } | undefined): Answer | undefined {
	const fault = schedule && scheduleFault(schedule.cron, schedule.timezone, service.now());
	return fault === undefined ? undefined : refusal(400, fault);
}

function create(service: Service, body: ReadBody): Answer {
	const given = acceptBody(service, body, monitorRequestSchema);
	if ('refused' in given) return given.refused;
	const bad = badSchedule(service, given.request.schedule);
	return bad ?? record(service, service.monitors.create(given.request));
}

function update(service: Service, monitor: Monitor, body: ReadBody): Answer {
	const given = acceptBody(service, body, monitorUpdateSchema);
	if ('refused' in given) return given.refused;
	const changes = given.request;
	const bad = badSchedule(service, changes.schedule);
	if (bad) return bad;
	if (changes.goal === null && lacksGoal({ ...monitor, ...changes })) {
		return refusal(400, GOAL_TEXT);
	}
	service.monitors.update(monitor, changes);
	return record(service, monitor);
}

function run(service: Service, monitor: Monitor, onStarted: (id: string) => void): Answer {
	if (monitor.status === 'paused') {
		return refusal(409, 'Monitor is paused. Resume it before running a check.');
	}
	const { check, isNew } = service.monitors.run(monitor);
	if (!isNew) return refusal(409, 'Monitor check is already running.', { checkId: check.id });
	const { id, query, createdAtMs: startedAtMs } = check;
	const start = { id, kind: 'monitorCheck', query, startedAtMs } as const;
	service.statistics.countStart(start, service.countRunning(service.now()));
	onStarted(id);
	const data = { ...checkRecord(check, 'queued', service.now()) };
	return jsonAnswer(200, { success: true, id, data });
}

function listChecks(service: Service, monitor: Monitor, query: unknown): Answer {
	const asked = read(listQuerySchema, query);
	if ('refused' in asked) return asked.refused;
	const { limit, offset, status } = asked.value;
	const data = [...monitor.checks]
		.reverse()
		.map((check) => checkRecord(check, service.monitors.stateOf(check), service.now()))
		.filter((check) => status === undefined || check.status === status)
		.slice(offset, offset + limit);
	return jsonAnswer(200, { success: true, data });
}

function getCheck(service: Service, request: MonitorCall): Answer {
	const { id, checkId } = request.params;
	for (const [name, value] of [
		['monitorId', id],
		['checkId', checkId],
	] as const) {
		const given = read(idSchema, value, [name]);
		if ('refused' in given) return given.refused;
	}
	const asked = read(checkQuerySchema, request.query);
	if ('refused' in asked) return asked.refused;
	const { skip, limit, status } = asked.value;
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

/** Monitors: writing counts as crawl, the rest is free. A plain server has none (recordings plain-20 to plain-22). */
export function monitorRoutes(app: FastifyInstance, service: Service): void {
	const answer = (
		request: MonitorCall,
		reply: FastifyReply,
		call: {
			step: Step;
			bucket?: Bucket;
			query?: string | undefined;
			jobId?: () => string | undefined;
			work(): Answer;
		},
	): Promise<FastifyReply> =>
		answerRequest(service, request, reply, {
			step: call.step,
			bucket: call.bucket ?? null,
			creditsNeeded: 0,
			query: call.query,
			jobId: call.jobId ?? (() => undefined),
			work: call.work,
		});
	const step = 'monitor';
	const bucket = 'crawl';
	const plainFails = (): Answer | undefined => (service.options.hasDatabase ? undefined : service.unknownError());

	app.post<MonitorRoute>(PATH, (request, reply) => {
		const body = bodyOf(request.body);
		const work = (): Answer => {
			const made = service.options.hasDatabase
				? create(service, body)
				: acceptBody(service, body, monitorRequestSchema);
			if ('status' in made) return made;
			return 'refused' in made ? made.refused : service.unknownError();
		};
		return answer(request, reply, { step, bucket, work });
	});
	app.get<MonitorRoute>(PATH, (request, reply) => {
		const work = (): Answer => {
			const failed = plainFails();
			if (failed) return failed;
			const asked = read(listQuerySchema, request.query);
			if ('refused' in asked) return asked.refused;
			const { limit, offset } = asked.value;
			const part = service.monitors.list().slice(offset, offset + limit);
			const data = part.map((monitor) => monitorRecord(monitor, service.now()));
			return jsonAnswer(200, { success: true, data });
		};
		return answer(request, reply, { step, work });
	});
	app.get<MonitorRoute>(`${PATH}/:id`, (request, reply) => {
		const work = (): Answer =>
			plainFails() ?? withMonitor(service, request.params.id, (monitor) => record(service, monitor));
		return answer(request, reply, { step, work });
	});
	app.patch<MonitorRoute>(`${PATH}/:id`, (request, reply) => {
		const body = bodyOf(request.body);
		const work = (): Answer => withMonitor(service, request.params.id, (monitor) => update(service, monitor, body));
		return answer(request, reply, { step, bucket, work });
	});
	app.delete<MonitorRoute>(`${PATH}/:id`, (request, reply) => {
		const work = (): Answer =>
			withMonitor(service, request.params.id, ({ id }) => {
				service.monitors.remove(id);
				return jsonAnswer(200, { success: true });
			});
		return answer(request, reply, { step, bucket, work });
	});
	app.post<MonitorRoute>(`${PATH}/:id/run`, (request, reply) => {
		const { id } = request.params;
		let startedId: string | undefined;
		const work = (): Answer => withMonitor(service, id, (monitor) => run(service, monitor, (one) => (startedId = one)));
		const query = service.monitors.find(id)?.name;
		const jobId = (): string | undefined => startedId;
		return answer(request, reply, { step: 'monitorRun', bucket, query, jobId, work });
	});
	app.get<MonitorRoute>(`${PATH}/:id/checks`, (request, reply) => {
		const work = (): Answer =>
			withMonitor(service, request.params.id, (monitor) => listChecks(service, monitor, request.query));
		return answer(request, reply, { step: 'monitorChecks', work });
	});
	app.get<MonitorRoute>(`${PATH}/:id/checks/:checkId`, (request, reply) => {
		const { checkId } = request.params;
		const isSlice = Number(request.query.skip) > 0;
		if (!isSlice) service.statistics.countPoll(checkId);
		return answer(request, reply, {
			step: isSlice ? 'slice' : 'monitorCheck',
			query: service.monitors.findCheck(checkId)?.query,
			jobId: () => checkId,
			work: () => getCheck(service, request),
		});
	});
}
