import { z } from 'zod/v4';
import { createContext, runInContext } from 'node:vm';
import { load } from 'cheerio';
import { callerFields } from '../http/bodySchema.ts';
import { databaseTime } from '../team/activity.ts';
import type { OwnSite } from '../web/addresses.ts';

/**
 * How to open a session (operation browser.create; recordings browser-60 to browser-71). What is not known in a
 * body is dropped (recordings browser-05, browser-18, interact-12).
 */
export const sessionRequestSchema = z.object({
	ttl: z.number().min(30).max(3600).default(600),
	activityTtl: z.number().min(10).max(3600).default(300),
	streamWebView: z.boolean().default(true),
	recordSession: z.boolean().default(true),
	profile: z.object({ name: z.string().min(1).max(128), saveChanges: z.boolean().default(true) }).optional(),
	...callerFields,
});

type SessionRequest = z.output<typeof sessionRequestSchema>;

const code = z.string().min(1).max(100_000);
const language = z.enum(['python', 'node', 'bash']).default('node');

/** Code to run in a session; `timeout` in seconds (recordings browser-25 to browser-33). */
export const executeRequestSchema = z.object({
	code,
	language,
	timeout: z.number().min(1).max(300).default(30),
	origin: z.string().optional(),
});

type ExecuteRequest = z.output<typeof executeRequestSchema>;

/** What to do on a scraped page (recordings interact-10 to interact-22). */
export const interactRequestSchema = z
	.object({
		code: code.optional(),
		prompt: z.string().min(1).max(10_000).optional(),
		language,
		timeout: z.number().min(1).max(300).default(30),
		origin: z.string().optional(),
		existingSessionId: z.string().optional(),
	})
	.refine((body) => Boolean(body.code ?? body.prompt), "Either 'code' or 'prompt' must be provided.");

const VIEWER = 'browser.example';

/** Where a session can be driven and watched; nobody listens there. */
export function sessionLinks({ id }: Session): Record<string, string> {
	return {
		cdpUrl: `ws://${VIEWER}/cdp/${id}`,
		liveViewUrl: `http://${VIEWER}/view/${id}`,
		interactiveLiveViewUrl: `http://${VIEWER}/interactive/${id}`,
	};
}

/** A session as the list shows it (recording browser-06). */
export function sessionRow(session: Session): Record<string, unknown> {
	return {
		id: session.id,
		status: statusOf(session),
		...sessionLinks(session),
		streamWebView: session.streamWebView,
		createdAt: databaseTime(session.createdAtMs),
		lastActivity: databaseTime(session.lastActivityMs),
	};
}

/** A browser that is kept open for somebody. */
export interface Session {
	id: string;
	createdAtMs: number;
	lastActivityMs: number;
	/** How long it lives, and how long when nothing is done in it. */
	ttlMs: number;
	idleMs: number;
	streamWebView: boolean;
	isRecorded: boolean;
	/** What it shows; it stays from one run of code to the next. */
	page: StandInPage;
	/** The higher rate is billed once a prompt was used (recording interact-31). */
	usedPrompt: boolean;
	destroyedAtMs?: number;
}

/** What the end of a session says (recordings browser-50, browser-52). */
export interface SessionEnd {
	sessionDurationMs: number;
	/** Missing where it had ended before. */
	creditsBilled?: number;
}

type SessionOptions = Pick<SessionRequest, 'ttl' | 'activityTtl' | 'streamWebView' | 'recordSession'>;

interface SessionsSetup {
	now(): number;
	/** Divides how long sessions live. */
	speed: number;
	charge(credits: number): void;
	newPage(): StandInPage;
}

const MINUTE_MS = 60_000;
const CODE_RATE = 2;
const PROMPT_RATE = 7;

/** Credits by the minute, one minute at least (docs/reference/service-notes.md#prices). */
function sessionCredits(durationMs: number, usedPrompt: boolean): number {
	return Math.ceil((usedPrompt ? PROMPT_RATE : CODE_RATE) * Math.max(1, durationMs / MINUTE_MS));
}

export function statusOf(session: Session): 'active' | 'destroyed' {
	return session.destroyedAtMs === undefined ? 'active' : 'destroyed';
}

/** The browsers that are kept open. A session ends by itself when its time is over, and is billed then. */
export function browserSessions({ now, speed, charge, newPage }: SessionsSetup) {
	const all = new Map<string, Session>();
	const byScrape = new Map<string, Session>();

	const destroy = (session: Session, atMs: number): number => {
		session.destroyedAtMs = atMs;
		const credits = sessionCredits((atMs - session.createdAtMs) * speed, session.usedPrompt);
		charge(credits);
		return credits;
	};

	const settle = (): void => {
		for (const session of all.values()) {
			const { createdAtMs, lastActivityMs, ttlMs, idleMs } = session;
			const endsAtMs = Math.min(createdAtMs + ttlMs, lastActivityMs + idleMs);
			if (session.destroyedAtMs === undefined && endsAtMs <= now()) destroy(session, endsAtMs);
		}
	};

	return {
		open(id: string, { ttl, activityTtl, streamWebView, recordSession: isRecorded }: SessionOptions) {
			const nowMs = now();
			const session: Session = {
				id,
				createdAtMs: nowMs,
				lastActivityMs: nowMs,
				ttlMs: (ttl * 1000) / speed,
				idleMs: (activityTtl * 1000) / speed,
				streamWebView,
				isRecorded,
				page: newPage(),
				usedPrompt: false,
			};
			all.set(id, session);
			return session;
		},
		find(id: string): Session | undefined {
			settle();
			return all.get(id);
		},
		/** Newest first; of one state, or all. */
		list(status?: string) {
			settle();
			return [...all.values()].filter((session) => status === undefined || statusOf(session) === status).reverse();
		},
		countActive() {
			settle();
			return [...all.values()].filter((session) => statusOf(session) === 'active').length;
		},
		/** Notes that something is done in it. */
		touch(session: Session, byPrompt: boolean) {
			session.lastActivityMs = now();
			session.usedPrompt ||= byPrompt;
		},
		close(session: Session) {
			settle();
			if (session.destroyedAtMs !== undefined) return { sessionDurationMs: 0 };
			const nowMs = now();
			const creditsBilled = destroy(session, nowMs);
			return { sessionDurationMs: Math.max(1, nowMs - session.createdAtMs), creditsBilled };
		},
		/** The session on a scraped page. */
		onScrape(scrapeId: string): Session | undefined {
			settle();
			return byScrape.get(scrapeId);
		},
		bindScrape: (scrapeId: string, session: Session) => void byScrape.set(scrapeId, session),
		clear() {
			all.clear();
			byScrape.clear();
		},
	};
}

