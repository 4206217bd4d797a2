import type { Demo } from '../../../n8n/demo.ts';
import { waitFor } from '../../../n8n/poll.ts';
import { field, listOf } from '../../sandbox/client.ts';

type Service = Demo['service']['credential'];

const RUN_MS = 120_000;

async function ask(service: Service, method: string, path: string): Promise<unknown> {
	const headers = { authorization: `Bearer ${service.apiKey}` };
	const response = await fetch(service.baseUrl + path, { method, headers });
	return JSON.parse((await response.text()) || 'null');
}

/** The ID of the only monitor, once there is one. */
export async function monitorId(service: Service): Promise<string> {
	return await waitFor(
		'a monitor',
		async () => {
			const [monitor] = listOf(field(await ask(service, 'GET', '/v2/monitor'), 'data'));
			return monitor === undefined ? undefined : String(field(monitor, 'id'));
		},
		{ timeoutMs: RUN_MS },
	);
}

/** Makes the service check the page now, instead of at its hour, and waits until it has. */
export async function look(service: Service, id: string): Promise<void> {
	const checks = async (): Promise<unknown[]> =>
		listOf(field(await ask(service, 'GET', `/v2/monitor/${id}/checks`), 'data'));
	const before = (await checks()).length;
	await ask(service, 'POST', `/v2/monitor/${id}/run`);
	await waitFor(
		'the end of a check',
		async () => {
			const all = await checks();
			const open = all.some((check) =>
				['queued', 'running'].includes(String(field(check, 'status'))),
			);
			return all.length > before && !open ? true : undefined;
		},
		{ timeoutMs: RUN_MS },
	);
}
