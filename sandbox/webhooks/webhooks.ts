import { z } from 'zod/v4';
import { randomUUID, createHmac } from 'node:crypto';
import { Agent, fetch } from 'undici';

const HOOK_EVENTS = ['completed', 'failed', 'page', 'started'] as const;

/** The events of an agent's hook (recording agent-70). */
export const AGENT_EVENTS = ['started', 'action', 'completed', 'failed', 'cancelled'] as const;

type HookEvent = (typeof HOOK_EVENTS)[number] | (typeof AGENT_EVENTS)[number];

const OWN_SIGNATURE_TEXT = 'The following headers are not allowed: x-firecrawl-signature';

const isSignature = (name: string): boolean => /^x-firecrawl-signature$/i.test(name);

/**
 * Where a job pushes its events (shape webhookConfig); a bare URL will do. An empty list of events means
 * all, and the header of the signature is refused (recording agent-73).
 */
export function hookSchema<const Event extends HookEvent>(events: readonly [Event, ...Event[]]) {
	const all: Event[] = [...events];
	return z.preprocess(
		(value) => (typeof value === 'string' ? { url: value } : value),
		z
			.object({
				url: z.string().url(),
				headers: z.record(z.string(), z.string()).default({}),
				metadata: z.record(z.string(), z.string()).default({}),
				events: z.array(z.enum(events)).default(all),
			})
			.strict()
			.refine(({ headers }) => !Object.keys(headers).some(isSignature), OWN_SIGNATURE_TEXT)
			.transform((hook): Webhook => {
				const isAll = hook.events.length === 0;
				return { ...hook, events: isAll ? all : hook.events };
			}),
	);
}

/** The hook of a crawl, a batch or an extract. */
export const webhookSchema = hookSchema(HOOK_EVENTS);

/** A hook as it was read. */
export interface Webhook {
	url: string;
	headers: Record<string, string>;
	metadata: Record<string, string>;
	events: HookEvent[];
}

/** The kinds of jobs that push events, with what the names of their events begin with. */
const FAMILY = {
	crawl: 'crawl',
	batchScrape: 'batch_scrape',
	agent: 'agent',
	extract: 'extract',
} as const;

type WebhookJobKind = keyof typeof FAMILY;

/** Pushes a job's events to where its start asked for. */
export type Push = (event: HookEvent, data: readonly unknown[], error?: string) => void;

export function webhooks(setup: DeliverySetup) {
	const calls = deliveries(setup);
	const send = (
		hook: Pick<Webhook, 'url' | 'headers' | 'metadata'>,
		event: {
			success: boolean;
			type: string;
			id: string;
			data: readonly unknown[];
			error?: string | undefined;
		},
	): void => {
		const { success, type, id, data, error } = event;
		const body = JSON.stringify({
			success,
			type,
			id,
			webhookId: randomUUID(),
			data,
			...(error !== undefined && { error }),
			metadata: hook.metadata,
		});
		calls.send({ url: hook.url, headers: hook.headers, body, event: type, id });
	};
	return {
		/** What pushes the events of one job; does nothing for a job without a webhook. */
		for:
			(kind: WebhookJobKind, id: string, webhook: Webhook | undefined): Push =>
			(event, data, error) => {
				if (!webhook?.events.includes(event)) return;
				const type = `${FAMILY[kind]}.${event}`;
				send(webhook, { success: error === undefined && event !== 'failed', type, id, data, error });
			},
		/** Pushes an event of a monitor, which has names of its own. */
		pushMonitor(
			hook: (Pick<Webhook, 'url' | 'headers' | 'metadata'> & { events: readonly string[] }) | undefined,
			{
				event,
				...rest
			}: {
				event: string;
				id: string;
				error?: string;
				success: boolean;
				data: readonly unknown[];
			},
		) {
			if (hook?.events.some((name) => name === event)) send(hook, { type: event, ...rest });
		},
		/** Where calls go wrong on purpose, and what came of all. */
		control: calls,
		stop: () => calls.stop(),
	};
}

export type Webhooks = ReturnType<typeof webhooks>;

/** What goes wrong with the calls of webhooks. */
type DeliveryRule = {
	/** Which events: a type such as `crawl.completed`, or a part of it. Default: all. */
	event?: string;
	/** How many events it strikes. Default: every one. */
	times?: number;
} & (
	| {
			/** The call is never made. */
			kind: 'lose';
	  }
	| {
			/** It is made again, though it was answered well: the same bytes, `copies` times more. */
			kind: 'repeat';
			copies: number;
	  }
	| {
			/** Calls are held back until there are `count`, then made from the last to the first, one by one. */
			kind: 'reorder';
			count: number;
	  }
);

/** One call as it is made; a repeated one has the same bytes. */
interface Delivery {
	url: string;
	headers: Record<string, string>;
	body: string;
	/** `crawl.completed` */
	event: string;
	id: string;
}

/** One try of a call. */
interface DeliveryTry {
	atMs: number;
	url: string;
	event: string;
	id: string;
	/** 1 for the first. */
	attempt: number;
	/** What the receiver answered; 0 where it did not, or not within ten seconds. */
	status: number;
	tookMs: number;
}

