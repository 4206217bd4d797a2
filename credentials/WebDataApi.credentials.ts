import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { authorizationFor } from '../nodes/service/http/credential';

/** Adds the key, for the configured origin only. */
async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const target = new URL(requestOptions.url, requestOptions.baseURL);
	const authorization = authorizationFor(target, credentials);
	return { ...requestOptions, headers: { ...requestOptions.headers, ...authorization } };
}

// Constants, because eslint-plugin-n8n-nodes-base has two rules that exclude each other for a literal:
// a documentationUrl must be a URL (community packages) and a camel-case slug (n8n's own repository).
// It names the service, so that n8n's list of credentials finds it by either name.
const DISPLAY_NAME = 'Web Data API (Firecrawl)';
const DOCUMENTATION_URL = 'https://www.npmjs.com/package/n8n-nodes-web-data#credentials';

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
				'Address of the Firecrawl API. Keep the default for the hosted service; for your own server give its address, such as http://localhost:3002. A trailing slash, /v1 or /v2 does no harm.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'fc-…',
			description:
				'Key of the hosted service: sign up at firecrawl.dev, then copy it from API Keys in the dashboard. A self-hosted server needs none unless it was set up to ask for one: leave this empty. The key is sent to the base URL and nowhere else.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Only for Web Data Trigger: with it, calls that the service has not signed are refused. Hosted: account settings, Advanced. Your own server: SELF_HOSTED_WEBHOOK_HMAC_SECRET. Empty: calls prove themselves by a secret address and header.',
		},
	];

	authenticate: IAuthenticate = authenticate;
}
