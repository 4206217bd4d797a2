import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field, listOf, startedJob } from '../sandbox/client';

/** Parameters of Browser · Run in a New Session with these steps of JavaScript. */
export function inNewSession(codes: string[], more: INodeParameters = {}): INodeParameters {
	return {
		resource: 'browser',
		operation: 'runInNewSession',
		steps: { step: codes.map((code) => ({ language: 'node', code, timeout: 30 })) },
		...more,
	};
}

export function createSession(more: INodeParameters = {}): INodeParameters {
	return { resource: 'browser', operation: 'createSession', ...more };
}

interface Listed {
	id: string;
	status: string;
}

/** The sandbox's sessions, newest first; its own requests are not struck by faults that are cleared before. */
export async function sessionsOf(sandbox: Sandbox, status = ''): Promise<Listed[]> {
	const { body } = await ask(sandbox, 'GET', `/v2/interact${status === '' ? '' : `?status=${status}`}`);
	return listOf(field(body, 'sessions')) as Listed[];
}

/** Ids of the sessions that are open. */
export async function openIds(sandbox: Sandbox): Promise<string[]> {
	return (await sessionsOf(sandbox, 'active')).map(({ id }) => id);
}

/** Opens a session that is none of the node's. */
export const openElsewhere = async (sandbox: Sandbox) => await startedJob(sandbox, '/v2/interact', {});
