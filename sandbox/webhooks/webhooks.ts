import { randomUUID } from 'node:crypto';

import { deliveries } from './deliveries.ts';
import type { DeliveryControl, DeliverySetup } from './deliveries.ts';
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
		event: {
			event: string;
			id: string;
			error?: string;
			success: boolean;
			data: readonly unknown[];
		},
	): void;
	/** Where calls go wrong on purpose, and what came of all. */
	control: DeliveryControl;
	stop(): Promise<void>;
}

/** What a server of the generation puts into its events: one of 2025 neither ids nor signatures. */
export interface HookSetup extends DeliverySetup {
	generation: 2025 | 2026;
}

/** See `Webhooks`. */
export function webhooks({ generation, ...setup }: HookSetup): Webhooks {
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
			...(generation === 2026 && { webhookId: randomUUID() }),
			data,
			...(error !== undefined && { error }),
			metadata: hook.metadata,
		});
		calls.send({ url: hook.url, headers: hook.headers, body, event: type, id });
	};
	return {
		for: (kind, id, webhook) => (event, data, error) => {
			if (!webhook?.events.includes(event)) return;
			const type = `${FAMILY[kind]}.${event}`;
			send(webhook, { success: error === undefined && event !== 'failed', type, id, data, error });
		},
		pushMonitor(hook, { event, ...rest }) {
			if (hook?.events.some((name) => name === event)) send(hook, { type: event, ...rest });
		},
		control: calls,
		stop: () => calls.stop(),
	};
}
