import {
	crawlRequestSchema,
	crawlerOptions,
	patternError,
	previewRequestSchema,
	promptOptions,
	startCrawl,
} from '../../crawl/startCrawl.ts';
import { jsonAnswer, noZeroDataRetention, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { textField } from '../../http/bodySchema.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import {
	acceptBody,
	fieldOf,
	queryOf,
	demandEnterprise,
	demandJobSlot,
	serviceUrlOf,
} from '../../requests/answerRequest.ts';
import type { Asked, Route } from '../../requests/routes.ts';
import { pageJobRoutes } from './pageJob.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/crawl';
/** A prompt with this fails (recordings crawl-60, crawl-61). */
const FAILING = '[fail]';
const PROMPT_FAILED = 'Failed to process natural language prompt. Please try rephrasing';
const ROBOTS_TEXT =
	'The ignoreRobotsTxt parameter is an enterprise feature. Contact support@firecrawl.com to explore whether it can be enabled for your team.';
// The second is an alias (recording crawl-03b).
const ACTIVE_PATHS = [`${PATH}/active`, `${PATH}/ongoing`];

/** The body with the options that its prompt asks for; those it names itself win (recording crawl-37). */
function withPrompt(body: ReadBody): { body: ReadBody; generated?: Record<string, unknown> } {
	const prompt = fieldOf(body, 'prompt');
	if (body.malformed || typeof prompt !== 'string') return { body };
	const generated = { ...promptOptions(prompt) };
	const value = { ...generated, ...Object(body.value) };
	return { body: { malformed: false, value }, generated };
}

function start(service: Service, { request, body: given, started }: Asked): Answer {
	const { body, generated } = withPrompt(given);
	if (queryOf(given, 'prompt')?.includes(FAILING)) {
		return refusal(400, `${PROMPT_FAILED} or use explicit crawler options.`);
	}
	const asked = acceptBody(service, body, crawlRequestSchema);
	// What the account cannot pay is not refused but left out (docs/reference/service-notes.md#prices).
	const crawl = { ...asked, limit: Math.min(asked.limit, service.credits.left()) };
	const badPattern = patternError([...crawl.includePaths, ...crawl.excludePaths]);
	if (badPattern !== undefined) {
		service.statistics.countRefusal('body');
		return refusal(400, badPattern);
	}
	if (crawl.zeroDataRetention) return noZeroDataRetention();
	demandEnterprise(service, crawl.scrapeOptions.threatProtection);
	if (crawl.ignoreRobotsTxt && !service.options.enterprise) return refusal(403, ROBOTS_TEXT);
	demandJobSlot(service);
	const id = service.newId();
	const serviceUrl = serviceUrlOf(request);
	startCrawl(service, crawl, id, serviceUrl);
	service.noteActivity('crawl', id, crawl.url);
	started(id);
	return jsonAnswer(200, {
		success: true,
		id,
		url: `${serviceUrl}${PATH}/${id}`,
		...(generated && {
			promptGeneratedOptions: generated,
			finalCrawlerOptions: {
				...crawlerOptions(crawl),
				origin: crawl.origin ?? 'api',
				integration: crawl.integration ?? null,
			},
		}),
	});
}

/** The refusal of a preview, without details (recording crawl-59). */
function badPreview(issues: readonly unknown[], error: string): Answer {
	const [first] = issues;
	const reason = textField(first, 'message') ?? error;
	return refusal(400, `Invalid request parameters: ${reason}`, { code: 'BAD_REQUEST' });
}

function preview(service: Service, body: ReadBody): Answer {
	const { url, prompt } = acceptBody(service, body, previewRequestSchema, badPreview);
	if (prompt.includes(FAILING)) return refusal(400, `${PROMPT_FAILED}.`);
	return jsonAnswer(200, { success: true, data: { url, ...promptOptions(prompt) } });
}

/** Crawls: start and preview (count as crawl), the list of active ones, status, cancel and errors (as crawl status). */
export function crawlRoutes(service: Service): Route[] {
	const list = (): Answer => {
		const now = service.now();
		const listedMs = now - service.options.lagMs();
		const running = service.pageJobs.running(now).filter(({ startedAtMs }) => startedAtMs <= listedMs);
		return jsonAnswer(200, { success: true, crawls: running.flatMap((job) => job.active ?? []) });
	};
	const query = ({ body }: Asked): string | undefined => queryOf(body, 'url');
	return [
		{
			on: `POST ${PATH}`,
			step: 'crawlStart',
			bucket: 'crawl',
			credits: 1,
			query,
			work: (asked) => start(service, asked),
		},
		{
			on: `POST ${PATH}/params-preview`,
			step: 'preview',
			bucket: 'crawl',
			query,
			work: ({ body }) => preview(service, body),
		},
		...ACTIVE_PATHS.map((path): Route => ({
			on: `GET ${path}`,
			step: 'active',
			bucket: 'crawlStatus',
			work: list,
		})),
		...pageJobRoutes(service, 'crawl', PATH, [PATH]),
	];
}
