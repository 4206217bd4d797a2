/** What must not change unnoticed: `npx jest golden -u` writes it again after a change that is meant. */
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/WebData/resources';
import { expectGoldenFile } from '../helpers/goldenFile';
import { fullSettings, leastSettings } from '../helpers/fullSettings';
import { runRecorded } from './recordedService';
import { builtPackage } from './run';
import { jsonLines } from './shownOutput';

const GOLDEN = join(__dirname, '../golden');

it('shows the panels of all nodes as they were', async () => {
	const { descriptions } = await builtPackage();
	const panels = descriptions.flatMap(({ properties, ...node }) => [
		node,
		// n8n adds the times of polls itself, at each load.
		...properties.filter(({ name }) => name !== 'pollTimes').map((property) => ({ of: node.name, ...property })),
	]);
	expectGoldenFile(join(GOLDEN, 'panel.json'), jsonLines(panels));
});

/** Refuses everything, so that a run ends with what it asks for first. */
const REFUSED = {
	name: 'refused',
	response: { status: 400, body: { success: false, error: 'refused' } },
};

const FILE = {
	data: Buffer.from('%PDF-1.4').toString('base64'),
	mimeType: 'application/pdf',
	fileName: 'a.pdf',
};
const ITEM = { json: {}, binary: { data: FILE, attachment_0: FILE } };

/** What the service is asked for, or why it is not asked. */
async function asked(parameters: INodeParameters): Promise<unknown> {
	const { execution, seen } = await runRecorded([REFUSED], parameters, {}, ITEM);
	const requests = seen.map(({ method, path, body }) => ({ request: `${method} ${path}`, body }));
	const text = JSON.stringify(requests.length > 0 ? requests : { refused: execution.error?.message });
	return JSON.parse(
		text
			.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://service.test')
			.replace(/-{4,}\S+?(?=\\r|")/g, '--')
			.replace(/[0-9a-f]{24,}/g, 'SECRET'),
	);
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
	expectGoldenFile(join(GOLDEN, 'requests.json'), jsonLines(requests));
});
