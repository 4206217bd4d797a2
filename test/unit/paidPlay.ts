import { findOperation } from '../../nodes/WebData/resources';
import { callOnce } from '../../nodes/run/calls/callOnce';
import { ServiceClient, newSharedState } from '../../nodes/service/client';
import { ServiceFailure, failureOrThrow, isAnswerLost } from '../../nodes/service/http/failure';
import { MAX_STANDSTILL_MS, POLICIES } from '../../nodes/service/http/retry';
import type { HttpOptions, HttpResponse, JsonObject, ServiceRequest } from '../../nodes/service/http/transport';
import {
	crawlJob,
	deepResearchJob,
	monitorCheck,
	readJobId,
	scrapedPage,
	underWay,
} from '../../nodes/service/jobs/jobKinds';
import type { FindableKind } from '../../nodes/service/jobs/jobKinds';
import { decide } from '../../nodes/run/paid/decide';
import type { Open, Shown } from '../../nodes/run/paid/decide';
import { sendPaid } from '../../nodes/run/paid/sendPaid';
import type { Journal, Loss, Paid, Sent } from '../../nodes/run/paid/sendPaid';
import { recoverStart } from '../../nodes/service/startRecovery/recoverStart';
import { Secrets } from '../../nodes/service/secrets';
import { httpResponse } from './httpResponse.ts';
import { VirtualTime } from './virtualTime.ts';

const BASE_URL = 'https://service.example';
const SITE = 'https://site.example/';
const QUERY = 'What do tides change?';

const CRAWL: ServiceRequest = { method: 'POST', path: '/v2/crawl', bucket: 'crawl', body: { url: SITE, limit: 5 } };
const RESEARCH: ServiceRequest = {
	method: 'POST',
	path: '/v1/deep-research',
	bucket: 'crawl',
	body: { query: QUERY },
};
const CHECK: ServiceRequest = { method: 'POST', path: '/v2/monitor/m/run', bucket: 'crawl', body: {} };
const SCRAPE: ServiceRequest = { method: 'POST', path: '/v2/scrape', bucket: 'scrape', body: { url: SITE } };
const SESSION: ServiceRequest = { method: 'POST', path: '/v2/interact', bucket: 'interact', body: {} };

/** A try before this one, which an execution of this n8n may have sent half a minute ago. */
const EARLIER_MS = 30_000;
const BEGAN_MS = 3_600_000;

interface Way {
	request: ServiceRequest;
	/** By which list it is found again. */
	kind?: FindableKind;
	/** What the callers of sendPaid say of such a thing. */
	paid: Partial<Paid>;
	/** It was sent, or may have been, before this try. */
	by?: Open['by'];
	/** With a key that may be another account's: what the lists lack proves nothing. */
	isOfOther?: boolean;
}

const START: Partial<Paid> = {
	laneOf: 'starts',
	policy: POLICIES.start,
	reads: { idOf: ({ id }) => id, isLost: ({ mayHaveExecuted }) => mayHaveExecuted },
	uncertain: { ifUncertain: 'tell' },
};
const CALL: Partial<Paid> = {
	laneOf: 'calls',
	policy: POLICIES.call,
	reads: { idOf: ({ id }) => id, isLost: isAnswerLost },
	uncertain: { ifUncertain: 'sendIfCheap' },
};
const AGAIN = { uncertain: { ifUncertain: 'sendOnceMore' } } as const;
const NO_ROOM = { uncertain: { ifUncertain: 'sendOnceMore', refuses: () => true } } as const;
const crawl = (paid: Partial<Paid> = {}, by?: Open['by']): Way => ({
	request: CRAWL,
	kind: crawlJob,
	paid: { ...START, ...paid },
	...(by && { by }),
});

