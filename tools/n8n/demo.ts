import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { N8nClient, type StoredWorkflow } from './client.ts';
import { importExamples, readExamples, saveCredential } from './examples.ts';
import { installN8n } from './install.ts';
import { ownerOf } from './owner.ts';
import { installPackage, packWebData } from './packages.ts';
import type { N8nVersion } from './project.ts';
import { type RunningN8n, startN8n } from './server.ts';
import { chooseService, type Service } from './service.ts';

/** The editor with everything in place. */
export interface Demo {
	n8n: RunningN8n;
	service: Service;
	owner: { email: string; password: string };
	workflows: StoredWorkflow[];
	stop(): Promise<void>;
}

/** What a demo is started with. */
export interface DemoOptions {
	root: string;
	version: N8nVersion;
	/** Everything the demo writes. Made to be ignored by git. */
	dataFolder: string;
	env: NodeJS.ProcessEnv;
	say: (line: string) => void;
}

function makeDataFolder(dataFolder: string): void {
	mkdirSync(dataFolder, { recursive: true });
	writeFileSync(path.join(dataFolder, '.gitignore'), '*\n');
}

/**
 * Installs n8n if needed, packs and installs this package, starts the service and n8n, and puts the
 * owner, the credential and the examples in place.
 *
 * @throws when a step fails; what was started until then has ended.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
	const { root, dataFolder, say } = options;
	makeDataFolder(dataFolder);
	const installed = await installN8n(options.version, say, root);
	say('Building this package and installing it as users do');
	const tarball = await packWebData(root, path.join(dataFolder, 'package'));
	await installPackage(dataFolder, tarball);
	const service = await chooseService(options.env);
	let n8n: RunningN8n | undefined;
	const stop = async (): Promise<void> => {
		await Promise.all([n8n?.stop(), service.stop()]);
	};
	try {
		say('Starting n8n');
		n8n = await startN8n({ installed, dataFolder, preferredPort: 5678 });
		const owner = ownerOf(dataFolder);
		const client = new N8nClient(n8n.baseUrl);
		await client.login(owner);
		const credential = await saveCredential(client, 'Web Data', 'webDataApi', service.credential);
		// The sandbox has a chat model; with another service the user connects one.
		const { baseUrl, apiKey } = service.credential;
		const model = { apiKey, url: `${baseUrl}/v1` };
		const models = service.isSandbox ? [await saveCredential(client, 'Sandbox model', 'openAiApi', model)] : [];
		const workflows = await importExamples(client, readExamples(path.join(root, 'examples')), [credential, ...models]);
		return { n8n, service, owner, workflows, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
