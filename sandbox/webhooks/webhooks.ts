import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'undici';

import type { HookEvent, Webhook } from './webhookConfig.ts';

/** The kinds of jobs that push events, with what the names of their events begin with. */
const FAMILY = {
	crawl: 'crawl',
	batchScrape: 'batch_scrape',
	agent: 'agent',
	extract: 'extract',
} as const;

export type WebhookJobKind = keyof typeof FAMILY;

/** Pushes a job's events to where its start asked for. */
export type Push = (event: HookEvent, data: readonly unknown[], error?: string) => void;

export interface Webhooks {
	/** What pushes the events of one job; does nothing for a job without a webhook. */
	for(kind: WebhookJobKind, jobId: string, webhook: Webhook | undefined): Push;
	/** Pushes an event of a monitor, which has names of its own. */
	pushMonitor(
		hook:
			(Pick<Webhook, 'url' | 'headers' | 'metadata'> & { events: readonly string[] }) | undefined,
		event: { event: string; id: string; success: boolean; data: readonly unknown[] },
	): void;
	stop(): Promise<void>;
}

const ANSWER_TIMEOUT_MS = 10_000;

/** What a server of the generation puts into its events: one of 2025 neither ids nor signatures. */
export interface HookSetup {
	generation: 2025 | 2026;
	/** Signs the body, where there is one (recordings hook-signed-01). */
	secret?: string | undefined;
}

function signature(secret: string | undefined, body: string): Record<string, string> {
	if (secret === undefined) return {};
	const digest = createHmac('sha256', secret).update(body).digest('hex');
	return { 'x-firecrawl-signature': `sha256=${digest}` };
}

/** See `Webhooks`. One try each, as the recorded servers do. */
export function webhooks({ generation, secret }: HookSetup): Webhooks {
	const dispatcher = new Agent({ connections: 4 });
	const send = (
		hook: Pick<Webhook, 'url' | 'headers' | 'metadata'>,
		event: Record<string, unknown>,
	): void => {
		const { success, type, id, ...rest } = event;
		const body = JSON.stringify({
			success,
			type,
			id,
			...(generation === 2026 && { webhookId: randomUUID() }),
			data: rest.data,
			metadata: hook.metadata,
			...(rest.error !== undefined && { error: rest.error }),
		});
		httpRequest(hook.url, {
			dispatcher,
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'user-agent': 'undici',
				...hook.headers,
				...signature(secret, body),
			},
			body,
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		})
			.then((answer) => answer.body.dump())
			// Nobody is told of a delivery that failed.
			.catch(() => undefined);
	};
	return {
		for: (kind, id, webhook) => (event, data, error) => {
			if (!webhook?.events.includes(event)) return;
			const type = `${FAMILY[kind]}.${event}`;
			send(webhook, { success: event !== 'failed', type, id, data, error });
		},
		pushMonitor(hook, { event, id, success, data }) {
			if (hook?.events.some((name) => name === event)) {
				send(hook, { success, type: event, id, data });
			}
		},
		stop: () => dispatcher.destroy(),
	};
}
