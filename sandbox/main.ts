import { parseArgs } from 'node:util';
import { PLAN_NAMES } from './account/plan.ts';
import { startSandbox } from './server.ts';
import type { SandboxOptions } from './service/options.ts';

const HELP = `Starts a local service that keeps the contract of the web data service.

  npm run sandbox -- [options]

  --port NUMBER       port of the service (default 3900; 0 takes a free one)
  --speed NUMBER      divides job durations, rate limit windows and waits (default 1)
  --plan NAME         ${PLAN_NAMES.join(', ')} (default unlimited)
  --seed NUMBER       makes durations and ids repeatable
  --key KEY           accepted API key, may be given several times (default fc-sandbox)
  --no-key            accept every request, as a self-hosted server does
  --keyless           answer scrapes, searches and parses without a key too, as the hosted service does:
                      10 requests an hour for each address
  --no-database       play the plain self-hosted server: no feed, no balance, no stored scrapes
  --help              show this

Scrape, crawl, batch scrape, map, search, agent and the other operations answer. They read any http site
that answers. https://example.com/try/changing and others misbehave on purpose: see docs/SANDBOX.md. A
research's query may hold [fail], [odd], [lasts:SECONDS].
Statistics: GET /_sandbox/stats. Faults: POST and DELETE /_sandbox/faults.
`;

/** The number an option holds. Throws an Error in one sentence. */
function readNumber(name: string, text: string, least: number, most: number): number {
	const value = Number(text);
	if (text.trim() === '' || !(value >= least && value <= most)) {
		throw new Error(`--${name} must be a number from ${least} to ${most}, not "${text}".`);
	}
	return value;
}

function readArguments(): SandboxOptions | undefined {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '3900' },
			speed: { type: 'string', default: '1' },
			plan: { type: 'string', default: 'unlimited' },
			seed: { type: 'string' },
			key: { type: 'string', multiple: true, default: ['fc-sandbox'] },
			'no-key': { type: 'boolean', default: false },
			keyless: { type: 'boolean', default: false },
			'no-database': { type: 'boolean', default: false },
			help: { type: 'boolean', short: 'h', default: false },
		},
	});
	if (values.help) return undefined;
	return {
		...(values['no-database'] && { database: false }),
		...(values.keyless && { keyless: { requests: 10 } }),
		port: readNumber('port', values.port, 0, 65_535),
		speed: readNumber('speed', values.speed, 0.001, 1_000_000),
		plan: values.plan,
		paidProviders: true,
		keys: values['no-key'] ? [] : values.key,
		...(values.seed !== undefined && { seed: readNumber('seed', values.seed, 0, 2 ** 32 - 1) }),
	};
}

async function main(): Promise<void> {
	const options = readArguments();
	if (!options) {
		process.stdout.write(HELP);
		return;
	}
	const sandbox = await startSandbox(options);
	// No forced exit: with everything closed the process ends by itself, after its output is written.
	const stop = (): void => void sandbox.stop();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	const keys = options.keys?.length ? options.keys.join(', ') : 'none needed';
	process.stdout.write(
		`Sandbox of the web data service

  Base URL   ${sandbox.baseUrl}
  API key    ${keys}
  Plan       ${String(options.plan)}
  Speed      ${options.speed}
  Its pages  ${sandbox.siteUrl}, in requests also https://example.com

It keeps the service's contract: job states, limits, errors. It is no language model and does not
search the web: research and search know a dozen pages about cargo bikes that it serves itself.
Summaries, answers and JSON are sentences picked from pages, pictures are grey, and actions do nothing.
Press Ctrl-C to stop.
`,
	);
}

/** The reason in one sentence, also for a port that is taken. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if ('code' in error && error.code === 'EADDRINUSE') {
		const port = 'port' in error ? ` ${String(error.port)}` : '';
		return `Port${port} is taken; choose another with --port, 0 for a free one.`;
	}
	// parseArgs adds hints on further lines; --help says more.
	return error.message.split('\n', 1)[0] ?? error.message;
}

main().catch((error: unknown) => {
	process.stderr.write(`${reasonOf(error)}\n`);
	process.exitCode = 1;
});
