import { Agent, request as httpRequest } from 'undici';

import type { Webhook } from './webhookConfig.ts';

/** The kinds of jobs that push events, with what the names of their events begin with. */
const FAMILY = { crawl: 'crawl', batchScrape: 'batch_scrape' } as const;

export type WebhookJobKind = keyof typeof FAMILY;
export type HookEvent = Webhook['events'][number];

/** Pushes a job's events to where its start asked for. */
export type Push = (event: HookEvent, data: readonly unknown[], error?: string) => void;

export interface Webhooks {
	/** What pushes the events of one job; does nothing for a job without a webhook. */
	for(kind: WebhookJobKind, jobId: string, webhook: Webhook | undefined): Push;
	stop(): Promise<void>;
}

const ANSWER_TIMEOUT_MS = 10_000;

/** See `Webhooks`. Unsigned and one try each, as a self-hosted server does (CONTRACT section 12). */
export function webhooks(): Webhooks {
	const dispatcher = new Agent({ connections: 4 });
	return {
		for: (kind, id, webhook) => (event, data, error) => {
			if (!webhook?.events.includes(event)) return;
			const body = JSON.stringify({
				success: event !== 'failed',
				type: `${FAMILY[kind]}.${event}`,
				id,
				data,
				metadata: webhook.metadata,
				...(error !== undefined && { error }),
			});
			httpRequest(webhook.url, {
				dispatcher,
				method: 'POST',
				headers: { 'content-type': 'application/json', ...webhook.headers },
				body,
				signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
			})
				.then((answer) => answer.body.dump())
				// Nobody is told of a delivery that failed.
				.catch(() => undefined);
		},
		stop: () => dispatcher.destroy(),
	};
}
