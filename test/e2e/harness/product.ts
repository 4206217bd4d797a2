import { rmSync } from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import type { N8nClient, StoredCredential, WorkflowDefinition } from '../../../tools/n8n/client.ts';
import { readExamples, withCredential } from '../../../tools/n8n/examples.ts';
import { packWebData } from '../../../tools/n8n/packages.ts';
import { type N8nVersion, projectRoot, webDataPackage } from '../../../tools/n8n/project.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import type { SandboxOptions } from '../../../sandbox/service/options.ts';
import { Instance, type InstanceOptions, temporaryFolder } from './instance.ts';
import type { TestNode } from './workflows.ts';

/** The key of every credential in the tests: no record, log or answer of n8n may hold it. */
export const apiKey = 'fc-end-to-end-secret';
/** The node's name in workflows. */
export const nodeType = `${webDataPackage}.webData`;
export const credentialType = 'webDataApi';
/** The node that the examples start from. */
export const exampleTrigger = 'When You Press the Button';

/** An n8n with the package installed, a service of its own and a credential for it. */
export interface Product {
	version: N8nVersion;
	n8n: Instance;
	sandbox: Sandbox;
	credential: StoredCredential;
	dispose(): Promise<void>;
}

/** A credential for a sandbox, with the key of the tests. */
export async function credentialFor(
	client: N8nClient,
	{ baseUrl }: Pick<Sandbox, 'baseUrl'>,
	name = 'Web Data',
): Promise<StoredCredential> {
	return await client.createCredential(name, credentialType, { baseUrl, apiKey });
}

let packing: Promise<string> | undefined;

/**
 * The package as `npm publish` would send it, built and packed once per process.
 * `WEB_DATA_TARBALL` names one that is there already.
 */
export async function packedTarball(): Promise<string> {
	const given = process.env.WEB_DATA_TARBALL;
	if (given) return path.resolve(given);
	packing ??= (async () => {
		const folder = temporaryFolder('package');
		process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
		return await packWebData(projectRoot(), folder);
	})();
	return await packing;
}

/** Starts an n8n of a test's own, with the package, a sandbox (20 times as fast as real) and a credential. */
export async function startProduct(
	version: N8nVersion,
	options: Omit<InstanceOptions, 'version' | 'tarball'> = {},
	service: SandboxOptions = {},
): Promise<Product> {
	const sandbox = await startSandbox({ speed: 20, keys: [apiKey], paidProviders: true, ...service });
	try {
		const n8n = await Instance.start({ ...options, version, tarball: await packedTarball() });
		const credential = await credentialFor(n8n.client, sandbox);
		const dispose = async (): Promise<void> => {
			await n8n.dispose();
			await sandbox.stop();
		};
		return { version, n8n, sandbox, credential, dispose };
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}

const shared = new Map<N8nVersion, Promise<Product>>();

/**
 * The n8n of this line that all tests share which neither crash it nor change what is installed.
 * It logs all it can, so that its log can be searched for the key.
 */
export async function sharedProduct(version: N8nVersion): Promise<Product> {
	const started = shared.get(version) ?? startProduct(version, { env: { N8N_LOG_LEVEL: 'debug' } });
	shared.set(version, started);
	return await started;
}

after(async () => {
	for (const started of await Promise.allSettled(shared.values())) {
		if (started.status === 'fulfilled') await started.value.dispose();
	}
});

/** The example with these words in its name, with the credential chosen. */
export function example(words: string, credential: StoredCredential): WorkflowDefinition {
	const examples = readExamples(path.join(projectRoot(), 'examples'));
	const found = examples.find(({ name }) => name.includes(words));
	if (found === undefined) throw new Error(`No example has "${words}" in its name.`);
	return withCredential(found, credential);
}

/** A Web Data node that researches `query` and waits for the analysis. */
export function researchNode(credential: StoredCredential, query: string, settings: object = {}): TestNode {
	const parameters = { resource: 'deepResearch', operation: 'start', query };
	return { name: 'Research', type: nodeType, typeVersion: 1, parameters, credential, settings };
}

/** The ids of the jobs that the service has accepted for queries with `words` in them. */
export function startedJobs(sandbox: Sandbox, words: string): string[] {
	return sandbox
		.stats()
		.starts.list.filter(({ query }) => query.includes(words))
		.map(({ id }) => id);
}
