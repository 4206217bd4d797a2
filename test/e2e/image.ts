/**
 * `N8N_IMAGE=docker.n8n.io/n8nio/n8n:latest node test/e2e/image.ts`: the packed package in n8n's own image, where n8n 3
 * comes from. One scrape and one crawl against the sandbox. Needs Docker on Linux (host network).
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import getPort from 'get-port';
import { N8nClient } from '../../tools/n8n/client.ts';
import { installPackage } from '../../tools/n8n/packages.ts';
import { waitFor } from '../../tools/n8n/poll.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { failure, nodeOutput, waitForExecution } from './harness/executions.ts';
import { temporaryFolder, testOwner } from './harness/instance.ts';
import { apiKey, credentialFor, nodeType, packedTarball } from './harness/product.ts';
import { manualTrigger, type TestNode, workflow } from './harness/workflows.ts';

const image = process.env.N8N_IMAGE ?? 'docker.n8n.io/n8nio/n8n:latest';
const name = `web-data-${process.pid}`;

function docker(...args: string[]): string {
	const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8', timeout: 300_000 });
	if (status !== 0) throw new Error(`docker ${args[0]} failed: ${stderr}`);
	return stdout;
}

const folder = temporaryFolder('image');
const sandbox = await startSandbox({ speed: 20, keys: [apiKey] });
try {
	await installPackage(folder, await packedTarball());
	const home = path.join(folder, '.n8n');
	// n8n's user of the image is not this one.
	chmodSync(folder, 0o777);
	spawnSync('chmod', ['-R', 'a+rwX', home]);
	const port = await getPort({ host: '127.0.0.1' });
	const variables = {
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		// The sandbox is on this machine.
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8',
	};
	const env = Object.entries(variables).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
	docker('run', '--detach', '--name', name, '--network', 'host', '-v', `${home}:/home/node/.n8n`, ...env, image);
	const baseUrl = `http://127.0.0.1:${port}`;
	const isReady = async () => {
		const signs = [`${baseUrl}/healthz/readiness`, `${baseUrl}/rest/settings`];
		const answers = await Promise.all(signs.map(async (sign) => await fetch(sign)));
		return answers.every(({ ok }) => ok) ? true : undefined;
	};
	await waitFor('n8n to be ready', isReady, { timeoutMs: 180_000 });
	const client = new N8nClient(baseUrl);
	await client.login(testOwner);
	const credential = await credentialFor(client, sandbox);
	const node = (nodeName: string, parameters: object): TestNode => {
		return { name: nodeName, type: nodeType, typeVersion: 1, parameters, credential };
	};
	const nodes = [
		node('Scrape', { resource: 'page', operation: 'scrape', url: 'https://example.com/costs' }),
		node('Crawl', { resource: 'crawl', operation: 'start', url: 'https://example.com', pageLimit: 3 }),
	];
	const saved = await client.createWorkflow(workflow('Image', [manualTrigger, ...nodes]));
	const execution = await waitForExecution(client, await client.run(saved, manualTrigger.name));
	assert.equal(failure(execution), undefined);
	assert.match(String(nodeOutput(execution, 'Scrape')[0]?.json.markdown), /cargo bike/i);
	assert.equal(nodeOutput(execution, 'Crawl').length, 3);
	console.log(`${image}: installed, one scrape, one crawl`);
} catch (error) {
	console.error(spawnSync('docker', ['logs', '--tail', '40', name], { encoding: 'utf8' }).stdout);
	throw error;
} finally {
	spawnSync('docker', ['rm', '--force', name]);
	await sandbox.stop();
	rmSync(folder, { recursive: true, force: true });
}