/** A call that no job asked for. */
interface Forgery {
	url: string;
	body: Record<string, unknown> | string;
	headers?: Record<string, string>;
	sign?: 'wrong' | 'none' | 'right';
}

interface DeliverySetup {
	now(): number;
	later(ms: number, callBack: () => void): void;
	speed: number;
	/**
	 * Whether calls that fail are made again after 1, 5 and 15 minutes, as the hosted service does
	 * (docs/reference/service-notes.md#webhook-deliveries), or once, as the recorded servers do.
	 */
	isHosted: boolean;
	/** How long a call may take. Default ten seconds. */
	callMs?: number;
}

const ANSWER_TIMEOUT_MS = 10_000;
const RETRY_MINUTES = [1, 5, 15];
const MINUTE_MS = 60_000;
const MAX_KEPT = 1000;

/** Signs the bodies of its calls (recording hook-signed-01). */
export const WEBHOOK_SECRET = 'whsec-sandbox';

function signature(body: string, secret = WEBHOOK_SECRET): Record<string, string> {
	const digest = createHmac('sha256', secret).update(body).digest('hex');
	return { 'x-firecrawl-signature': `sha256=${digest}` };
}

/** Makes the calls. Nobody is told of one that failed (recordings hook-crawl-08 to hook-crawl-14). */
function deliveries(setup: DeliverySetup) {
	// The time runs while a call is under way, not while it waits for its turn.
	const timeout = setup.callMs ?? ANSWER_TIMEOUT_MS;
	const dispatcher = new Agent({
		connections: 4,
		headersTimeout: timeout,
		bodyTimeout: timeout,
		connect: { timeout },
	});
	/** The rules that are set, and how many events each may still strike. */
	const rules = new Map<DeliveryRule, number>();
	const tries: DeliveryTry[] = [];
	let held: Delivery[] = [];

	const attempt = async (delivery: Delivery, number: number, sign = signature): Promise<number> => {
		const { url, event, id, body, headers } = delivery;
		const atMs = setup.now();
		const beganMs = performance.now();
		// By fetch, for its headers and because it follows a redirect as the recorded server does.
		const status = await fetch(url, {
			dispatcher,
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers, ...sign(body) },
			body,
		}).then(
			async (answer) => {
				await answer.body?.cancel();
				return answer.status;
			},
			() => 0,
		);
		tries.push({
			atMs,
			url,
			event,
			id,
			attempt: number,
			status,
			tookMs: performance.now() - beganMs,
		});
		if (tries.length > MAX_KEPT) tries.shift();
		return status;
	};

	const bringHome = async (delivery: Delivery, number = 1): Promise<void> => {
		const status = await attempt(delivery, number);
		const minutes = RETRY_MINUTES[number - 1];
		if ((status >= 200 && status < 300) || !setup.isHosted || minutes === undefined) return;
		setup.later((minutes * MINUTE_MS) / setup.speed, () => void bringHome(delivery, number + 1));
	};

	/** The first rule that means this event; counts it. */
	const strike = (event: string): DeliveryRule | undefined => {
		for (const [rule, left] of rules) {
			if (left <= 0 || !event.includes(rule.event ?? '')) continue;
			rules.set(rule, left - 1);
			return rule;
		}
		return undefined;
	};

	return {
		/** Adds a rule. Returns what takes it away again. */
		add(rule: DeliveryRule) {
			rules.set(rule, rule.times ?? Infinity);
			return () => void rules.delete(rule);
		},
		clear() {
			rules.clear();
			held = [];
			tries.length = 0;
		},
		/** The latest tries, oldest first, at most 1000. */
		sent: () => [...tries],
		/**
		 * Makes a call that no job asked for, signed with another secret, with none, or as the service would.
		 * Resolves to what the receiver answered, 0 for nothing.
		 */
		async forge({ url, body, headers = {}, sign = 'none' }: Forgery) {
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			const forged = { url, headers, body: text, event: 'forged', id: '' };
			const signs = {
				right: signature,
				wrong: (bytes: string) => signature(bytes, 'not the secret'),
				none: () => ({}),
			};
			return await attempt(forged, 1, signs[sign]);
		},
		send(delivery: Delivery) {
			const rule = strike(delivery.event);
			switch (rule?.kind) {
				case 'lose':
					return;
				case 'repeat':
					for (let copy = 0; copy <= rule.copies; copy += 1) void bringHome(delivery);
					return;
				case 'reorder':
					held.push(delivery);
					if (held.length >= rule.count) {
						const row = held.reverse();
						held = [];
						void row.reduce((before, one) => before.then(() => bringHome(one)), Promise.resolve());
					}
					return;
				default:
					void bringHome(delivery);
			}
		},
		stop: () => dispatcher.destroy(),
	};
}

/** Where calls go wrong on purpose, and what came of all. */
export type DeliveryControl = Omit<ReturnType<typeof deliveries>, 'send' | 'stop'>;
