import { waitFor } from '../../../tools/n8n/poll.ts';
import { type N8nVersion, webDataPackage } from '../../../tools/n8n/project.ts';
import type { N8nClient, StoredCredential, StoredWorkflow } from '../../../tools/n8n/client.ts';
import { WEBHOOK_SECRET } from '../../../sandbox/webhooks/webhooks.ts';
import { field, listOf } from '../../sandbox/client.ts';
import { LONGEST_WAIT_MS } from './executions.ts';
import { apiKey, credentialType, type Product, startProduct } from './product.ts';
import { codeNode, type TestNode, workflow } from './workflows.ts';

/** The page of the sandbox that differs each time. */
export const CHANGING = 'http://site.example/changing';
/** The trigger of the saved workflows, and the node behind it. */
export const TRIGGER = 'Trigger';
export const NEXT = 'Next';

/** A Web Data Trigger that watches the page, as its parameters say besides. */
export const watching = (more: object = {}): object => ({
	event: 'websiteChanged',
	urls: CHANGING,
	...more,
});

/** Waits until `probe` gives something, or the longest wait is over. */
export const soon = async <T>(what: string, probe: () => Promise<T | undefined> | T | undefined): Promise<T> =>
	await waitFor(what, probe, { timeoutMs: LONGEST_WAIT_MS });

/** Long enough for an execution that should not be to begin. */
export const settled = async (ms = 1500): Promise<void> => await new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Activates a workflow of a polling trigger, and waits until n8n has stored what its first poll has found:
 * n8n 2.40 answers before it polls.
 */
export async function activatePolling(client: N8nClient, saved: StoredWorkflow): Promise<void> {
	await client.activate(saved);
	await soon('the mark of the first poll', async () => {
		const stored = field(await client.call(`/workflows/${saved.id}`), 'staticData');
		return JSON.stringify(stored ?? {}).includes('"mark"') ? true : undefined;
	});
}

/** An n8n with workflows that the service starts, and what there is of them at the service. */
export class TriggerBench {
	readonly product: Product;
	/** With the secret that the sandbox signs its calls with. */
	readonly signed: StoredCredential;
	readonly #active = new Set<StoredWorkflow>();

	private constructor(product: Product, signed: StoredCredential) {
		this.product = product;
		this.signed = signed;
	}

	/** On an n8n of its own, unless there is one. */
	static async start(version: N8nVersion, given?: Product): Promise<TriggerBench> {
		const product = given ?? (await startProduct(version));
		const data = { baseUrl: product.sandbox.baseUrl, apiKey, webhookSecret: WEBHOOK_SECRET };
		const signed = await product.n8n.client.createCredential('Signed', credentialType, data);
		return new TriggerBench(product, signed);
	}

	/** Without a secret. */
	get unsigned(): StoredCredential {
		return this.product.credential;
	}

	/** A request to the service, and what it answers. */
	async ask(method: string, path: string, body?: object): Promise<unknown> {
		const response = await fetch(this.product.sandbox.baseUrl + path, {
			method,
			headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
			...(body && { body: JSON.stringify(body) }),
		});
		return JSON.parse((await response.text()) || 'null');
	}

	/** The monitors when there are so many. Waits, because n8n 2.40 answers before it has activated. */
	async monitors(count: number): Promise<unknown[]> {
		return await soon(`${count} monitors`, async () => {
			const all = listOf(field(await this.ask('GET', '/v2/monitor'), 'data'));
			return all.length === count ? all : undefined;
		});
	}

	async onlyMonitor(): Promise<unknown> {
		return (await this.monitors(1))[0];
	}

	/** Has a monitor check its pages, and waits until the service has called. */
	async check(id: unknown): Promise<void> {
		const { webhooks } = this.product.sandbox;
		const before = webhooks.sent().length;
		await this.ask('POST', `/v2/monitor/${String(id)}/run`);
		await soon('the call after a check', () => (webhooks.sent().length > before ? true : undefined));
	}

	/** Saves a workflow of a Web Data Trigger, or another of the package, and a node behind it. */
	async save(
		name: string,
		webhookId: string,
		parameters: object,
		{ credential = this.signed, type = 'webDataTrigger' } = {},
	): Promise<StoredWorkflow> {
		const trigger: TestNode = {
			name: TRIGGER,
			type: `${webDataPackage}.${type}`,
			typeVersion: 1,
			parameters,
			credential,
			settings: { webhookId },
		};
		return await this.product.n8n.client.createWorkflow(
			workflow(name, [trigger, codeNode(NEXT, 'return $input.all();')]),
		);
	}

	/** Where the service calls the trigger with this webhook ID. */
	hookUrl(webhookId: string): string {
		return `${this.product.n8n.client.baseUrl.replace(/\/$/, '')}/webhook/${webhookId}/web-data`;
	}

	/** Activates it, and waits until n8n takes calls at the address, whatever it answers to this one. */
	async activate(saved: StoredWorkflow, webhookId: string): Promise<void> {
		await this.product.n8n.client.activate(saved);
		this.#active.add(saved);
		await soon('the address', async () => {
			const probe = { url: this.hookUrl(webhookId), body: { type: 'probe' } };
			return (await this.product.sandbox.webhooks.forge(probe)) === 404 ? undefined : true;
		});
	}

	/** The same for a polling trigger. */
	async activatePolling(saved: StoredWorkflow): Promise<void> {
		this.#active.add(saved);
		await activatePolling(this.product.n8n.client, saved);
	}

	/** Deactivates all that were activated; no monitor must be left. */
	async deactivateAll(): Promise<void> {
		for (const saved of this.#active) {
			await this.product.n8n.client.deactivate(saved).catch(() => undefined);
		}
		this.#active.clear();
		await this.monitors(0);
	}
}
