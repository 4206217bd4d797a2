import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { pollingTrigger } from '../../engine/index.ts';
import type { PollingTrigger, PollOptions } from '../../engine/index.ts';
import { builtPackage, KEY } from './research';

/** What the service answers: a body, or a status with a body. */
export interface Answer {
	status?: number;
	body: unknown;
	/** How long the service takes to answer, in milliseconds. */
	afterMs?: number;
}
export type Answering = (path: string, query: URLSearchParams) => Answer;

/** A service that answers whatever it is told to. */
export interface HostileService {
	baseUrl: string;
	answering: Answering;
	/** Paths that were asked for. */
	asked: string[];
	stop(): void;
}

export async function startHostile(): Promise<HostileService> {
	const server: Server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service.test');
		service.asked.push(pathname);
		request.resume().on('end', () => {
			const { status = 200, body, afterMs = 0 } = service.answering(pathname, searchParams);
			const answer = () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
			if (afterMs > 0) setTimeout(answer, afterMs);
			else answer();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const service: HostileService = {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		answering: () => ({ status: 404, body: { success: false, error: 'Nothing here' } }),
		asked: [],
		stop() {
			server.closeAllConnections();
			server.close();
		},
	};
	return service;
}

export async function pollingOn(
	{ baseUrl }: HostileService,
	event: string,
	parameters: INodeParameters = {},
	staticData: IDataObject = {},
	{ apiKey = KEY, ...more }: Pick<PollOptions, 'durableCursors'> & { apiKey?: string } = {},
): Promise<PollingTrigger> {
	return pollingTrigger({
		...more,
		package: await builtPackage(),
		credential: { baseUrl, apiKey },
		nodeName: 'webDataPollTrigger',
		parameters: { event, ...parameters },
		staticData,
	});
}

/** What a poll starts the workflow with, or the error that it tells. */
export async function outcomeOf(polling: PollingTrigger): Promise<IDataObject[] | string> {
	try {
		return ((await polling.poll()) ?? []).map(({ json }) => json);
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
