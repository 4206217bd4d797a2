import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeProperties,
	RequestHelperFunctions,
} from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { namesInPanel } from '../../fields/namesInPanel';
import { ServiceClient, sharedState } from '../../service/client';
import { isJsonObject } from '../../service/http/answer';
import { normalizeBaseUrl } from '../../service/http/credential';
import { ServiceFailure } from '../../service/http/failure';
import type { HttpCall, HttpResponse, StreamedBody } from '../../service/http/transport';
import { NO_CREDENTIAL } from '../../service/http/withoutKey';
import { Secrets, normalizeKey } from '../../service/secrets';
import { processClock } from './processClock';

export const CREDENTIAL = 'webDataApi';

/** The part of n8n's context that is needed here: an execution has it, and so has what listens, activates or lists. */
type ConnectContext = RequestContext & InstanceContext & Pick<IExecuteFunctions, 'getExecutionId'>;

type InstanceContext = Partial<Pick<IExecuteFunctions, 'getInstanceId'>>;

/**
 * The way to the service for one execution of the node. Everything in this process that uses the same
 * credential shares its pauses and its start queue; they are found by a hash, the key is not kept.
 * `fields`: those of the panel, whose names a refusal of their values tells.
 * Throws a ServiceFailure when the credential's base URL is no address.
 */
export async function connect(ctx: ConnectContext, fields: INodeProperties[] = []): Promise<ServiceClient> {
	const { baseUrl: typedBaseUrl, apiKey } = await credentialOf(ctx);
	const baseUrl = normalizeBaseUrl(typedBaseUrl);
	const key = normalizeKey(apiKey);
	const hash = createHash('sha256')
		.update(JSON.stringify([baseUrl, key]))
		.digest('hex');
	return new ServiceClient({
		http: throughN8n(ctx),
		httpThroughStop: throughN8n(withoutCancelSignal(ctx)),
		baseUrl,
		account: accountMark(ctx, baseUrl, key),
		execution: ctx.getExecutionId(),
		shared: sharedState(hash, processClock),
		secrets: new Secrets(typeof apiKey === 'string' ? apiKey : ''),
		key,
		namesInPanel: (said) => namesInPanel(fields, said),
		time: processClock,
		signal: ctx.getExecutionCancelSignal?.(),
	});
}

/** Whether a credential is chosen in the node; n8n throws where it is asked for one that is not. */
function hasCredential(ctx: Pick<RequestContext, 'getNode'>): boolean {
	return ctx.getNode().credentials?.[CREDENTIAL] !== undefined;
}

async function credentialOf(ctx: Pick<RequestContext, 'getCredentials' | 'getNode'>): Promise<IDataObject> {
	return hasCredential(ctx) ? await ctx.getCredentials(CREDENTIAL) : NO_CREDENTIAL;
}

/**
 * Names the server and the account of the credential, to be stored: by the same names it is seen later that
 * neither has changed. Throws as connect does.
 */
export async function credentialNames(
	ctx: InstanceContext & Pick<RequestContext, 'getCredentials' | 'getNode'>,
): Promise<{ server: string; account: string }> {
	const { baseUrl: typedBaseUrl, apiKey } = await credentialOf(ctx);
	const baseUrl = normalizeBaseUrl(typedBaseUrl);
	const key = normalizeKey(apiKey);
	return { server: shortName(baseUrl), account: accountMark(ctx, baseUrl, key) };
}

/**
 * Tells keys apart in what is stored, in 24 bits, and gives none away: with n8n's own ID in it, nobody who sees it can
 * try weak keys of a server of one's own. The same mark is the same account; another one may be, with a new key.
 */
function accountMark(ctx: InstanceContext, baseUrl: string, key: string): string {
	return shortName(ctx.getInstanceId?.(), baseUrl, key, 'account');
}

function shortName(...parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 4);
}

