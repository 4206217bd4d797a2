import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { pollingTrigger } from '../../tools/n8n-engine/index.ts';
import type { PollingTrigger, PollOptions } from '../../tools/n8n-engine/index.ts';
import { startScript } from '../helpers/script';
import type { ScriptAnswer as Answer, ScriptedService } from '../helpers/script';
import { builtPackage, KEY } from './run';

export type { ScriptAnswer as Answer } from '../helpers/script';
export type Answering = (path: string, query: URLSearchParams) => Answer;

/** A service that answers whatever it is told to. */
export interface HostileService extends ScriptedService {
	answering: Answering;
	/** Paths that were asked for. */
	asked: string[];
}

export async function startHostile(): Promise<HostileService> {
	const server = await startScript(({ path, query }) => {
		service.asked.push(path);
		return service.answering(path, new URLSearchParams(query));
	});
	const service: HostileService = {
		...server,
		answering: () => ({ status: 404, body: { success: false, error: 'Nothing here' } }),
		asked: [],
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
