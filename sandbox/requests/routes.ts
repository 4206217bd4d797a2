import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Bucket } from '../account/plan.ts';
import type { Step } from '../control/faultBook.ts';
import type { Answer } from '../http/answer.ts';
import { bodyOf } from '../http/requestChecks.ts';
import type { ReadBody } from '../http/requestChecks.ts';
import type { Service } from '../service/service.ts';
import { answerRequest } from './answerRequest.ts';

/** What a route is asked for. */
export interface Asked {
	/** `:id` of the path; empty where it has none. */
	id: string;
	/** The second part of the path that is given, such as `:checkId`. */
	part: string;
	body: ReadBody;
	query: Record<string, string | string[] | undefined>;
	request: FastifyRequest;
	/** Told the id of a job that was started, before the answer goes out. */
	started(id: string): void;
}

type Of<Value> = Value | ((asked: Asked) => Value);

/** One request that the service knows: what it counts as, and what answers it. */
export interface Route {
	/** `GET /v2/crawl/:id` */
	on: string;
	step: Of<Step>;
	/** The counter of requests a minute; none where the contract names none. */
	bucket?: Bucket;
	/** It is refused when fewer credits than these are left. Default: it is free. */
	credits?: Of<number>;
	/** What faults are matched with. */
	query?: (asked: Asked) => string | undefined;
	/** The job that it is about, where that is known before. */
	job?: (asked: Asked) => string;
	/** It asks for the state of that job. Default: not. */
	isPoll?: (asked: Asked) => boolean;
	work: (asked: Asked) => Answer | Promise<Answer>;
	bodyLimit?: number;
}

const valueOf = <Value extends string | number>(given: Of<Value>, asked: Asked): Value =>
	typeof given === 'function' ? given(asked) : given;

/** Serves the routes. */
export function serve(app: FastifyInstance, service: Service, routes: readonly Route[]): void {
	for (const route of routes) {
		const [method = '', url = ''] = route.on.split(' ');
		const { bodyLimit } = route;
		app.route<{ Params: Record<string, string>; Querystring: Asked['query'] }>({
			method,
			url,
			...(bodyLimit !== undefined && { bodyLimit }),
			handler(request, reply) {
				const [id = '', part = ''] = Object.values(request.params);
				// The router takes a path without an id for one with an empty id (recordings crawl-24, dr-42).
				if (url.includes(':id') && id === '') return reply.callNotFound();
				let startedId: string | undefined;
				const started = (one: string): void => void (startedId = one);
				const asked: Asked = { id, part, body: bodyOf(request.body), query: request.query, request, started };
				if (route.isPoll?.(asked)) service.statistics.countPoll(route.job?.(asked) ?? id);
				return answerRequest(service, request, reply, {
					step: valueOf(route.step, asked),
					bucket: route.bucket ?? null,
					creditsNeeded: valueOf(route.credits ?? 0, asked),
					query: route.query?.(asked),
					jobId: () => startedId ?? route.job?.(asked),
					work: () => route.work(asked),
				});
			},
		});
	}
}
