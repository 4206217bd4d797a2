/** What must not change unnoticed: `npx vitest run golden -u` writes it again after a change that is meant. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../../engine/index.ts';
import { resources } from '../../nodes/WebData/resources';
import { fullSettings, leastSettings } from '../helpers/fullSettings';
import { builtPackage, workflowWith } from './research';

const file = (name: string) => join(__dirname, '../golden', name);

/** A list with an entry a line. */
const lines = (entries: unknown[]) =>
	`[\n${entries.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`;

let server: Server;
let baseUrl = '';
let seen: unknown[] = [];

beforeAll(async () => {
	// Refuses everything, so that a run ends with what it asks for first.
	server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const text = Buffer.concat(chunks).toString('utf8');
			const body: unknown = text.startsWith('{')
				? JSON.parse(text)
				: text.replace(/-{4,}\S+/g, '--');
			seen.push({ request: `${request.method} ${request.url}`, ...(text !== '' && { body }) });
			response.writeHead(400, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ success: false, error: 'refused' }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
	await new Promise((resolve) => server.close(resolve));
});

it('shows the panels of all nodes as they were', async () => {
	const { descriptions } = await builtPackage();
	const panels = descriptions.flatMap(({ properties, ...node }) => [
		node,
		// n8n adds the times of polls itself, at each load.
		...properties
			.filter(({ name }) => name !== 'pollTimes')
			.map((property) => ({ of: node.name, ...property })),
	]);
	await expect(lines(panels)).toMatchFileSnapshot(file('panel.json'));
});

/** A file of an item. */
const FILE = {
	data: Buffer.from('%PDF-1.4').toString('base64'),
	mimeType: 'application/pdf',
	fileName: 'a.pdf',
};

/** What the service is asked for, or why it is not asked. */
async function asked(parameters: INodeParameters): Promise<unknown> {
	seen = [];
	const { error } = await runWorkflow({
		package: await builtPackage(),
		workflow: workflowWith(parameters),
		credential: { baseUrl, apiKey: 'fc-golden' },
		pinData: { Items: [{ json: {}, binary: { data: FILE, attachment_0: FILE } }] },
	});
	const steady = (value: unknown) =>
		JSON.parse(
			JSON.stringify(value)
				.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://service.test')
				.replace(/[0-9a-f]{24,}/g, 'SECRET'),
		) as unknown;
	return steady(seen.length > 0 ? seen : { refused: error?.message });
}

it('asks for the same with the least and with all settings of every operation', async () => {
	const requests: unknown[] = [];
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			for (const [name, settings] of [
				['least', leastSettings(fields)],
				['all', fullSettings(fields)],
			] as const) {
				const parameters = { resource, operation, ...settings } as INodeParameters;
				requests.push({ of: `${resource} ${operation}, ${name}`, asks: await asked(parameters) });
			}
		}
	}
	expect(requests.length).toBeGreaterThan(115);
	await expect(lines(requests)).toMatchFileSnapshot(file('requests.json'));
});
