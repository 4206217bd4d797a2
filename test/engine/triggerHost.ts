import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { endsLater } from '../helpers/lifetime';

import { startWebhookNode } from '../../tools/n8n-engine/index.ts';
import type { WebhookNode } from '../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf } from '../sandbox/client';
import { builtPackage, KEY } from './run';

/** The address whose page differs at each check of the sandbox, one that stays, and one that fails. */
export const CHANGING = 'http://site.example/changing';
export const STEADY = 'http://site.example/about';
export const GONE = 'http://gone.invalid/';

export const watching = (more: INodeParameters = {}): INodeParameters => ({
	event: 'websiteChanged',
	urls: [CHANGING, STEADY, GONE].join('\n'),
	changes: ['changed', 'new', 'removed'],
	output: 'pages',
	...more,
});

export const onJobs = (more: INodeParameters = {}): INodeParameters => ({
	event: 'jobEvent',
	events: ['completed', 'failed', 'cancelled'],
	jobOutput: 'pages',
	...more,
});

/** The trigger in n8n's own contexts, against the sandbox. */
export async function trigger(
	sandbox: Pick<Sandbox, 'baseUrl'>,
	parameters: INodeParameters,
	more: {
		webhookSecret?: string;
		staticData?: IDataObject;
		webhookId?: string;
		isActive?: boolean;
	} = {},
): Promise<WebhookNode> {
	const { webhookSecret = '', ...rest } = more;
	return endsLater(
		await startWebhookNode({
			package: await builtPackage(),
			type: 'n8n-nodes-web-data.webDataTrigger',
			parameters,
			credential: {
				type: 'webDataApi',
				data: { baseUrl: sandbox.baseUrl, apiKey: KEY, webhookSecret },
			},
			...rest,
		}),
	);
}

/** The monitors that the service has, newest first. */
export async function monitorsOf(sandbox: Sandbox): Promise<unknown[]> {
	return listOf(field((await ask(sandbox, 'GET', '/v2/monitor')).body, 'data'));
}

/** A monitor that somebody has made at the service. */
export async function monitorOf(sandbox: Sandbox, more: object = {}): Promise<string> {
	const { body, text } = await ask(sandbox, 'POST', '/v2/monitor', {
		body: {
			name: 'Mine',
			schedule: { text: 'hourly' },
			targets: [{ type: 'scrape', urls: [CHANGING] }],
			...more,
		},
	});
	const id = field(body, 'data.id');
	if (typeof id !== 'string') throw new Error(text);
	return id;
}

/** Begins a check of the monitor now. */
export async function check(sandbox: Sandbox, id: unknown): Promise<void> {
	const { status, text } = await ask(sandbox, 'POST', `/v2/monitor/${String(id)}/run`);
	if (status !== 200) throw new Error(text);
}

/** A call that nobody at the service has made; gives the answer's status. */
export async function forgedCall(
	sandbox: Sandbox,
	host: WebhookNode,
	body: object | string,
	headers: Record<string, string> = {},
): Promise<number> {
	return await sandbox.webhooks.forge({
		url: host.webhookUrl,
		body: body as object & string,
		headers,
	});
}

/** The one monitor that the service has. */
export async function onlyMonitor(sandbox: Sandbox): Promise<unknown> {
	const monitors = await monitorsOf(sandbox);
	expect(monitors).toHaveLength(1);
	return monitors[0];
}

/** The items of an execution, by its number. */
export function jsonOf(host: WebhookNode, at: number): unknown[] {
	return (host.executions[at]?.items ?? []).map(({ json }) => json);
}