/** The ways in which something that may cost is sent, by name. */
const WAYS = {
	'a start': crawl(),
	'a larger start': { ...crawl(), request: { ...CRAWL, body: { url: SITE, limit: 9 } } },
	'a research': { request: RESEARCH, kind: deepResearchJob, paid: START },
	'a check': {
		request: CHECK,
		kind: monitorCheck,
		paid: {
			...START,
			reads: {
				isLost: ({ mayHaveExecuted }: ServiceFailure) => mayHaveExecuted,
				insteadOf: ({ answer }: ServiceFailure) => readJobId(answer?.checkId),
			},
		},
	},
	'Start Again': crawl(AGAIN),
	'Start Again, no room': crawl(NO_ROOM),
	'after a kill': crawl({}, 'kill'),
	'after a kill, other account': {
		...crawl(AGAIN, 'kill'),
		isOfOther: true,
	},
	'after a kill, Start Again': crawl(AGAIN, 'kill'),
	'lost before': crawl({}, 'earlierTry'),
	'lost before, Start Again': crawl(AGAIN, 'earlierTry'),
	'a scrape': { request: SCRAPE, kind: scrapedPage, paid: CALL },
	'a map': { request: { ...SCRAPE, path: '/v2/map' }, paid: CALL },
	'a session': { request: SESSION, paid: { ...START, ...AGAIN } },
	'a session, no room': { request: SESSION, paid: { ...START, ...NO_ROOM } },
	'a data tool': {
		request: { ...SCRAPE, path: '/v2/alexandria', requestId: 'r' },
		paid: {
			...CALL,
			uncertain: { ifUncertain: 'sendWithSameId' },
			policy: { ...POLICIES.read, atWork: { most: Infinity, withinMs: 80_000 } },
		},
	},
} satisfies Record<string, Way>;

export type Policy = keyof typeof WAYS;

/** What the lists show, in the words of outOf(), or as the lists are described. */
function shownIn(words: string): Shown {
	if (/without its result/.test(words)) {
		return { kind: 'found', id: 'a', ageMs: 0, evidence: 'addressAndTime', hasNoAnswer: true };
	}
	if (/ by (?:options|time)/.test(words)) return { kind: 'found', id: 'a', ageMs: 0, evidence: 'options' };
	if (/one of /.test(words)) return { kind: 'several', ids: ['a', 'b'] };
	if (/no lists?$|broken|unknown|not looked for/.test(words)) return { kind: 'unknown' };
	return { kind: 'none', isProof: !/running only|not listed/.test(words) };
}

/**
 * The same as playPaid for one thing, by decide() alone: how often it is sent, and sent though it may be paid twice, and
 * what is done in the end. What the lists show is read from what came out, or from how they are.
 */
export function foretell(policy: Policy, script: string, lists: string, out: string) {
	const { paid, by, kind, isOfOther = false }: Way = WAYS[policy];
	const uncertain = paid.uncertain ?? { ifUncertain: 'tell' };
	const words = script.split(', ').filter((word) => word !== '' && !/^(?:was|at) /.test(word));
	const openBy = (whose: Open['by'], isSecond = false): Open => {
		return { kind: 'open', by: whose, isTraceable: true, isOfOther: () => isOfOther, isSecond };
	};
	let open = by && openBy(by);
	let [sent, again] = [0, 0];
	for (;;) {
		if (!open) {
			const word = words.shift();
			sent += 1;
			// The policy of the request sends these again, which is no decision.
			if (/^(?:429|nobody|works on|in flight)/.test(word ?? '') && words.length > 0) continue;
			if (policy === 'a data tool' && word === 'lost' && words.length > 0) continue;
			if (!/^(?:lost|500|408|no id|unresolved)/.test(word ?? '')) return { sent, again, ends: 'answered' };
			open = openBy('thisTry', sent > 1 || by !== undefined);
		}
		const shown = kind ? shownIn(words.length > 0 ? lists : out) : shownIn('unknown');
		const next = decide(uncertain, open, shown);
		const isAgain = next.do === 'sendAgain' && uncertain.refuses?.() !== true;
		if (isAgain) again += 1;
		else if (next.do !== 'send') return { sent, again, ends: next.do === 'take' ? 'found' : 'open' };
		open = undefined;
	}
}

/** A job as the service has it. */
interface Done {
	id: string;
	path: string;
	atMs: number;
	body: JsonObject;
}

export interface Played {
	/** Requests that may cost. */
	sent: number;
	noted: string;
	out: string;
	/** What the failures say. */
	said: string;
}

/**
 * Plays things beside one another, each with its own answers, against one service. `lists`: ids of jobs of others with
 * the same target, `x of limit 9`, and how the lists are: `running only`, `no lists`, `broken`, `12 s late`, `in parts`,
 * `hidden`, `other` (a job for something else), `known x` (of another execution of this n8n).
 */
