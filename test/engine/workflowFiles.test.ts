/** Every workflow that this repository gives away: it can be imported as it is, into every supported n8n. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { loadBuiltPackage, readWorkflowFile } from '../../tools/n8n-engine/index.ts';
import type { BuiltPackage, WorkflowFile } from '../../tools/n8n-engine/index.ts';

const ROOT = join(__dirname, '../..');
const FILES = ['examples', 'docs/how-to'].flatMap((folder) =>
	readdirSync(join(ROOT, folder))
		.filter((name) => name.endsWith('.json'))
		.map((name) => `${folder}/${name}`),
);
const WEB_DATA = 'n8n-nodes-web-data.webData';
const isOurs = ({ type }: { type: string }): boolean => type.startsWith('n8n-nodes-web-data.');

/** Versions that n8n 1.123 knows, the oldest to import the workflows. */
const NEWEST_IN_N8N_1_123: Readonly<Record<string, number>> = {
	'@n8n/n8n-nodes-langchain.agent': 3,
	'@n8n/n8n-nodes-langchain.chatTrigger': 1.4,
	'@n8n/n8n-nodes-langchain.documentDefaultDataLoader': 1.1,
	'@n8n/n8n-nodes-langchain.embeddingsOpenAi': 1.2,
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 1.3,
	'@n8n/n8n-nodes-langchain.vectorStoreInMemory': 1.3,
	'@n8n/n8n-nodes-langchain.vectorStorePGVector': 1.3,
	'n8n-nodes-base.aggregate': 1,
	'n8n-nodes-base.convertToFile': 1.1,
	'n8n-nodes-base.dataTable': 1,
	'n8n-nodes-base.emailSend': 2.1,
	'n8n-nodes-base.executeWorkflow': 1.3,
	'n8n-nodes-base.executeWorkflowTrigger': 1.1,
	'n8n-nodes-base.form': 1,
	'n8n-nodes-base.formTrigger': 2.2,
	'n8n-nodes-base.if': 2.2,
	'n8n-nodes-base.manualTrigger': 1,
	'n8n-nodes-base.merge': 3.1,
	'n8n-nodes-base.noOp': 1,
	'n8n-nodes-base.postgres': 2.6,
	'n8n-nodes-base.scheduleTrigger': 1.2,
	'n8n-nodes-base.set': 3.4,
	'n8n-nodes-base.splitInBatches': 3,
	'n8n-nodes-base.splitOut': 1,
	'n8n-nodes-base.stickyNote': 1,
	'n8n-nodes-base.stopAndError': 1,
	'n8n-nodes-base.wait': 1.1,
	[WEB_DATA]: 1,
	[`${WEB_DATA}Tool`]: 1,
	[`${WEB_DATA}Trigger`]: 2,
	[`${WEB_DATA}Loader`]: 1,
	'n8n-nodes-web-data.webDataPollTrigger': 1,
	'n8n-nodes-web-data.webResearch': 1,
	'n8n-nodes-web-data.webResearchTool': 1,
};

/** Those of n8n 2: a workflow with one says so in its name. */
const OF_N8N_2: Readonly<Record<string, number>> = {
	'@n8n/n8n-nodes-langchain.chat': 1.1,
	'n8n-nodes-base.emailSendHitlTool': 2.1,
};

/** What n8n gives a node besides the parameters of its own: when it looks. */
const PARAMETERS_OF_N8N = ['pollTimes'];

let loaded: BuiltPackage;
beforeAll(async () => {
	loaded = await loadBuiltPackage(ROOT);
});

describe.each(FILES)('%s', (file) => {
	let workflow: WorkflowFile;
	const named = (name: string): INode | undefined => workflow.nodes.find((node) => node.name === name);
	beforeAll(async () => {
		workflow = await readWorkflowFile(join(ROOT, file));
	});

	test('holds nodes that every supported n8n knows', () => {
		const known = { ...NEWEST_IN_N8N_1_123, ...(workflow.name?.includes('n8n 2') && OF_N8N_2) };
		for (const { type, typeVersion } of workflow.nodes) {
			expect(known[type]).toBeGreaterThanOrEqual(typeVersion);
		}
		expect(workflow.settings?.executionOrder).toBe('v1');
	});

	test('has no agent that refuses its model: before version 3 it takes no Responses API', () => {
		const isOf = (name: string) => workflow.nodes.filter(({ type }) => type.endsWith(`langchain.${name}`));
		const hasResponses = isOf('lmChatOpenAi').some(({ typeVersion }) => typeVersion >= 1.3);
		for (const { typeVersion } of hasResponses ? isOf('agent') : []) expect(typeVersion).toBeGreaterThanOrEqual(3);
	});

	test('connects nodes that exist, each with a name and an id of its own', () => {
		expect(new Set(workflow.nodes.map(({ id }) => id)).size).toBe(workflow.nodes.length);
		expect(new Set(workflow.nodes.map(({ name }) => name)).size).toBe(workflow.nodes.length);
		for (const [source, kinds] of Object.entries(workflow.connections)) {
			expect(named(source)).toBeDefined();
			for (const connection of Object.values(kinds).flat(2)) {
				expect(named(connection?.node ?? '')).toBeDefined();
			}
		}
	});

	test('names the credential without the id of anybody’s installation', () => {
		for (const { credentials } of workflow.nodes.filter(isOurs)) {
			expect(credentials).toEqual({ webDataApi: { id: '', name: 'Web Data API' } });
		}
	});

	test('sets only parameters that the node has', () => {
		for (const { type, parameters } of workflow.nodes.filter(isOurs)) {
			const own = loaded.descriptions.find(({ name }) => type.replace(/Tool$/, '').endsWith(`.${name}`));
			const known = (own?.properties ?? []).map(({ name }) => name);
			for (const name of Object.keys(parameters)) {
				expect([...known, ...PARAMETERS_OF_N8N]).toContain(name);
			}
		}
	});
});
