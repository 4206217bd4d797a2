import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { normalizeBaseUrl } from '../nodes/service/transport';

/**
 * Adds the key to requests for the configured origin and to no others, and no header at all when the
 * key is empty: self-hosted servers without authentication expect that (CONTRACT section 2).
 */
async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const apiKey = typeof credentials.apiKey === 'string' ? credentials.apiKey.trim() : '';
	const target = new URL(requestOptions.url, requestOptions.baseURL);
	const configured = new URL(normalizeBaseUrl(credentials.baseUrl));
	if (apiKey === '' || target.origin !== configured.origin) return requestOptions;
	return {
		...requestOptions,
		headers: { ...requestOptions.headers, Authorization: `Bearer ${apiKey}` },
	};
}

// Constants, because eslint-plugin-n8n-nodes-base has two rules that exclude each other for a literal:
// a documentationUrl must be a URL (community packages) and a camel-case slug (n8n's own repository).
const DISPLAY_NAME = 'Web Data API';
const DOCUMENTATION_URL = 'https://www.npmjs.com/package/n8n-nodes-web-data#credential';

export class WebDataApi implements ICredentialType {
	name = 'webDataApi';

	displayName = DISPLAY_NAME;

	documentationUrl = DOCUMENTATION_URL;

	icon = {
		light: 'file:../icons/web-data.svg',
		dark: 'file:../icons/web-data.dark.svg',
	} as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'https://api.firecrawl.dev',
			required: true,
			placeholder: 'e.g. http://localhost:3002',
			description:
				'Address of the service, http or https. Keep the default for the hosted service; for your own server give its address. A trailing slash, /v1 or /v2 does no harm.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Key from the account dashboard of the service. Leave it empty for a self-hosted server without authentication. It is sent to the base URL only.',
		},
	];

	authenticate: IAuthenticate = authenticate;

	// Read-only and free (CONTRACT section 13).
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/v[12]$/, "") }}',
			url: '/v2/crawl/active',
			disableFollowRedirect: true,
		},
	};
}
