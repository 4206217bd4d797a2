import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { N8nClient, type Owner } from '../../../tools/n8n/client.ts';
import { installN8n } from '../../../tools/n8n/install.ts';
import { installPackage } from '../../../tools/n8n/packages.ts';
import { newestN8n, type N8nVersion } from '../../../tools/n8n/project.ts';
import { type RunningN8n, startN8n } from '../../../tools/n8n/server.ts';

/** The owner account of every n8n of the tests. */
export const testOwner: Owner = { email: 'tests@example.com', password: 'Tests-only-1' };

/** What a test n8n is started with. */
export interface InstanceOptions {
	version?: N8nVersion;
	/** Community package to install before the first start, as a tarball. */
	tarball?: string;
	/** n8n's own variables. */
	env?: Record<string, string>;
	/** A data folder to use instead of a new one; it is left in place. */
	dataFolder?: string;
}

/** A folder of the tests' own, outside the clone, where n8n, databases and browsers keep their data. */
export function temporaryFolder(purpose: string): string {
	return mkdtempSync(path.join(tmpdir(), `web-data-${purpose}-`));
}

/** An n8n of a test's own, with its own data and port, that can be crashed and started again. */
export class Instance {
	readonly dataFolder: string;
	readonly #options: InstanceOptions;
	#running: RunningN8n;
	#client: N8nClient;

	private constructor(options: InstanceOptions, dataFolder: string, running: RunningN8n, client: N8nClient) {
		this.#options = options;
		this.dataFolder = dataFolder;
		this.#running = running;
		this.#client = client;
	}

	/** Starts one and logs in as its owner. n8n itself is installed if this machine has none yet. */
	static async start(options: InstanceOptions = {}): Promise<Instance> {
		const dataFolder = options.dataFolder ?? temporaryFolder('n8n');
		if (options.tarball !== undefined) await installPackage(dataFolder, options.tarball);
		const { running, client } = await launch(options, dataFolder);
		return new Instance(options, dataFolder, running, client);
	}

	/** The REST interface, logged in. After a restart it is another one with the same transcript. */
	get client(): N8nClient {
		return this.#client;
	}

	get running(): RunningN8n {
		return this.#running;
	}

	/** Everything that n8n wrote to its log so far. */
	get logFile(): string {
		return this.#running.program.logFile;
	}

	/** Ends n8n with SIGKILL, in the middle of whatever it does. */
	async crash(): Promise<void> {
		await this.#running.kill();
	}

	/** Starts n8n again on the same data and port, after `crash` or `end`, or instead of the one that runs. */
	async restart(): Promise<void> {
		await this.#running.stop();
		const { running, client } = await launch(this.#options, this.dataFolder, {
			transcript: this.#client.transcript,
			// Who was told where to call it calls there.
			port: Number(new URL(this.#running.baseUrl).port),
		});
		this.#running = running;
		this.#client = client;
	}

	/** Ends n8n in order; its data stay. */
	async end(): Promise<void> {
		await this.#running.stop();
	}

	/** Ends n8n and removes the data, unless the folder was the caller's. */
	async dispose(): Promise<void> {
		await this.#running.stop();
		if (this.#options.dataFolder === undefined) rmSync(this.dataFolder, { recursive: true, force: true });
	}
}

async function launch(
	options: InstanceOptions,
	dataFolder: string,
	{ transcript = [], port }: { transcript?: string[]; port?: number } = {},
): Promise<{ running: RunningN8n; client: N8nClient }> {
	const installed = await installN8n(options.version ?? newestN8n);
	const running = await startN8n({
		installed,
		dataFolder,
		...(port === undefined ? {} : { port }),
		...(options.env ? { env: options.env } : {}),
	});
	const client = new N8nClient(running.baseUrl, transcript);
	await client.login(testOwner);
	return { running, client };
}
