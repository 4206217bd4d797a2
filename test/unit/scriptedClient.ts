import { ServiceClient } from '../../nodes/service/limits/client';
import type { ClientParts } from '../../nodes/service/limits/client';
import { Secrets } from '../../nodes/service/secrets';
import { SharedLimits } from '../../nodes/service/limits/limits';
import type { HttpOptions } from '../../nodes/service/http/transport';
import { httpResponse } from './httpResponse.ts';
import { VirtualTime } from './virtualTime.ts';

export interface ScriptedAnswer {
	status?: number;
	/** An object is sent as JSON. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Code of a connection that breaks in the place of an answer. */
	code?: string;
}

/** What a service says to a request; the first one has the number 1. */
export type Script = (options: HttpOptions, count: number) => ScriptedAnswer;

export const BASE_URL = 'https://service.example';

/** A client in virtual time, whose service answers by a script, and all that was asked of it. */
export function scriptedClient(script: Script, more: Partial<ClientParts> = {}) {
	const time = new VirtualTime();
	const limits = new SharedLimits();
	const seen: Array<HttpOptions & { atMs: number }> = [];
	const http = async (options: HttpOptions) => {
		seen.push({ ...options, atMs: time.now() });
		const { status = 200, body = {}, headers = {}, code } = script(options, seen.length);
		await time.sleep(10);
		if (code !== undefined) throw Object.assign(new Error('It broke'), { code });
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		return httpResponse({ status, headers, text });
	};
	const client = new ServiceClient({
		http,
		baseUrl: BASE_URL,
		limits,
		time,
		secrets: new Secrets(''),
		...more,
	});
	return { client, http, limits, seen, time };
}
