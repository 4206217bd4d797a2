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
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'fc-…',
			hint: 'Get a key at <a href="https://www.firecrawl.dev/app/api-keys" target="_blank">firecrawl.dev</a>. Leave empty for a self-hosted server that asks for none.',
			description: 'Your Firecrawl API key. It is sent to the base URL only.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'https://api.firecrawl.dev',
			required: true,
			placeholder: 'e.g. http://localhost:3002',
			hint: 'Change this only for a self-hosted server, such as http://localhost:3002',
			description: 'Address of the Firecrawl API. A trailing slash, /v1 or /v2 does no harm.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'Optional. Only for Web Data Trigger: refuses webhooks that Firecrawl has not signed.',
			description: 'Hosted: account settings, Advanced. Self-hosted: the value of SELF_HOSTED_WEBHOOK_HMAC_SECRET.',
		},
	];

	authenticate: IAuthenticate = authenticate;
}
