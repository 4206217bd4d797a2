import { join } from 'node:path';
import { HELP, readOptions } from './options.ts';
import type { DemoOptions } from './options.ts';

const SANDBOX_KEY = 'fc-sandbox';
// The sandbox finishes in seconds what takes a service minutes.
const SANDBOX_SPEED = 10;

/** Exit code of a program that was interrupted (128 + SIGINT). */
const INTERRUPTED = 130;

const WEEK_MS = 7 * 24 * 3_600_000;

async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2), process.env);
	if (options === 'help') {
		process.stdout.write(HELP);
		return 0;
	}

	const stop = new AbortController();
	process.once('SIGINT', () => stop.abort());
	try {
		await start(options, stop.signal);
		return 0;
	} catch (error) {
		if (stop.signal.aborted) {
			process.stderr.write('Cancelled. A job that was started goes on at the service.\n');
			return INTERRUPTED;
		}
		throw error;
	}
}

async function start(options: DemoOptions, signal: AbortSignal): Promise<void> {
	const say = (line: string): void => {
		if (!options.json) process.stderr.write(`${line}\n`);
	};
	const print = (text: string) => void process.stdout.write(text);
	// Loaded only now: n8n's engine takes a second, which a wrong option need not wait for.
	if (options.isCrash) {
		const { runCrash } = await import('./crash.ts');
		await runCrash(print, signal);
		return;
	}
	const { runDemo } = await import('./demo.ts');
	const surroundings = { ...options, root: join(import.meta.dirname, '../..'), signal, say, print };
	if (options.service !== undefined) {
		say(`Using the service at ${new URL(options.service.baseUrl).origin}.`);
		await runDemo({ ...surroundings, service: options.service });
		return;
	}

	const { startSandbox } = await import('../../sandbox/server.ts');
	const sandbox = await startSandbox({ port: 0, speed: SANDBOX_SPEED, keys: [SANDBOX_KEY] });
	say('No key and no base URL given, so this runs against the sandbox: a local service');
	say('with pages of its own, which answers like the real one and costs nothing.');
	try {
		const service = { baseUrl: sandbox.baseUrl, apiKey: SANDBOX_KEY };
		const nextWeek = async () => {
			await fetch(`${sandbox.siteUrl}/try/week-2`);
			// So that the brief says from which week to which: this process alone has the later date.
			const { now } = Date;
			Date.now = () => now() + WEEK_MS;
		};
		await runDemo({ ...surroundings, service, nextWeek });
	} finally {
		await sandbox.stop();
	}
}

try {
	process.exitCode = await main();
} catch (error) {
	const message = error instanceof Error ? error.message : String(error);
	const key = process.env.WEB_DATA_API_KEY;
	const [sentence = ''] = message.split('\n');
	process.stderr.write(`${key ? sentence.replaceAll(key, '***') : sentence}\n`);
	process.exitCode = 1;
}
