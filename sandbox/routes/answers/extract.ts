import { extractRecord, extractResult, extractRequestSchema } from '../../extract/extractRecord.ts';
import { jsonAnswer, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { demandId } from '../../http/requestChecks.ts';
import { acceptBody, demandEnterprise } from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import { answerRoutes, startAnswer } from './answerRoutes.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/extract';
const NEWER_AGENT_TEXT = 'Use the new /agent endpoint instead of passing agent.model=v3-beta into /extract.';
const ADVICE = ". Use /v2/scrape with formats including a 'json' format object";

function start(service: Service, { body, started: told }: Asked): Answer {
	const request = acceptBody(service, body, extractRequestSchema);
	if (request.agent?.model === 'v3-beta') return refusal(400, NEWER_AGENT_TEXT);
	demandEnterprise(service, request.threatProtection);
	const id = startAnswer(service, {
		kind: 'extract',
		query: [request.prompt ?? '', ...(request.urls ?? [])].join('\n'),
		target: request.urls?.[0] ?? '',
		result: extractResult(request),
		webhook: request.webhook,
		hookData: (job) => ({
			success: true,
			data: job.result.fields.data,
			extractId: job.id,
			llmUsage: 0,
			totalUrlsScraped: request.urls?.length ?? 0,
			sources: job.result.fields.sources ?? {},
			tokensBilled: 313,
			creditsBilled: job.result.credits,
		}),
	});
	told(id);
	return jsonAnswer(200, { success: true, id, urlTrace: [] });
}

function status(service: Service, id: string): Answer {
	demandId(id);
	const nowMs = service.now();
	const job = service.answers.find(id, 'extract', nowMs);
	if (job) return jsonAnswer(200, extractRecord(job, nowMs));
	// Only a server that checks keys knows that it does not know it (recordings extract-50, auth26-44).
	return service.options.keys.size > 0 ? refusal(404, 'Extract job not found') : service.unknownError();
}

/** Extracts: start (counts as agent) and status (as agent status). */
export const extractRoutes = (service: Service): Route[] =>
	answerRoutes(service, {
		kind: 'extract',
		path: PATH,
		start: {
			step: 'extractStart',
			bucket: 'agent',
			asked: ['prompt'],
			work: (asked) => start(service, asked),
		},
		status: {
			step: 'extractStatus',
			bucket: 'agentStatus',
			work: (id) => status(service, id),
		},
		deprecated: { replacement: '/v2/scrape', advice: ADVICE },
	});
