import type { Sandbox } from '../../sandbox/server.ts';
import { startScript } from '../helpers/script';
import type { ScriptAnswer, ScriptRequest, ScriptedService } from '../helpers/script';

/** What becomes of a request: `pass` asks the sandbox. */
type Interposing = (request: ScriptRequest, pass: () => Promise<ScriptAnswer>) => Promise<ScriptAnswer>;

/** A server in front of the sandbox that may change, hold or refuse what goes through it. */
export interface ServiceInBetween extends ScriptedService {
	/** What it does from now on. */
	interpose: Interposing;
}

export async function startInBetween(sandbox: Sandbox): Promise<ServiceInBetween> {
	const pass = async ({ method, path, query, text, headers }: ScriptRequest): Promise<ScriptAnswer> => {
		const asked = new URLSearchParams(query).toString();
		const { authorization = '', 'content-type': type, 'x-request-id': id } = headers;
		const response = await fetch(`${sandbox.baseUrl}${path}${asked === '' ? '' : `?${asked}`}`, {
			method,
			headers: {
				authorization,
				...(type !== undefined && { 'content-type': type }),
				...(typeof id === 'string' && { 'x-request-id': id }),
			},
			...(text !== '' && { body: text }),
		});
		return { status: response.status, body: await response.json() };
	};
	const server = await startScript(
		async (request) => await service.interpose(request, async () => await pass(request)),
	);
	const service: ServiceInBetween = { ...server, interpose: async (_request, passOn) => await passOn() };
	return service;
}
