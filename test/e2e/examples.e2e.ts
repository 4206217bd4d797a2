/** Every example, imported and run as it is, in a real n8n with its real nodes. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import type { Execution, StoredCredential } from '../../tools/n8n/client.ts';
import { readExamples, withCredential } from '../../tools/n8n/examples.ts';
import { projectRoot } from '../../tools/n8n/project.ts';
import { nodeOutput, waitForExecution } from './harness/executions.ts';
import { everyLine } from './harness/lines.ts';
import { apiKey, example, type Product, sharedProduct } from './harness/product.ts';

interface Check {
	/** The node that the workflow starts from. */
	trigger: string;
	/** Checks what came out. */
	check: (execution: Execution) => void;
}

const BUTTON = 'When You Press the Button';

function fileNames(execution: Execution, node: string, field: string): string[] {
	return nodeOutput(execution, node).map(({ binary }) => {
		const files = binary as Record<string, { fileName?: string }> | undefined;
		return files?.[field]?.fileName ?? '';
	});
}

/** By the words that an example's name has after the number. The durable one runs in engine/howTo.test.ts, those with Postgres in large-site.e2e.ts, those with a chat or a form in recipes.e2e.ts, those that the service starts in trigger.e2e.ts, those that ask a person in approval.e2e.ts. */
const checks: Record<string, Check> = {
	'Start here: scrape a page to Markdown': {
		trigger: BUTTON,
		check: (execution) => {
			const [item] = nodeOutput(execution, 'Scrape');
			assert.match(String(item?.json.markdown), /cargo bikes/i);
		},
	},
	'Search the web and read what it finds': {
		trigger: BUTTON,
		check: (execution) => {
			const pages = nodeOutput(execution, 'Use the Pages').map(({ json }) => json.markdown);
			assert.equal(pages.length, 3);
			for (const page of pages) assert.match(String(page), /cargo/i);
		},
	},
	'Structured data from a page': {
		trigger: BUTTON,
		check: (execution) => {
			const [item] = nodeOutput(execution, 'Row');
			assert.equal(item?.json.title, 'Costs of a cargo bike fleet');
			assert.equal(typeof item?.json.paybackMonths, 'number');
		},
	},
	'Research with Search and Scrape': {
		trigger: BUTTON,
		check: (execution) => assert.match(fileNames(execution, 'Use the Report', 'data')[0] ?? '', /^research-how.*\.md$/),
	},
	'A site to Markdown files': {
		trigger: BUTTON,
		check: (execution) => {
			const names = fileNames(execution, 'Store the Files', 'markdown');
			assert.equal(names.length, 14);
			assert.ok(names.includes('example.com_costs.md'), names.join(', '));
		},
	},
	'A crawl that uses no worker while it waits': {
		trigger: BUTTON,
		check: (execution) => assert.ok(nodeOutput(execution, 'Use the Pages').length > 0),
	},
	'Watch a page for changes': {
		trigger: 'Every Hour',
		check: (execution) => {
			const [item] = nodeOutput(execution, 'Scrape');
			const { changeStatus } = item?.json.changeTracking as { changeStatus: string };
			assert.match(changeStatus, /^(new|same)$/);
			assert.equal(nodeOutput(execution, 'Tell Somebody').length, 0);
		},
	},
	'Companies to rows with an agent': {
		trigger: BUTTON,
		check: (execution) => {
			const rows = nodeOutput(execution, 'Rows').map(({ json }) => json);
			assert.deepEqual(
				rows.map(({ company }) => company),
				['Nordhaven Cargo Cycles', 'Lindmoor Parcels', 'Osterby Couriers'],
			);
			for (const { founded, products } of rows) {
				assert.equal(typeof founded, 'number');
				assert.match(String(products), /., ./);
			}
		},
	},
	'Mail attachments to Markdown': {
		trigger: BUTTON,
		check: (execution) => {
			const files = nodeOutput(execution, 'Use the Markdown').map(({ json }) => json);
			assert.deepEqual(
				files.map(({ fileName }) => fileName),
				['offer.html', 'deliveries.csv'],
			);
			assert.match(String(files[0]?.markdown), /4500/);
		},
	},
	'Research a question, every statement checked': {
		trigger: BUTTON,
		check: (execution) => {
			const [item] = nodeOutput(execution, 'Use the Report');
			assert.equal(item?.json.status, 'completed');
			assert.match(String(item?.json.fileName), /^research-how-much-.*\.md$/);
		},
	},
	'Competitor watch: one mail each Monday with what has changed': {
		trigger: 'Each Monday',
		check: (execution) => {
			const [mail, ...others] = nodeOutput(execution, 'Send the Mail').map(({ json }) => json);
			assert.deepEqual(others, []);
			assert.match(String(mail?.html), /<td>Velonda<\/td><td>smallest_plan<\/td><td><a href="[^"]+">29 EUR<\/a>/);
		},
	},
	'A search each morning: one mail with what is new': {
		trigger: 'When a Search Finds Something New',
		check: (execution) => {
			const [mail] = nodeOutput(execution, 'Send the Mail').map(({ json }) => json);
			assert.match(String(mail?.subject), /^3 new results: cargo bikes in cities$/);
		},
	},
	'Three competitors each Monday: one mail, only news': {
		trigger: 'Each Monday',
		check: (execution) => {
			const [mail, ...others] = nodeOutput(execution, 'Send the Mail').map(({ json }) => json);
			assert.deepEqual(others, []);
			assert.equal((mail?.questions as object[]).length, 3);
			assert.match(String(mail?.subject), /^What does Zippo offer\? \(\+2\)$/);
			assert.match(String(mail?.html), /A ride on a Zippo scooter costs 22 cents a minute/);
			assert.equal(String(mail?.html).match(/<!DOCTYPE html>/g)?.length, 1);
		},
	},
	'Columns for a table of firms': {
		trigger: BUTTON,
		check: (execution) => {
			const rows = nodeOutput(execution, 'Use the Rows').map(({ json }) => json);
			assert.equal(rows.length, 12);
			const [velonda] = rows;
			assert.equal(velonda?.company, 'Velonda');
			assert.equal(velonda?.smallest_plan, 29);
			assert.equal(velonda?.smallest_plan_currency, 'EUR');
			assert.match(String(velonda?.smallest_plan_source), /^https:\/\/velonda\.example\/prices#:~:text=/);
			const names = ['head_office', 'founded', 'employees', 'smallest_plan', 'free_trial', 'sales_email'];
			const filled = rows.flatMap((row) => names.filter((name) => row[name] !== null)).length;
			assert.ok(filled >= 58, `${filled} of 72 cells`);
		},
	},
	'A report is checked before it is sent': {
		trigger: BUTTON,
		check: (execution) => {
			const [wrong] = nodeOutput(execution, 'Send What Is Wrong').map(({ json }) => json);
			const { isClean, supported } = wrong?.checked as { isClean: boolean; supported: number };
			assert.deepEqual([isClean, supported], [false, 3]);
			assert.equal((wrong?.problems as object[]).length, 2);
			assert.match(String(wrong?.html), /<small style="background:#c9ecd0/);
			assert.equal(nodeOutput(execution, 'Send the Report').length, 0);
		},
	},
	"An agent's answer is checked before it is sent": {
		trigger: BUTTON,
		check: (execution) => {
			const [sent] = nodeOutput(execution, 'Send the Answer').map(({ json }) => json);
			const { isClean, supported } = sent?.checked as { isClean: boolean; supported: number };
			assert.deepEqual([isClean, supported], [true, 5]);
			assert.equal(nodeOutput(execution, 'Send What Is Wrong').length, 0);
		},
	},
	'An AI agent that researches the web': {
		trigger: BUTTON,
		check: (execution) => {
			const [answer] = nodeOutput(execution, 'AI Agent');
			assert.match(String(answer?.json.output), /batter(y|ies)/i);
			assert.doesNotMatch(String(answer?.json.output), /know nothing/);
		},
	},
	'Log in and read a table': {
		trigger: BUTTON,
		check: (execution) => {
			const orders = nodeOutput(execution, 'One Item per Order').map(({ json }) => json);
			assert.ok(orders.length > 1, JSON.stringify(orders));
			assert.deepEqual(
				nodeOutput(execution, 'One Item per Order Again').map(({ json }) => json),
				orders,
			);
			assert.equal(nodeOutput(execution, 'Close Session')[0]?.json.closed, true);
		},
	},
	'A monitor with its checks': {
		trigger: BUTTON,
		check: (execution) => {
			const pages = nodeOutput(execution, 'Tell Somebody').map(({ json }) => json.status);
			assert.deepEqual(pages, ['new', 'new', 'new']);
			assert.equal(nodeOutput(execution, 'Delete Monitor')[0]?.json.deleted, true);
		},
	},
	'New pages of a competitor': {
		trigger: 'When the Site Has a New Page',
		check: (execution) => {
			// By hand it shows one page; that new ones start it is in poll.e2e.ts.
			const messages = nodeOutput(execution, 'Send the Message').map(({ json }) => json.message);
			assert.equal(messages.length, 1);
			assert.match(String(messages[0]), /^Cargo bikes .+ \(https:\/\/example\.com\/?\)\n./);
		},
	},
	'Scrape the URLs of a sheet': {
		trigger: BUTTON,
		check: (execution) => {
			const rows = nodeOutput(execution, 'Rows with Their Page').map(({ json }) => json);
			assert.deepEqual(
				rows.map(({ company }) => company),
				['Overview', 'Costs', 'Safety'],
			);
			assert.match(String(rows[1]?.text), /cost/i);
			const bad = nodeOutput(execution, 'Rows Without a Page').map(({ json }) => json);
			assert.deepEqual(
				bad.map(({ company }) => company),
				['Somewhere Else'],
			);
			assert.match(String(bad[0]?.error), /"unknown"/);
			assert.equal(typeof bad[0]?.details, 'object');
		},
	},
};

/** The credential for the sandbox's chat model. */
async function modelOf({ n8n, sandbox }: Product): Promise<StoredCredential> {
	const data = { apiKey, url: `${sandbox.baseUrl}/v1` };
	return await n8n.client.createCredential('Sandbox model', 'openAiApi', data);
}

const names = readExamples(path.join(projectRoot(), 'examples'))
	.filter(({ nodes }) => !JSON.stringify(nodes).includes('webDataTrigger'))
	.map(({ name }) => name.replace(/^\d+ · /, ''))
	.filter((name) => !name.includes('survives a restart') && !name.includes('database table'))
	.filter((name) => !/Data Table|pgvector|a person|Postgres|A site as knowledge|Is it true/.test(name));

for (const version of everyLine()) {
	describe(`examples on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		before(async () => {
			product = await sharedProduct(version);
		});

		// n8n 1 makes no Data Table in a workflow.
		for (const name of names.filter((one) => !version.startsWith('1.') || !one.includes('table of firms'))) {
			test(`${name}: imported and run as it is`, async () => {
				const { trigger, check } = checks[name] ?? assert.fail(`no check for "${name}"`);
				const { client } = product.n8n;
				const credentials = [product.credential, await modelOf(product)];
				const saved = await client.createWorkflow(
					credentials.reduce(withCredential, example(name, product.credential)),
				);
				const id = await client.run(saved, trigger);
				check(await waitForExecution(client, id, { states: ['success'] }));
			});
		}
	});
}
