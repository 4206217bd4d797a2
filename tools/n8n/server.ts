import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import getPort from 'get-port';
import type { InstalledN8n } from './install.ts';
import { cleanEnvironment } from './npm.ts';
import type { N8nVersion } from './project.ts';
import { waitFor } from './poll.ts';
import { type RunningProgram, startProgram } from './processes.ts';

/** What an n8n is started with. */
interface ServerOptions {
	installed: InstalledN8n;
	/** n8n's user folder: database, settings, installed packages; made when missing. */
	dataFolder: string;
	/** Taken when free; any other free port otherwise. */
	preferredPort?: number;
	/** Taken as it is: that of an n8n which has ended and is to be called where it was. */
	port?: number;
	/** Settings on top of the ones below, in n8n's own variables. */
	env?: Record<string, string>;
	/** Output of n8n; `n8n.log` in the data folder when absent. */
	logFile?: string;
	readyTimeoutMs?: number;
}

/** A started n8n. */
export interface RunningN8n {
	baseUrl: string;
	dataFolder: string;
	program: RunningProgram;
	/** From start to the first answer that it is ready. */
	readyAfterMs: number;
	stop(): Promise<void>;
	/** Ends it as a crash would. */
	kill(): Promise<void>;
}

/** Nothing is sent anywhere and nothing is fetched: n8n must work without the internet. */
const offline = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

/** What one line needs and another does not know. */
const perVersion: Record<N8nVersion, Record<string, string>> = {
	// 2.x fetches a list from n8n's makers at every start.
	'2.41': { N8N_DISABLED_MODULES: 'mcp-registry' },
	'2.40': { N8N_DISABLED_MODULES: 'mcp-registry' },
	// Code runs in a process of its own, as 2.x does without being told.
	// It evaluates expressions in an isolated-vm that Node.js 20 cannot load, and answers no request
	// without it; its older way of evaluating them needs nothing.
	'1.123': { N8N_RUNNERS_ENABLED: 'true', N8N_EXPRESSION_ENGINE: 'legacy' },
};

/** This project's own settings are for the sandbox and the credential: n8n must not see the key. */
const ownVariables = /^(WEB_DATA_|N8N_)/;

/** The key of this data folder's credentials. Main and workers must share it, and so must restarts. */
export function encryptionKey(dataFolder: string): string {
	const file = path.join(dataFolder, 'encryption-key');
	if (!existsSync(file)) {
		mkdirSync(dataFolder, { recursive: true });
		writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
	}
	return readFileSync(file, 'utf8').trim();
}

/** The environment that main and workers have in common. */
export async function n8nEnvironment(
	installed: InstalledN8n,
	dataFolder: string,
	env: Record<string, string> = {},
): Promise<NodeJS.ProcessEnv> {
	const inherited = Object.fromEntries(
		Object.entries(cleanEnvironment(installed.nodeBinary)).filter(([name]) => !ownVariables.test(name)),
	);
	return {
		...inherited,
		...offline,
		...perVersion[installed.version],
		NODE_ENV: 'production',
		N8N_USER_FOLDER: dataFolder,
		N8N_ENCRYPTION_KEY: encryptionKey(dataFolder),
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		// Packages that n8n's makers have not reviewed: today's default, announced to change.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// Every n8n has a broker of its own: the default port would be taken by the first of two.
		N8N_RUNNERS_BROKER_PORT: String(await getPort({ host: '127.0.0.1' })),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
		GENERIC_TIMEZONE: 'UTC',
		...env,
	};
}

/** Whether GET answers 200 on all `urls`; a refused connection throws. */
async function allAnswer(urls: readonly string[]): Promise<true | undefined> {
	for (const url of urls) {
		const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
		await response.arrayBuffer();
		if (!response.ok) return undefined;
	}
	return true;
}

/**
 * Starts n8n on a free loopback port and waits until it answers that it is ready.
 *
 * @throws with the end of n8n's log when it ends or is not ready in time (2 minutes unless told).
 */
export async function startN8n(options: ServerOptions): Promise<RunningN8n> {
	const { installed, dataFolder } = options;
	mkdirSync(dataFolder, { recursive: true });
	const port = options.port ?? (await getPort({ port: options.preferredPort, host: '127.0.0.1' }));
	const baseUrl = `http://127.0.0.1:${port}`;
	const began = Date.now();
	const program = await startProgram({
		name: `n8n ${installed.version}`,
		command: installed.nodeBinary,
		args: [installed.n8nBinary, 'start'],
		cwd: dataFolder,
		env: {
			...(await n8nEnvironment(installed, dataFolder, options.env)),
			N8N_HOST: '127.0.0.1',
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_PROTOCOL: 'http',
			[installed.version === '1.123' ? 'WEBHOOK_URL' : 'N8N_WEBHOOK_URL']: `${baseUrl}/`,
			N8N_EDITOR_BASE_URL: baseUrl,
		},
		logFile: options.logFile ?? path.join(dataFolder, 'n8n.log'),
	});
	// n8n says it is ready before it knows its own routes: the REST interface has the last word.
	const signs = [`${baseUrl}/healthz/readiness`, `${baseUrl}/rest/settings`];
	await waitUntilReady(program, signs, options.readyTimeoutMs ?? 120_000);
	return {
		baseUrl,
		dataFolder,
		program,
		readyAfterMs: Date.now() - began,
		stop: () => program.stop(15_000),
		kill: () => program.kill(),
	};
}

/**
 * Waits until all `urls` answer 200.
 *
 * @throws with the end of the program's log when it ends before, or is late.
 */
export async function waitUntilReady(
	program: RunningProgram,
	urls: readonly string[],
	timeoutMs: number,
): Promise<void> {
	try {
		const ready = await waitFor(
			`${program.name} to be ready`,
			async () => (program.isRunning() ? await allAnswer(urls) : false),
			{ timeoutMs },
		);
		if (!ready) throw new Error(`${program.name} ended (${await program.exited}) before it was ready.`);
	} catch (error) {
		await program.kill();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason} Its log is ${program.logFile}; it ends with:\n${program.tail()}`);
	}
}
