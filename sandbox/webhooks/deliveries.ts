import { createHmac } from 'node:crypto';
import { Agent, fetch } from 'undici';

import { deliveryRules } from './deliveryRules.ts';
import type { DeliveryRule } from './deliveryRules.ts';

/** One call as it is made; a repeated one has the same bytes. */
export interface Delivery {
	url: string;
	headers: Record<string, string>;
	body: string;
	/** `crawl.completed` */
	event: string;
	id: string;
}

/** One try of a call. */
export interface DeliveryTry {
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

/** Where calls of webhooks go wrong on purpose, and what came of all. */
export interface DeliveryControl {
	/** Adds a rule and returns what takes it away again. Throws a ZodError for one that makes no sense. */
	add(rule: DeliveryRule): () => void;
	clear(): void;
	/** The latest tries, oldest first, at most 1000. */
	sent(): DeliveryTry[];
	/**
	 * Makes a call that no job asked for, signed with another secret, with none, or as the service would.
	 * Resolves to what the receiver answered, 0 for nothing.
	 */
	forge(forgery: Forgery): Promise<number>;
}

/** A call that no job asked for. */
export interface Forgery {
	url: string;
	body: Record<string, unknown> | string;
	headers?: Record<string, string>;
	sign?: 'wrong' | 'none' | 'right';
}

export interface Deliveries extends DeliveryControl {
	send(delivery: Delivery): void;
	stop(): Promise<void>;
}

export interface DeliverySetup {
	now(): number;
	later(ms: number, callBack: () => void): void;
	speed: number;
	/** Signs the body, where there is one (recordings hook-signed-01). */
	secret: string | undefined;
	/**
	 * `once`, as the recorded servers do, or again after 1, 5 and 15 minutes
	 * (docs/service-notes.md#webhook-deliveries).
	 */
	tries: 'once' | 'retried';
	/** How long a call may take. Default ten seconds. */
	callMs?: number;
}

const ANSWER_TIMEOUT_MS = 10_000;
const RETRY_MINUTES = [1, 5, 15];
const MINUTE_MS = 60_000;
const MAX_KEPT = 1000;

function signed(secret: string | undefined, body: string): Record<string, string> {
	if (secret === undefined) return {};
	const digest = createHmac('sha256', secret).update(body).digest('hex');
	return { 'x-firecrawl-signature': `sha256=${digest}` };
}

/** Makes the calls. Nobody is told of one that failed (recordings hook-crawl-08 to hook-crawl-14). */
export function deliveries(setup: DeliverySetup): Deliveries {
	// The time runs while a call is under way, not while it waits for its turn.
	const timeout = setup.callMs ?? ANSWER_TIMEOUT_MS;
	const dispatcher = new Agent({
		connections: 4,
		headersTimeout: timeout,
		bodyTimeout: timeout,
		connect: { timeout },
	});
	const rules = deliveryRules();
	const tries: DeliveryTry[] = [];
	let held: Delivery[] = [];

	const attempt = async (delivery: Delivery, number: number, own = signed): Promise<number> => {
		const { url, event, id, body, headers } = delivery;
		const atMs = setup.now();
		const beganMs = performance.now();
		// By fetch, for its headers and because it follows a redirect as the recorded server does.
		const status = await fetch(url, {
			dispatcher,
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers, ...own(setup.secret, body) },
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
		if ((status >= 200 && status < 300) || setup.tries === 'once' || minutes === undefined) return;
		setup.later((minutes * MINUTE_MS) / setup.speed, () => void bringHome(delivery, number + 1));
	};

	return {
		add: (rule) => rules.add(rule),
		clear() {
			rules.clear();
			held = [];
			tries.length = 0;
		},
		sent: () => [...tries],
		async forge({ url, body, headers = {}, sign = 'none' }) {
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			const secrets = { right: setup.secret, wrong: 'not the secret', none: undefined };
			const forged = { url, headers, body: text, event: 'forged', id: '' };
			return await attempt(forged, 1, (_secret, bytes) => signed(secrets[sign], bytes));
		},
		send(delivery) {
			const rule = rules.strike(delivery.event);
			switch (rule?.kind) {
				case 'lose':
					return;
				case 'delay':
					setup.later(rule.ms, () => void bringHome(delivery));
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
