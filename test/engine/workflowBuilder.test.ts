/** What n8n's workflow builder and its MCP server read of the nodes besides names and descriptions. */
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';

let descriptions: readonly INodeTypeDescription[];
beforeAll(async () => {
	({ descriptions } = await loadBuiltPackage(join(__dirname, '../..')));
});

const named = (name: string): INodeTypeDescription | undefined =>
	descriptions.find((description) => description.name === name);

it.each(['webData', 'webResearch', 'webDataTrigger', 'webDataPollTrigger'])('%s says when to choose it', (name) => {
	const hint = named(name)?.builderHint?.searchHint;
	expect(hint).toMatch(/\.$/);
	// n8n's Assistant runs single nodes.
	expect(hint).toMatch(/costs? .*credits?|credits? a page/);
});

it('names only resources, operations and parameters that there are', () => {
	const properties = named('webData')?.properties ?? [];
	const resources = properties
		.filter(({ name }) => name === 'resource')
		.flatMap(({ options = [] }) => options.map((option) => ('value' in option ? option.value : '')));
	const known = [...properties.map(({ name }) => name), ...resources];
	const hint = named('webData')?.builderHint?.searchHint ?? '';
	const inHint = [
		...['page', 'batchScrape', 'map', 'crawl', 'search', 'agent', 'parse', 'extract', 'llmsTxt'],
		...['deepResearch', 'pageLimit', 'withContent', 'maxCredits'],
	];
	for (const name of inHint) {
		expect(hint).toContain(name);
		expect(known).toContain(name);
	}
});

it('relates to nodes that there are', () => {
	const types = descriptions.map(({ name }) => `n8n-nodes-web-data.${name}`);
	for (const { builderHint } of descriptions)
		for (const { nodeType } of builderHint?.relatedNodes ?? []) expect(types).toContain(nodeType);
});

// n8n throws for such a node: its builder does not show them.
it('has no hint on the choosers of resource and operation', () => {
	for (const { properties } of descriptions)
		for (const { name, builderHint } of properties)
			if (['resource', 'operation', 'mode'].includes(name)) expect(builderHint).toBeUndefined();
});
