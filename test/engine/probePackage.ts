import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A package on disk, and a server that its node asks. */
export interface Probe {
	directory: string;
	baseUrl: string;
	/** The headers of every request so far, oldest first. */
	requests: IncomingHttpHeaders[];
	stop(): Promise<void>;
}

const NODE = `
class Probe {
	constructor() {
		this.description = {
			displayName: 'Probe', name: 'probe', group: ['transform'], version: 1, description: 'Probes',
			defaults: { name: 'Probe' }, inputs: ['main'], outputs: ['main'], usableAsTool: true,
			credentials: [{ name: 'probeApi', required: true }],
			properties: [
				{ displayName: 'Resource', name: 'resource', type: 'options', noDataExpression: true, default: 'thing',
					options: [{ name: 'Thing', value: 'thing' }] },
				{ displayName: 'Operation', name: 'operation', type: 'options', noDataExpression: true, default: 'ask',
					displayOptions: { show: { resource: ['thing'] } },
					options: [{ name: 'Ask', value: 'ask', action: 'Ask a thing' }] },
				{ displayName: 'Text', name: 'text', type: 'string', default: '' },
				{ displayName: 'Fail', name: 'fail', type: 'string', default: '' },
				{ displayName: 'Wait', name: 'waitMs', type: 'number', default: 0 },
			],
		};
	}
	async execute() {
		const memory = this.getContext('node');
		const credentials = await this.getCredentials('probeApi');
		const out = [];
		for (const [index, item] of this.getInputData().entries()) {
			memory.tries = (memory.tries ?? 0) + 1;
			const text = this.getNodeParameter('text', index);
			const fail = this.getNodeParameter('fail', index);
			const answer = await this.helpers.httpRequestWithAuthentication.call(this, 'probeApi', {
				url: credentials.baseUrl + '/', json: true,
			});
			const until = Date.now() + this.getNodeParameter('waitMs', index);
			while (Date.now() < until && !this.getExecutionCancelSignal().aborted)
				await new Promise((resolve) => setTimeout(resolve, 5));
			if (fail === 'always' || (fail === 'once' && memory.tries === 1)) throw new Error('Told to fail');
			if (fail === 'item') { out.push({ json: { error: 'This item failed', details: { id: 7 } }, pairedItem: { item: index } }); continue; }
			out.push({
				json: { text, answer: answer.greeting, timeout: credentials.timeout,
					isTool: this.isToolExecution(), type: this.getNode().type },
				binary: { data: await this.helpers.prepareBinaryData(Buffer.from('Grüße ' + text), 'a.md', 'text/markdown') },
				pairedItem: { item: index },
			});
		}
		this.addExecutionHints({ message: 'Probed ' + out.length, type: 'info', location: 'outputPane' });
		return [out];
	}
}
exports.Probe = Probe;
`;

const CREDENTIAL = `
exports.ProbeApi = class {
	constructor() {
		this.name = 'probeApi';
		this.displayName = 'Probe API';
		this.properties = [
			{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
			{ displayName: 'Key', name: 'apiKey', type: 'string', default: '' },
			{ displayName: 'Timeout', name: 'timeout', type: 'number', default: 30 },
		];
		this.authenticate = AUTHENTICATE;
	}
};
`;

const AUTHENTICATE = {
	generic: `{ type: 'generic', properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } } }`,
	function: `async ({ apiKey }, request) => ({ ...request, headers: { ...request.headers, 'x-key': apiKey } })`,
};

/** Writes a package with one node and one credential type to a temporary folder and serves its API. */
export async function startProbe(authenticate: keyof typeof AUTHENTICATE): Promise<Probe> {
	const directory = await mkdtemp(join(tmpdir(), 'probe-package-'));
	const write = async (file: string, text: string): Promise<void> => {
		await mkdir(dirname(join(directory, file)), { recursive: true });
		await writeFile(join(directory, file), text);
	};
	const n8n = {
		n8nNodesApiVersion: 1,
		nodes: ['dist/nodes/Probe.node.js'],
		credentials: ['dist/credentials/ProbeApi.credentials.js'],
	};
	const manifest = { name: 'n8n-nodes-probe', version: '0.0.1', n8n };
	await write('package.json', JSON.stringify(manifest));
	await write('dist/nodes/Probe.node.js', NODE);
	await write(
		'dist/credentials/ProbeApi.credentials.js',
		CREDENTIAL.replace('AUTHENTICATE', AUTHENTICATE[authenticate]),
	);

	const requests: IncomingHttpHeaders[] = [];
	const server = createServer((request, response) => {
		requests.push(request.headers);
		response.setHeader('content-type', 'application/json').end('{"greeting":"hello"}');
	});
	await new Promise<void>((resolve) => {
		server.listen(0, '127.0.0.1', resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		directory,
		baseUrl: `http://127.0.0.1:${port}`,
		requests,
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => {
				server.close(resolve);
			});
			await rm(directory, { recursive: true, force: true });
		},
	};
}
