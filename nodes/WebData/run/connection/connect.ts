import { createHash } from 'node:crypto';

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeProperties,
	RequestHelperFunctions,
} from 'n8n-workflow';

import { ServiceClient } from '../../../service/limits/client';
import { sharedLimits } from '../../../service/limits/sharedLimits';
import { Secrets } from '../../../service/secrets/secrets';
import { normalizeBaseUrl } from '../../../service/http/credential';
import type { HttpOptions, HttpResponse } from '../../../service/http/transport';
import { namesInPanel } from '../../panel/panelProperties';
import { processClock } from './processClock';
import { readResponse } from './response';
import { StreamedBlob } from './streamedBlob';

export const CREDENTIAL = 'webDataApi';

/** What is needed of n8n for it: an execution has it, and so has what listens, activates or lists. */
export type ConnectContext = RequestContext &
	Pick<IExecuteFunctions, 'getExecutionId'> &
	Partial<Pick<IExecuteFunctions, 'getExecutionCancelSignal'>>;

/**
 * The way to the service for one execution of the node. Everything in this process that uses the same
 * credential shares its pauses and its start queue; they are found by a hash, the key is not kept.
 * `fields`: those of the panel, whose names a refusal of their values tells.
 * Throws a ServiceFailure when the credential's base URL is no address.
 */
export async function connect(
	ctx: ConnectContext,
	fields: INodeProperties[] = [],
): Promise<ServiceClient> {
	const { baseUrl: typedBaseUrl, apiKey } = await ctx.getCredentials(CREDENTIAL);
	const baseUrl = normalizeBaseUrl(typedBaseUrl);
	const hash = createHash('sha256')
		.update(JSON.stringify([baseUrl, apiKey]))
		.digest('hex');
	return new ServiceClient({
		http: async (options) => await sendThroughN8n(ctx, options),
		httpThroughStop: async (options) => await sendThroughN8n(withoutCancelSignal(ctx), options),
		baseUrl,
		execution: ctx.getExecutionId(),
		limits: sharedLimits(hash, processClock.now()),
		secrets: new Secrets(typeof apiKey === 'string' ? apiKey : ''),
		hasKey: typeof apiKey === 'string' && apiKey.trim() !== '',
		namesInPanel: (said) => namesInPanel(fields, said),
		time: processClock,
		signal: ctx.getExecutionCancelSignal?.(),
	});
}

/**
 * Names the server and the account of the credential, to be stored: by the same names it is seen later that
 * neither has changed. 24 bits tell accounts apart and give no key away. Throws as connect does.
 */
export async function credentialNames(
	ctx: Pick<RequestContext, 'getCredentials'>,
): Promise<{ server: string; account: string }> {
	const { baseUrl: typedBaseUrl, apiKey } = await ctx.getCredentials(CREDENTIAL);
	const baseUrl = normalizeBaseUrl(typedBaseUrl);
	const name = (...parts: unknown[]): string =>
		createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 4);
	return { server: name(baseUrl), account: name(baseUrl, apiKey, 'account') };
}

/**
 * n8n's own request helper, with the body as a stream so that its size stays bounded, no redirect
 * followed (the key would go along, docs/n8n-internals.md#redirects), and no second try on 401
 * (docs/n8n-internals.md#second-request-after-401).
 */
async function sendThroughN8n(ctx: RequestContext, options: HttpOptions): Promise<HttpResponse> {
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
		// Lists go as repeated query values, as the service reads them (operation search.developerSearch).
		arrayFormat: 'repeat',
		...(options.query && { qs: options.query as IDataObject }),
		...(options.body && { body: options.body as IDataObject }),
		...(options.stream && {
			headers: { 'Content-Type': options.stream.contentType },
			body: new StreamedBlob(options.stream),
		}),
	};
	const response: unknown = await ctx.helpers.httpRequestWithAuthentication.call(
		ctx as IExecuteFunctions,
		CREDENTIAL,
		request,
	);
	return readResponse(response);
}

/** What n8n's request helper needs of the context that it is called with. */
type RequestContext = Pick<IExecuteFunctions, 'getCredentials' | 'getNode' | 'logger'> & {
	helpers: Pick<RequestHelperFunctions, 'httpRequestWithAuthentication'>;
};

/**
 * The same context for requests that must not break off when the execution is stopped. The helper takes
 * the cancel signal from a context that has one, whatever the request says
 * (docs/n8n-internals.md#cancel-signal), so this one has none.
 */
function withoutCancelSignal(ctx: RequestContext): RequestContext {
	return {
		getCredentials: async (type, item) => await ctx.getCredentials(type, item),
		getNode: () => ctx.getNode(),
		helpers: ctx.helpers,
		logger: ctx.logger,
	};
}