export async function playPaid(ways: readonly Policy[], scripts: readonly string[], lists: string): Promise<Played> {
	const time = new VirtualTime();
	await time.pass(BEGAN_MS);
	const shared = newSharedState(time);
	const service = new PlayedService(time, lists);
	for (const [, id = ''] of lists.matchAll(/known (\w)/g)) shared.register.own(id, time.now());
	const played = await time.until(
		Promise.all(scripts.map(async (script, index) => await playOne(ways[index] ?? 'a start', script, service, shared))),
	);
	return {
		sent: service.sent,
		noted: played.map(({ noted }) => noted.join(' ')).join(' | '),
		out: played.map(({ sent }) => outOf(sent)).join(' | '),
		said: played.map(({ sent }) => ('failure' in sent ? sent.failure.message : '')).join(' | '),
	};
}

async function playOne(
	policy: Policy,
	script: string,
	service: PlayedService,
	shared: ReturnType<typeof newSharedState>,
): Promise<{ noted: string[]; sent: Sent }> {
	const { time } = service;
	const { request, kind, paid, by, isOfOther = false }: Way = WAYS[policy];
	const over = new AbortController();
	const answers = script.split(', ').filter((answer) => answer !== '');
	const [, delay] = /^at (\d+) s$/.exec(answers[0] ?? '') ?? [];
	if (delay !== undefined) {
		answers.shift();
		await time.sleep(Number(delay) * 1000);
	}
	const client = clientOf(service, answers, shared, over);
	const register = policy === 'a scrape' ? client.callRegister : client.register;
	const noted: string[] = [];
	const journal: Journal = {
		sending: () => void noted.push('sent'),
		refused: (earlier) => void noted.push(earlier ? 'kept' : 'refused'),
		started: (id) => void noted.push(id ?? 'done'),
		lost: () => void noted.push('lost'),
		repeated: () => void noted.push('again'),
	};
	const wall = time.wallClock();
	const past = by && {
		kind: 'open' as const,
		by,
		isTraceable: true,
		isOfOther: () => isOfOther,
		sinceMs: wall - EARLIER_MS,
		lostAt: wall,
		failure: new ServiceFailure({ kind: 'connection', mayHaveExecuted: true, message: 'An earlier try.' }),
	};
	const thing: Paid = {
		request,
		laneOf: 'starts',
		over: over.signal,
		sinceMs: time.now(),
		standstillMs: MAX_STANDSTILL_MS,
		policy: POLICIES.start,
		onStop: 'cut',
		reads: { idOf: ({ id }) => id, isLost: () => false },
		journal,
		uncertain: { ifUncertain: 'tell' },
		...(kind && {
			lists: {
				shownAs: { register, start: underWay(kind, request.body ?? {}) },
				find: async (loss: Loss) => await recoverStart({ kind, start: request, ...loss, register }, client),
				...(policy === 'a scrape' && {
					collect: async (id: string) =>
						await Promise.resolve(service.lists.includes('kept') ? { success: true, id } : undefined),
				}),
			},
		}),
		...(past && { past }),
		...paid,
	};
	if (by) service.begins(request, answers, -EARLIER_MS);
	return { noted, sent: await sendPaid(thing, client) };
}

function clientOf(
	service: PlayedService,
	answers: string[],
	shared: ReturnType<typeof newSharedState>,
	over: AbortController,
): ServiceClient {
	return new ServiceClient({
		secrets: new Secrets(''),
		key: 'fc-key',
		http: async (options) => await service.answer(options, answers, over),
		baseUrl: BASE_URL,
		shared,
		time: service.time,
	});
}

type CalledThing = `a ${'' | 'dear '}${'page' | 'search'}`;

/** Calls without a node around them, as a research makes them: what their panels would hold. */
const CALLED: Record<CalledThing, [resource: string, operation: string, values: JsonObject]> = {
	'a page': ['page', 'scrape', { url: SITE }],
	// A page of X costs 30 credits.
	'a dear page': ['page', 'scrape', { url: 'https://x.com/site' }],
	'a search': ['search', 'search', { query: QUERY, maxResults: 5 }],
	'a dear search': ['search', 'search', { query: QUERY, maxResults: 100 }],
};

export type Called = `${CalledThing}, ${'lost' | 'killed'} before`;

/** So long a page of a research may take that has this limit of its own, in milliseconds. */
export async function timeOfPage(timeout: number): Promise<number> {
	const time = new VirtualTime();
	const operation = findOperation('page', 'scrape')?.operation;
	if (operation?.kind !== 'call') throw new Error('Page · Scrape is no call.');
	const service = new PlayedService(time, '');
	const client = clientOf(service, ['done'], newSharedState(time), new AbortController());
	await time.until(callOnce(client, operation, { url: SITE, scrapeOptions: { timeout } }));
	return service.timeoutMs;
}

