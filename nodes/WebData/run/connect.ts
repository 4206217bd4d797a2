import { createHash } from 'node:crypto';

import { sleep } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { ServiceClient } from '../../service/client';
import { sharedLimits } from '../../service/shared';
import type { Time } from '../../service/time';
import { normalizeBaseUrl } from '../../service/transport';
import type { HttpOptions, HttpResponse } from '../../service/transport';
import { readResponse } from './response';

export const CREDENTIAL = 'webDataApi';

const time: Time = {
	now: () => performance.now(),
	wallClock: () => Date.now(),
	sleep: async (ms, wake) => await sleep(ms, wake).catch(() => undefined),
	random: () => Math.random(),
};

/**
 * The way to the service for one execution of the node. Everything in this process that uses the same
 * credential shares its pauses and its start queue; they are found by a hash, the key is not kept.
 * Throws a ServiceFailure when the credential's base URL is no address.
 */
export async function connect(ctx: IExecuteFunctions): Promise<ServiceClient> {
	const { baseUrl: typedBaseUrl, apiKey } = await ctx.getCredentials(CREDENTIAL);
	const baseUrl = normalizeBaseUrl(typedBaseUrl);
	const hash = createHash('sha256')
		.update(JSON.stringify([baseUrl, apiKey]))
		.digest('hex');
	return new ServiceClient({
		http: async (options) => await sendThroughN8n(ctx, options),
		baseUrl,
		limits: sharedLimits(hash),
		time,
		signal: ctx.getExecutionCancelSignal(),
	});
}

/**
 * n8n's own request helper, with the body as a stream so that its size stays bounded, no redirect
 * followed (the key would go along, N8N fact 13), and no second try on 401 (N8N fact 12).
 */
async function sendThroughN8n(ctx: IExecuteFunctions, options: HttpOptions): Promise<HttpResponse> {
	const request: IHttpRequestOptions = {
		method: options.method,
		url: options.url,
		timeout: options.timeoutMs,
		json: true,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
		...(options.query && { qs: options.query as IDataObject }),
		...(options.body && { body: options.body as IDataObject }),
	};
	const response: unknown = await ctx.helpers.httpRequestWithAuthentication.call(
		ctx,
		CREDENTIAL,
		request,
	);
	return readResponse(response);
}