/**
 * n8n's own request helper, with the body as a stream so that its size stays bounded, no redirect
 * followed (the key would go along, docs/reference/n8n-internals.md#redirects), and no second try on 401
 * (docs/reference/n8n-internals.md#second-request-after-401).
 */
function throughN8n(ctx: RequestContext): HttpCall {
	const { httpRequest, httpRequestWithAuthentication } = ctx.helpers;
	// Asked once: for the answer n8n copies the whole node.
	const isAuthenticated = hasCredential(ctx);
	return async ({ method, url, timeoutMs, query, body, requestId, stream }) => {
		const request: IHttpRequestOptions = {
			method,
			url,
			timeout: timeoutMs,
			json: true,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			// Lists go as repeated query values, as the service reads them (operation search.developerSearch).
			arrayFormat: 'repeat',
			...(query && { qs: query as IDataObject }),
			...(body && { body: body as IDataObject }),
			...(requestId !== undefined && { headers: { 'x-request-id': requestId } }),
			...(stream && { headers: { 'Content-Type': stream.contentType }, body: new StreamedBlob(stream) }),
		};
		if (isAuthenticated) {
			return readResponse(await httpRequestWithAuthentication.call(ctx as IExecuteFunctions, CREDENTIAL, request));
		}
		// The other one takes the cancel signal from the context by itself.
		const signal = ctx.getExecutionCancelSignal?.();
		return readResponse(await httpRequest({ ...request, ...(signal && { abortSignal: signal }) }));
	};
}

/** The part of their context that n8n's request helpers need. */
type RequestContext = Pick<IExecuteFunctions, 'getCredentials' | 'getNode' | 'logger'> &
	Partial<Pick<IExecuteFunctions, 'getExecutionCancelSignal'>> & {
		helpers: Pick<RequestHelperFunctions, 'httpRequest' | 'httpRequestWithAuthentication'>;
	};

/**
 * The same context for requests that must not break off when the execution is stopped. The helper takes
 * the cancel signal from a context that has one, whatever the request says
 * (docs/reference/n8n-internals.md#cancel-signal), so this one has none.
 */
function withoutCancelSignal(ctx: RequestContext): RequestContext {
	return {
		getCredentials: async (type, item) => await ctx.getCredentials(type, item),
		getNode: () => ctx.getNode(),
		helpers: ctx.helpers,
		logger: ctx.logger,
	};
}

/** Reads the full response of n8n's request helpers, with a stream as its body. */
export function readResponse(response: unknown): HttpResponse {
	if (!isJsonObject(response) || !isByteStream(response.body)) {
		throw new ServiceFailure({
			kind: 'connection',
			mayHaveExecuted: true,
			message: 'n8n handed over an answer without a body.',
		});
	}
	const { statusCode, headers, body } = response;
	return {
		statusCode: Number(statusCode),
		// axios gives an object of its own class.
		headers: typeof headers === 'object' && headers !== null ? { ...headers } : {},
		body,
	};
}

function isByteStream(value: unknown): value is HttpResponse['body'] {
	return typeof value === 'object' && value !== null && 'on' in value && 'destroy' in value;
}

/**
 * A body that is made while it is sent, in the one form in which n8n's request helper takes such a thing
 * without a module that community packages may not load: n8n hands it to axios, which streams a Blob piece
 * by piece, with its type and size in the headers (axios 1.18 of n8n-core 1.123 and 2.41, adapters/http.js).
 * A Blob's type is in lower case, so the boundary in it must be.
 */
class StreamedBlob extends Blob {
	constructor(private readonly body: StreamedBody) {
		super([], { type: body.contentType });
		// Own and enumerable: n8n sends no object without such a property (isObjectEmpty, n8n-workflow 1.120, 2.41).
		Object.defineProperty(this, 'size', { value: body.bytes, enumerable: true });
	}

	override stream(): ReturnType<Blob['stream']> {
		return ReadableStream.from(this.body.chunks);
	}
}