/** Plays a call that an earlier try may have sent: its answer was lost, or n8n was killed in that try. */
export async function playCall(way: Called, script: string, lists: string): Promise<Played> {
	const time = new VirtualTime();
	await time.pass(BEGAN_MS);
	const [what = '', how = ''] = way.split(/, | before/);
	const [resource, name, values] = CALLED[what as CalledThing];
	const operation = findOperation(resource, name)?.operation;
	if (operation?.kind !== 'call') throw new Error(`${resource}.${name} is no call.`);
	const service = new PlayedService(time, lists);
	const answers = script.split(', ').filter((answer) => answer !== '');
	service.begins({ ...operation.request, body: { url: values.url } } as ServiceRequest, answers, -EARLIER_MS);
	const client = clientOf(service, answers, newSharedState(time), new AbortController());
	const wall = time.wallClock();
	const before = { startedAt: wall - EARLIER_MS, lostAt: wall, isKilled: how === 'killed' };
	const memory: JsonObject = { ...before };
	const answer = await time.until(callOnce(client, operation, values, memory).catch(failureOrThrow));
	const isLostAgain = memory.lostAt !== before.lostAt;
	return {
		sent: service.sent,
		noted: isLostAgain ? 'lost' : '',
		out: answer instanceof ServiceFailure ? `open: ${calledOut(answer)}` : 'done',
		said: answer instanceof ServiceFailure ? answer.message : '',
	};
}

/** What the error of a call says of the earlier one. */
function calledOut({ message }: ServiceFailure): string {
	if (message.includes('and refused')) return 'refused';
	if (message.includes('several that may be it')) return 'several';
	if (message.includes('gives no result of it yet')) return 'without its result';
	if (message.includes('more than 10 credits')) return 'dear';
	return message.includes('does not list it') ? 'not there' : 'unknown';
}

/** What came out, in words. */
function outOf(sent: Sent): string {
	if (sent.how === 'failed') return `failed ${sent.failure.httpCode ?? sent.failure.kind}`;
	if (sent.how !== 'unconfirmed') {
		const how = { answered: 'answered', joined: 'joined', options: 'by options', addressAndTime: 'by time' }[sent.how];
		return `${sent.id ?? 'done'} ${how}`;
	}
	const { finding, failure } = sent;
	const refused = failure.httpCode !== undefined && failure.httpCode < 408 ? `${failure.httpCode}, ` : '';
	if (!finding) return `open: ${refused}not looked for`;
	if (finding.kind === 'several') return `open: ${refused}one of ${[...finding.ids].sort().join(' ')}`;
	if (finding.kind === 'found') return `open: ${refused}${finding.id} without its result`;
	if (finding.kind === 'none') return `open: ${refused}${finding.isProof ? 'not there' : 'not listed'}`;
	return `open: ${refused}${finding.hasNoList ? 'no list' : 'unknown'}`;
}

/** A service that answers what it is told to, and lists what it has done. */
class PlayedService {
	sent = 0;

	/** Of the latest request that may cost. */
	timeoutMs = 0;

	private readonly jobs: Done[] = [];

	constructor(
		readonly time: VirtualTime,
		readonly lists: string,
	) {
		for (const [, id = '', limit = '5'] of lists.matchAll(/\b([x-z])\b(?: of limit (\d+))?/g)) {
			if (lists.includes(`known ${id}`)) continue;
			const [path, body] = [CRAWL.path, { ...CRAWL.body, limit: Number(limit) }];
			this.jobs.push({ id, path, atMs: time.now() + 200, body });
		}
		const known = /known (\w)/.exec(lists)?.[1];
		if (known !== undefined) this.begin(CRAWL, known, 100);
		if (lists.includes('other')) {
			this.begin({ ...RESEARCH, body: { query: 'What else?' } }, 'o', 1500);
			this.begin({ ...CRAWL, body: { url: `${SITE}else` } }, 'p', 1500);
		}
		if (lists.includes('hidden')) this.begin({ ...CRAWL, body: { url: '<redacted>' } }, 'h', -1000);
	}

	/** What an earlier try has begun: `was a`. */
	begins(request: ServiceRequest, answers: string[], atMs: number): void {
		for (;;) {
			const id = /^was (\w)$/.exec(answers[0] ?? '')?.[1];
			if (id === undefined) return;
			answers.shift();
			this.begin(request, id, atMs + 1000);
		}
	}

