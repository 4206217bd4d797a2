import getPort from 'get-port';
import { startSandbox } from '../../sandbox/server.ts';

/** The service that the credential points at. */
export interface Service {
	/** What it is, for the message at the start. */
	name: string;
	/** Whether it is the sandbox, with its pages to try things on. */
	isSandbox: boolean;
	/** The fields of the credential. */
	credential: { baseUrl: string; apiKey: string };
	stop(): Promise<void>;
}

const sandboxKey = 'fc-sandbox';
const hostedUrl = 'https://api.firecrawl.dev';

/**
 * The service of `WEB_DATA_BASE_URL` and `WEB_DATA_API_KEY` when one of them is set, else a sandbox
 * on this machine.
 */
export async function chooseService(env: NodeJS.ProcessEnv): Promise<Service> {
	const { WEB_DATA_BASE_URL: baseUrl, WEB_DATA_API_KEY: apiKey } = env;
	if (baseUrl || apiKey) {
		const credential = { baseUrl: baseUrl || hostedUrl, apiKey: apiKey || '' };
		return {
			name: `the service at ${credential.baseUrl}`,
			isSandbox: false,
			credential,
			stop: () => Promise.resolve(),
		};
	}
	// Jobs take a few seconds instead of minutes: long enough to see the node wait.
	const sandbox = await startSandbox({
		port: await getPort({ port: 3900, host: '127.0.0.1' }),
		speed: 5,
		keys: [sandboxKey],
		paidProviders: true,
	});
	return {
		name: `the sandbox at ${sandbox.baseUrl}`,
		isSandbox: true,
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandboxKey },
		stop: () => sandbox.stop(),
	};
}
