import { parseArgs } from 'node:util';
import { isStepName, STEPS } from './steps.ts';
import type { StepName } from './steps.ts';

/** What the user asked the demo to do. */
export interface DemoOptions {
	/** Without a service the demo starts the sandbox. */
	service?: { baseUrl: string; apiKey: string };
	/** The examples to run, in this order. */
	steps: StepName[];
	/** Default: what the examples hold. */
	url?: string;
	query?: string;
	/** Only the output items, as JSON on stdout. */
	json: boolean;
	/** n8n is killed while it starts a crawl, and the execution retried; instead of the examples. */
	isCrash: boolean;
}

const CRASH = 'crash';

const ALL_STEPS = Object.keys(STEPS).filter(isStepName);

export const HELP = `Runs example workflows in n8n's own engine and prints what comes out.

  npm run demo                          all of them against the sandbox, which it starts itself
  npm run demo -- research              one of them: Web Research, and the legacy Deep Research
  npm run demo -- scrape search         some of them: ${ALL_STEPS.join(', ')}
  npm run demo -- crash                 n8n is killed while it starts a crawl, and retried: what is paid?
  npm run demo -- --base-url URL        against a service; the key comes from WEB_DATA_API_KEY

  --url URL      the page or site to read instead (scrape, crawl, data)
  --query TEXT   the question or the words to search for instead (research, search)
  --json         print only the output items, as a JSON array
  --help         print this

WEB_DATA_API_KEY alone means the hosted service, which charges credits. Against a service only
"scrape" runs (1 credit) unless you name others; "research" needs the sandbox's chat model.
`;

const HOSTED_SERVICE = 'https://api.firecrawl.dev';

/**
 * Reads the command line. Returns `help` where that was asked for; throws an Error in one sentence for
 * an option that makes no sense.
 */
export function readOptions(
	args: readonly string[],
	env: Readonly<Record<string, string | undefined>>,
): DemoOptions | 'help' {
	const { values, positionals } = parseArgs({
		args: [...args],
		allowPositionals: true,
		options: {
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', short: 'h', default: false },
			'base-url': { type: 'string' },
			url: { type: 'string' },
			query: { type: 'string' },
		},
	});
	if (values.help) return 'help';

	const isCrash = positionals.includes(CRASH);
	if (isCrash && args.length > 1) throw new Error(`"${CRASH}" runs alone, against the sandbox: leave out all else.`);
	const unknown = positionals.find((name) => !isStepName(name) && name !== CRASH);
	if (unknown !== undefined) {
		throw new Error(`There is no "${unknown}": choose from ${[...ALL_STEPS, CRASH].join(', ')}.`);
	}
	for (const name of ['url', 'query'] as const) {
		if (values[name]?.trim() === '') throw new Error(`--${name} must not be empty.`);
	}
	const service = readService(values['base-url'], env.WEB_DATA_API_KEY ?? '');
	const named = positionals
		.filter(isStepName)
		.flatMap((name): StepName[] => (name === 'research' ? ['research', 'deepResearch'] : [name]));
	if (service !== undefined && named.includes('research')) {
		throw new Error(
			'"research" runs against the sandbox only, because it uses the sandbox’s chat model. Leave out --base-url and WEB_DATA_API_KEY, or choose "deepResearch".',
		);
	}
	return {
		// What a real service charges for is only run by name.
		steps: named.length > 0 ? [...new Set(named)] : service === undefined ? ALL_STEPS : ['scrape'],
		json: values.json,
		isCrash,
		...(values.url !== undefined && { url: values.url }),
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
