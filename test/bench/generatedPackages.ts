import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import type { BuiltPackage } from '../../tools/n8n-engine/index.ts';
import { ROOT } from './workflow.ts';

/** A package with one node, made for one run. */
interface GeneratedPackage {
	package: BuiltPackage;
	remove(): Promise<void>;
}

const CREDENTIAL_FILE = 'dist/credentials/WebDataApi.credentials.js';

/**
 * The least that a node with a request for each item costs: one parameter that holds an expression and
 * one request through n8n's helper, 50 on their way together, nothing else.
 */
const FLOOR = `
	const items = this.getInputData();
	const { baseUrl } = await this.getCredentials('webDataApi');
	const out = new Array(items.length);
	let next = 0;
	const lane = async () => {
		for (let item = next++; item < items.length; item = next++) {
			const url = this.getNodeParameter('url', item);
			const json = await this.helpers.httpRequestWithAuthentication.call(this, 'webDataApi', {
				method: 'POST', url: baseUrl + '/v2/scrape', body: { url }, json: true,
			});
			out[item] = { json, pairedItem: { item } };
		}
	};
	await Promise.all(Array.from({ length: 50 }, lane));
	return [out];
`;

/** The least that reading a crawl costs: its slices one after the other, of which nothing is kept. */
const READER = `
	const { baseUrl } = await this.getCredentials('webDataApi');
	const send = (request) => this.helpers.httpRequestWithAuthentication
		.call(this, 'webDataApi', { json: true, ...request });
	const body = { url: this.getNodeParameter('url', 0), limit: this.getNodeParameter('pageLimit', 0) };
	const { id } = await send({ method: 'POST', url: baseUrl + '/v2/crawl', body });
	let pagesInFile = 0;
	for (let url = baseUrl + '/v2/crawl/' + id; url;) {
		const { data, next } = await send({ method: 'GET', url });
		pagesInFile += data.length;
		url = next;
	}
	return [[{ json: { pagesInFile }, pairedItem: { item: 0 } }]];
`;

const URL_FIELD: INodeProperties = { displayName: 'URL', name: 'url', type: 'string', default: '' };
const PAGE_LIMIT: INodeProperties = {
	displayName: 'Page Limit',
	name: 'pageLimit',
	type: 'number',
	default: 1,
};

export async function floorPackage(): Promise<GeneratedPackage> {
	return await generate('Floor', bareDescription('Floor', [URL_FIELD]), FLOOR);
}

export async function readerPackage(): Promise<GeneratedPackage> {
	return await generate('Reader', bareDescription('Reader', [URL_FIELD, PAGE_LIMIT]), READER);
}

/** A node with nothing but these fields. */
function bareDescription(displayName: string, properties: INodeProperties[]) {
	return {
		displayName,
		name: displayName.toLowerCase(),
		group: ['transform'],
		version: 1,
		description: displayName,
		defaults: { name: displayName },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'webDataApi', required: true }],
		properties,
	};
}

/**
 * Writes a package of one node to a temporary folder and loads it the way n8n does, with our credential.
 * `execute`: the code of that method.
 */
async function generate(className: string, description: object, execute: string): Promise<GeneratedPackage> {
	const code = `exports.${className} = class {
	constructor() { this.description = ${JSON.stringify(description)}; }
	async execute() {${execute}}
};`;
	const directory = await mkdtemp(join(tmpdir(), 'bench-package-'));
	const node = `dist/nodes/${className}.node.js`;
	const n8n = { n8nNodesApiVersion: 1, nodes: [node], credentials: [CREDENTIAL_FILE] };
	const name = `n8n-nodes-bench-${className.toLowerCase()}`;
	const credential = JSON.stringify(join(ROOT, CREDENTIAL_FILE));
	const files = {
		'package.json': JSON.stringify({ name, version: '0.0.1', n8n }),
		[node]: code,
		[CREDENTIAL_FILE]: `module.exports = require(${credential});`,
	};
	for (const [file, text] of Object.entries(files)) {
		await mkdir(dirname(join(directory, file)), { recursive: true });
		await writeFile(join(directory, file), text);
	}
	return {
		package: await loadBuiltPackage(directory),
		remove: async () => await rm(directory, { recursive: true, force: true }),
	};
}