	private begin({ path, body = {} }: ServiceRequest, id: string, afterMs = 0): void {
		this.jobs.push({ id, path, atMs: this.time.now() + afterMs, body });
	}

	async answer(options: HttpOptions, answers: string[], over: AbortController): Promise<HttpResponse> {
		const url = new URL(options.url);
		if (options.method === 'GET') return this.listed(url.pathname, options.query);
		const data = { markdown: 'A page.', metadata: {}, web: [] };
		this.sent += 1;
		this.timeoutMs = options.timeoutMs;
		const word = answers.shift();
		if (word === undefined) throw new Error('Nothing more was to be sent.');
		const [, told = '', given] = /^(?:(.*) )?([a-e])$/.exec(word) ?? [undefined, word];
		const path = url.pathname;
		if (given !== undefined && told !== 'busy') this.begin({ ...CRAWL, path, body: options.body ?? {} }, given);
		await this.time.sleep(100);
		const refusal = (status: number, more: JsonObject = {}) =>
			httpResponse({ status, text: JSON.stringify({ success: false, error: `Refused with ${status}`, ...more }) });
		switch (told) {
			case '':
			case 'done':
				return httpResponse({ text: JSON.stringify({ success: true, id: given, data }) });
			case 'lost':
				throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
			case 'nobody':
				throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
			case 'stopped':
				over.abort();
				throw Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' });
			case 'no id':
				return httpResponse({ text: '{"success":true,"id":"../x"}' });
			case 'busy':
				return refusal(409, { checkId: given });
			case 'works on':
				return refusal(408, { details: { state: 'processing_continues', retryAfterSeconds: 5 } });
			case 'in flight':
				return refusal(409, { code: 'request_in_flight' });
			case 'unresolved':
				return refusal(409, { code: 'request_unresolved' });
			case 'page failed':
				return refusal(500, { code: 'SCRAPE_SITE_ERROR' });
			default:
				return refusal(Number(told));
		}
	}

	/** The lists: of what runs, with options, and of what was started, in parts of one entry where it says so. */
	private listed(pathname: string, { endpoint = 'crawl', cursor: from = 0 }: JsonObject = {}): HttpResponse {
		const { lists, time } = this;
		if (pathname.startsWith('/v2/scrape/')) {
			const data = { markdown: 'A page.', metadata: {} };
			if (lists.includes('kept')) return httpResponse({ text: JSON.stringify({ success: true, data }) });
			return httpResponse({ status: 404, text: '{"success":false,"error":"Job not found."}' });
		}
		const headers = { date: new Date(time.wallClock()).toUTCString() };
		if (lists.includes('broken')) return httpResponse({ status: 500, text: '{"success":false,"error":"broken"}' });
		const lateMs = Number(/(\d+) s late/.exec(lists)?.[1] ?? 0) * 1000;
		const isActive = pathname === '/v2/crawl/active';
		const isMissing = lists.includes('no lists') || (lists.includes('running only') && !isActive);
		if (isMissing) {
			const error = isActive ? 'Not found' : 'Failed to fetch activity';
			return httpResponse({ status: isActive ? 404 : 500, text: JSON.stringify({ success: false, error }) });
		}
		const wanted = { crawl: '/v2/crawl', deep_research: '/v1/deep-research', scrape: '/v2/scrape' }[String(endpoint)];
		const shown = this.jobs
			.filter(({ path, atMs }) => path === wanted && atMs <= time.now() - lateMs)
			.sort((one, next) => next.atMs - one.atMs);
		const began = (atMs: number) => new Date(time.wallClock() - time.now() + atMs).toISOString();
		if (isActive) {
			const crawls = shown.map(({ id, atMs, body: { url, ...options } }) => ({
				id,
				url,
				created_at: began(atMs),
				options: { ...options, scrapeOptions: { formats: ['markdown'] } },
			}));
			return httpResponse({ headers, text: JSON.stringify({ success: true, crawls }) });
		}
		const to = lists.includes('in parts') ? Number(from) + 1 : shown.length;
		const data = shown.slice(Number(from), to).map((job) => ({
			id: job.id,
			target: job.body.url ?? job.body.query,
			created_at: began(job.atMs),
		}));
		const cursor = to < shown.length ? String(to) : null;
		return httpResponse({ headers, text: JSON.stringify({ success: true, data, cursor, has_more: cursor !== null }) });
	}
}
