import { parseArgs } from 'node:util';

/** What the user asked the demo to do. */
export interface DemoOptions {
	/** Without a service the demo starts the sandbox. */
	service?: { baseUrl: string; apiKey: string };
	/** Default: the question that the example workflow holds. */
	query?: string;
	/** How many questions are researched, at least 1. */
	items: number;
	/** Only the output items, as JSON on stdout. */
	json: boolean;
}

export const HELP = `Runs an example workflow in n8n's own engine and prints the analysis.

  npm run demo                          against the sandbox, which it starts itself
  npm run demo -- --base-url URL        against a service; the key comes from WEB_DATA_API_KEY

  --query TEXT   the question to research
  --items N      research N questions side by side (default 1)
  --json         print only the output items, as a JSON array
  --help         print this

WEB_DATA_API_KEY alone means the hosted service, which charges a credit for each page it analyses.
`;

const HOSTED_SERVICE = 'https://api.firecrawl.dev';
const MOST_ITEMS = 1000;

/**
 * Reads the command line. Returns `help` where that was asked for; throws an Error in one sentence for
 * an option that makes no sense.
 */
export function readOptions(
	args: readonly string[],
	env: Readonly<Record<string, string | undefined>>,
): DemoOptions | 'help' {
	const { values } = parseArgs({
		args: [...args],
		options: {
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', short: 'h', default: false },
			'base-url': { type: 'string' },
			query: { type: 'string' },
			items: { type: 'string', default: '1' },
		},
	});
	if (values.help) return 'help';

	const items = Number(values.items);
	if (!Number.isInteger(items) || items < 1 || items > MOST_ITEMS) {
		throw new Error(`--items must be a whole number from 1 to ${MOST_ITEMS}.`);
	}
	if (values.query !== undefined && values.query.trim() === '') {
		throw new Error('--query must not be empty.');
	}
	const service = readService(values['base-url'], env.WEB_DATA_API_KEY ?? '');
	return {
		items,
		json: values.json,
		...(values.query !== undefined && { query: values.query }),
		...(service !== undefined && { service }),
	};
}

function readService(baseUrl: string | undefined, apiKey: string): DemoOptions['service'] {
	if (baseUrl === undefined) return apiKey === '' ? undefined : { baseUrl: HOSTED_SERVICE, apiKey };
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
		throw new Error('--base-url must be an address that starts with http:// or https://.');
	}
	return { baseUrl, apiKey };
}
