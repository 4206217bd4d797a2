/** Those that compare with what an earlier week has left in a Data Table, whose calls are points, too. */
import { DataTables, retryFromStored, runWorkflow } from '../../../tools/n8n-engine/index.ts';
import type { Execution } from '../../../tools/n8n-engine/index.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { executionOptions, KEY, NODE, startSandbox } from '../run';
import { RESEARCH, retryResearch, runResearch } from '../webResearchRun';
import { attemptOf, nodeSettings } from './scenario';
import type { Scenario, Settings } from './scenario';

const SITE = 'https://example.com';

const NEWS = {
	parameters: {
		report: 'news',
		historyName: 'Scooters',
		whenNothingNew: 'item',
		options: { maxUrls: 6, pagesPerSite: 5 },
	},
	items: [{ q: 'Zippo, Rolla and Kixx scooters?' }],
};

/** The tables of each service's n8n, which begin as the first week has left them. */
const tablesOf = new WeakMap<Sandbox, DataTables>();

/** Runs the first week once, and begins each trial with what it has left, in the second. */
function afterFirstWeek(firstWeek: (sandbox: Sandbox, tables: DataTables) => Promise<Execution>) {
	let left: Promise<DataTables> | undefined;
	const run = async () => {
		const tables = new DataTables();
		const { error } = await firstWeek(await startSandbox({ seed: 1 }), tables);
		if (error) throw error;
		return tables;
	};
	return async (sandbox: Sandbox): Promise<DataTables> => {
		const known = tablesOf.get(sandbox);
		if (known) return known;
		const tables = (await (left ??= run())).copy();
		tablesOf.set(sandbox, tables);
		await (await fetch(`${sandbox.siteUrl}/try/week-2`)).text();
		return tables;
	};
}

/** A run of Web Research that is compared with the first week. */
function newsOf(
	name: string,
	asked: Pick<Parameters<typeof runResearch>[1] & object, 'parameters' | 'items'>,
): Scenario {
	const more = { ...asked, mode: 'trigger' as const };
	const tablesFor = afterFirstWeek(async (sandbox, tables) => await runResearch(sandbox, { ...more, tables }));
	return {
		name,
		tables: tablesFor,
		async run(settings, sandbox) {
			const { baseUrl, apiKey, signal } = settings;
			const tables = await tablesFor(sandbox);
			let before = '';
			const onProgress = (node: string, stored: string) => void (node === 'Items' && (before = stored));
			const node = nodeSettings(settings);
			const now = { ...more, tables, apiKey, node, onProgress, ...(signal && { signal }) };
			return attemptOf(await runResearch({ ...sandbox, baseUrl }, now), before, RESEARCH);
		},
		async retry(previous, { baseUrl, apiKey }, sandbox) {
			const tables = await tablesFor(sandbox);
			return attemptOf(
				await retryResearch({ ...sandbox, baseUrl }, previous, { ...more, tables, apiKey }),
				'',
				RESEARCH,
			);
		},
	};
}

export const newsOfResearch = newsOf('a research that tells what is new', NEWS);

export const newsOfTable = newsOf('a table that tells what has changed', {
	parameters: {
		operation: 'fillColumns',
		subject: '={{ $json.company }}',
		website: '={{ $json.company.toLowerCase() }}.example',
		columnsFrom: 'json',
		columnsJson: '{ "price": { "description": "Price of the smallest plan", "type": "money" } }',
		report: 'news',
		historyName: '',
		whenNothingNew: 'item',
	},
	items: [{ company: 'Velonda' }],
});

const NEW_PAGES = {
	resource: 'batchScrape',
	operation: 'start',
	url: '={{ $json.url }}',
	options: { onlyChanged: true },
};
const SCOOTERS = ['rolla', 'zippo', 'kixx'].map((name) => ({ json: { url: `${SITE}/scooters/${name}` } }));

async function newPages({ baseUrl, ...settings }: Settings, tables: DataTables) {
	const { apiKey, signal } = settings;
	const run = { credential: { baseUrl, apiKey }, tables, mode: 'trigger' as const, ...(signal && { signal }) };
	const options = await executionOptions({ baseUrl }, NEW_PAGES, {
		...run,
		node: nodeSettings({ baseUrl, ...settings }),
	});
	return { ...options, pinData: { Items: SCOOTERS } };
}

const tablesOfPages = afterFirstWeek(
	async ({ baseUrl }, tables) => await runWorkflow(await newPages({ baseUrl, apiKey: KEY }, tables)),
);

export const newAndChanged: Scenario = {
	name: 'a batch of which only new and changed pages are wanted',
	tables: tablesOfPages,
	async run(settings, sandbox) {
		let before = '';
		const onProgress = (node: string, stored: string) => void (node === 'Items' && (before = stored));
		const options = { ...(await newPages(settings, await tablesOfPages(sandbox))), onProgress };
		return attemptOf(await runWorkflow(options), before, NODE);
	},
	async retry(previous, settings, sandbox) {
		return attemptOf(await retryFromStored(previous, await newPages(settings, await tablesOfPages(sandbox))), '', NODE);
	},
};