/** What a run of code came to (recordings browser-10 to browser-17). */
interface CodeRun {
	stdout: string;
	result: string;
	stderr: string;
	exitCode: number;
	killed: boolean;
	error?: string;
}

const LASTS = /\[lasts:(\d+(?:\.\d+)?)\]/;
const FAILED: CodeRun = failed('Error: stub failure', 1);

function failed(text: string, exitCode: number): CodeRun {
	return { stdout: '', result: '', stderr: text, exitCode, killed: false, error: text };
}

const KILLED: CodeRun = { ...failed('timed out', 137), killed: true };

function succeeded(stdout: string, value: unknown): CodeRun {
	const result = stdout === '' ? (value === undefined ? 'ok' : String(value)) : stdout;
	return { stdout, result, stderr: '', exitCode: 0, killed: false };
}

async function runJavaScript(code: string, timeoutMs: number, page: StandInPage): Promise<CodeRun> {
	const lines: string[] = [];
	const log = (...parts: unknown[]): void => void lines.push(parts.map(String).join(' '));
	const context = createContext({ console: { log, error: log }, page });
	try {
		// An expression has a value, statements that await need a function around them.
		const isStatement = /\bawait\b|\breturn\b/.test(code);
		const source = isStatement ? `(async () => {\n${code}\n})()` : code;
		const value: unknown = await runInContext(source, context, { timeout: timeoutMs });
		return succeeded(lines.join('\n'), value);
	} catch (error) {
		const isLate = String(Object(error).code) === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
		return isLate ? KILLED : { ...failed(String(error), 1), stdout: lines.join('\n') };
	}
}

/**
 * Runs code in a session. JavaScript is run, within a bound; of Python and bash nothing. [fail], [killed]
 * and [lasts:SECONDS] in it do what they say. `wait` passes the time it lasts, in seconds.
 */
export async function runCode(
	request: ExecuteRequest,
	wait: (seconds: number) => Promise<void>,
	page: StandInPage,
): Promise<CodeRun> {
	const { code, language, timeout } = request;
	const seconds = Number(LASTS.exec(code)?.[1] ?? 0);
	if (seconds > 0) await wait(Math.min(seconds, timeout));
	if (code.includes('[killed]') || seconds > timeout) return KILLED;
	if (code.includes('[fail]')) return FAILED;
	return language === 'node' ? runJavaScript(code, 1000, page) : succeeded('', undefined);
}

/** A page of a browser as code drives it, by the names of Playwright. Of other sites it shows nothing. */
type StandInPage = Record<string, unknown>;

const BLANK = '<html><head><title>Page</title></head><body><h1>Page</h1></body></html>';

/** The page of one session: it loads the sandbox's own pages, fills their forms and sends them. */
export function standInPage(own: OwnSite): StandInPage {
	let address = 'about:blank';
	let shown = load(BLANK);
	let filled = new Map<string, string>();

	const visit = async (url: string, form?: URLSearchParams): Promise<void> => {
		address = new URL(url, address === 'about:blank' ? undefined : address).href;
		filled = new Map();
		shown = load(BLANK);
		if (!own.has(address)) return;
		const { url: place, headers } = own.locate(address);
		const sent = form && { method: 'POST', body: form };
		const answer = await fetch(place, { headers, ...sent });
		shown = load(await answer.text());
	};

	const find = (selector: string) => {
		const found = shown(selector);
		if (found.length === 0) throw new Error(`Timeout 30000ms exceeded: waiting for "${selector}"`);
		return found;
	};

	const fill = async (selector: string, value: string): Promise<void> => {
		filled.set(find(selector).first().attr('name') ?? selector, value);
	};

	const click = async (selector: string): Promise<void> => {
		const element = find(selector).first();
		const link = element.attr('href');
		if (link !== undefined) return visit(link);
		const form = element.closest('form');
		if (form.length === 0) return;
		await visit(form.attr('action') ?? address, new URLSearchParams([...filled]));
	};

	const texts = (selector: string): string[] =>
		shown(selector)
			.toArray()
			.map((one) => shown(one).text().trim());
	const textContent = async (selector: string): Promise<string> => find(selector).first().text();

	return {
		goto: (url: string) => visit(url),
		title: async () => shown('title').text(),
		content: async () => shown.html(),
		textContent,
		click,
		fill,
		waitForSelector: async (selector: string) => void find(selector),
		locator: (selector: string) => ({
			allTextContents: async () => texts(selector),
			textContent: () => textContent(selector),
			click: () => click(selector),
			fill: (value: string) => fill(selector, value),
		}),
	};
}
