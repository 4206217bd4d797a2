/** The recipes (docs/recipes), run as they are in a real n8n, beyond their first run by hand (examples.e2e.ts). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { z } from 'zod/v4';
import type { Execution, StoredCredential, StoredWorkflow, WorkflowDefinition } from '../../tools/n8n/client.ts';
import { withCredential } from '../../tools/n8n/examples.ts';
import { waitFor } from '../../tools/n8n/poll.ts';
import { nodeOutput, waitForExecution, waitForExecutions } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { makeTable, makeTableOf } from './harness/memories.ts';
import { modelCredential } from './harness/models.ts';
import { example, exampleTrigger, type Product, sharedProduct } from './harness/product.ts';
import { activatePolling } from './harness/triggers.ts';

/** What is read of a node: of its parameters what the tests fill in. */
const node = z
	.object({
		name: z.string(),
		type: z.string(),
		webhookId: z.string().default(''),
		parameters: z
			.object({
				columns: z.object({ column: z.array(z.object({ name: z.string(), type: z.string() })) }).catch({ column: [] }),
				formFields: z
					.object({ values: z.array(z.object({ defaultValue: z.string().default('') })) })
					.catch({ values: [] }),
			})
			.partial()
			.passthrough(),
	})
	.passthrough();

function nodeWith(workflow: WorkflowDefinition, words: string): z.infer<typeof node> {
	const found = z
		.array(node)
		.parse(workflow.nodes)
		.find(({ name, type }) => name === words || type.endsWith(words));
	return found ?? assert.fail(`no node ${words}`);
}

/** A workflow with another text in its nodes: what a user would type. */
function typed(
	workflow: WorkflowDefinition,
	changes: ReadonlyArray<[before: string, now: string]>,
): WorkflowDefinition {
	const nodes = changes.reduce((text, [before, now]) => {
		assert.ok(text.includes(before), `${before} is not in the workflow`);
		return text.replaceAll(before, now);
	}, JSON.stringify(workflow.nodes));
	return { ...workflow, nodes: JSON.parse(nodes) as WorkflowDefinition['nodes'] };
}

for (const version of outerLines()) {
	const isFirstLine = version.startsWith('1.');

	describe(`recipes on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		let model: StoredCredential;
		before(async () => {
			product = await sharedProduct(version);
			model = await modelCredential(product);
		});

		const recipe = (words: string): WorkflowDefinition => withCredential(example(words, product.credential), model);
		const saved = async (workflow: WorkflowDefinition): Promise<StoredWorkflow> =>
			await product.n8n.client.createWorkflow(workflow);
		const outputOf = (execution: Execution, node: string) => nodeOutput(execution, node).map(({ json }) => json);

		/** The newest of so many executions that a published workflow has had. */
		async function newest(workflow: StoredWorkflow, count: number): Promise<Execution> {
			const { client } = product.n8n;
			const [execution] = await waitForExecutions(client, workflow.id, { count });
			return await waitForExecution(client, execution?.id ?? '', { states: ['success'] });
		}

		test('competitor watch: the second Monday tells what has changed, the third sends nothing', async () => {
			const { client } = product.n8n;
			const { sandbox } = product;
			// n8n 1 has no way to make a table in a workflow: its ID is typed in.
			const table = isFirstLine ? await makeTable(client, 'memory') : 'web_data_memory';
			const workflow = await saved(
				typed(recipe('Competitor watch'), [
					['{"field":"weeks","triggerAtDay":[1],"triggerAtHour":7}', '{"field":"seconds","secondsInterval":4}'],
					['"oneReport":true', `"oneReport":true,"memoryTable":${JSON.stringify(table)}`],
				]),
			);
			await client.activate(workflow);
			const first = await newest(workflow, 1);
			await fetch(`${sandbox.siteUrl}/try/week-2`);
			const runs = (await client.executions(workflow.id)).length;
			const second = await newest(workflow, runs + 1);
			const third = await newest(workflow, runs + 3);
			await client.deactivate(workflow);
			await fetch(`${sandbox.siteUrl}/try/week-1`);
			const mails = [first, second, third].map((execution) => outputOf(execution, 'Send the Mail'));
			assert.deepEqual(
				mails.map(({ length }) => length),
				[1, 1, 0],
			);
			assert.match(String(mails[1]?.[0]?.html), /29 EUR[\s\S]*35 EUR/);
		});

		// On n8n 2 it runs as it is (examples.e2e.ts).
		const testOfFirstLine = isFirstLine ? test : () => undefined;
		testOfFirstLine('lead list: on n8n 1 with a table that was made by hand', async () => {
			const { client } = product.n8n;
			const workflow = recipe('table of firms');
			const { columns } = nodeWith(workflow, 'Make the Table').parameters;
			const id = await makeTableOf(client, 'Firms', columns?.column ?? []);
			const list = { __rl: true, mode: 'list', value: id };
			const stored = await saved(
				typed(workflow, [
					['{"__rl":true,"mode":"name","value":"Firms"}', JSON.stringify(list)],
					['"name":"Make the Table"', '"name":"Make the Table","disabled":true'],
				]),
			);
			const execution = await waitForExecution(client, await client.run(stored, exampleTrigger), {
				states: ['success'],
			});
			const rows = outputOf(execution, 'Use the Rows');
			assert.equal(rows.length, 12);
			assert.equal(rows[0]?.smallest_plan, 29);
			assert.match(String(rows[0]?.smallest_plan_source), /#:~:text=/);
		});

		test('a site as knowledge: the chat answers with links to the passages', async () => {
			const { client, running } = product.n8n;
			const workflow = typed(recipe('A site as knowledge'), [
				['"parameters":{"options":{}},"id"', '"parameters":{"public":true,"options":{}},"id"'],
			]);
			const stored = await saved(workflow);
			const filled = await waitForExecution(client, await client.run(stored, 'Every Night'), { states: ['success'] });
			assert.ok(nodeOutput(filled, 'Fill the Store').length > 30);
			await client.activate(stored);
			const { webhookId } = nodeWith(workflow, 'chatTrigger');
			const chatInput = 'For how many km does one battery of 700 Wh last?';
			const body = JSON.stringify({ action: 'sendMessage', sessionId: 'one', chatInput });
			const headers = { 'content-type': 'application/json' };
			const answerOf = async (): Promise<string> =>
				await waitFor(
					'the answer',
					async () => {
						const chat = `${running.baseUrl}/webhook/${webhookId}/chat`;
						const answer = await fetch(chat, { method: 'POST', headers, body });
						return answer.ok ? ((await answer.json()) as { output: string }).output : undefined;
					},
					{ timeoutMs: 20_000 },
				);
			const output = await answerOf();
			// A night on which the crawl fails leaves the store as it was.
			const end = product.sandbox.faults.add({ step: 'crawlStart', kind: 'status', httpStatus: 402 });
			await waitForExecution(client, await client.run(stored, 'Every Night'), { states: ['error'] });
			end();
			assert.equal(await answerOf(), output);
			await client.deactivate(stored);
			const links = [...output.matchAll(/\(\[[^\]]+\]\((https:\/\/example\.com\/[a-z]*#:~:text=[^\s)]+)\)\)/g)];
			assert.ok(links.length > 0, output);
			assert.match(output, /50 km/);
		});

		test('a search each morning: one mail with what is new, and nothing without it', async () => {
			const { client } = product.n8n;
			const times = Array.from({ length: 30 }, (_, at) => ({ mode: 'custom', cronExpression: `${at * 2} * * * * *` }));
			const workflow = await saved(
				typed(recipe('A search each morning'), [['[{"mode":"everyDay","hour":7,"minute":0}]', JSON.stringify(times)]]),
			);
			const known = { success: true, data: { web: [{ url: 'https://known.example/', title: 'Known' }] } };
			const end = product.sandbox.faults.add({ step: 'search', kind: 'wrongShape', body: known });
			await activatePolling(client, workflow);
			end();
			const mails = outputOf(await newest(workflow, 1), 'Send the Mail');
			const polled = (): number => product.sandbox.stats().calls.search ?? 0;
			const before = polled();
			await waitFor('two more polls', () => (polled() >= before + 2 ? true : undefined), { timeoutMs: 60_000 });
			await client.deactivate(workflow);
			assert.equal((await client.executions(workflow.id)).length, 1);
			assert.equal(mails.length, 1);
			assert.match(String(mails[0]?.subject), /^\d+ new results: cargo bikes in cities$/);
			assert.match(String(mails[0]?.html), /<a href="https:\/\/example\.com/);
		});

		test('is it true: a text is sent in a form, and comes back with its marks', async () => {
			const { client, running } = product.n8n;
			const workflow = recipe('Is it true?');
			const stored = await saved(workflow);
			await client.activate(stored);
			const { webhookId, parameters } = nodeWith(workflow, 'formTrigger');
			const form = `${running.baseUrl}/form/${webhookId}`;
			const page = await waitFor(
				'the form',
				async () => {
					const answer = await fetch(form);
					return answer.ok ? await answer.text() : undefined;
				},
				{ timeoutMs: 20_000 },
			);
			assert.match(page, /Is it true\?/);
			const body = new FormData();
			body.append('field-0', parameters.formFields?.values[0]?.defaultValue ?? '');
			const sent = await fetch(form, { method: 'POST', body });
			assert.equal(sent.status, 200);
			const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
			// As n8n's own page does: it asks how far the execution is, and opens the last page when that waits.
			const status = new URL(formWaitingUrl);
			status.pathname += '/n8n-execution-status';
			await waitFor(
				'the last page',
				async () => ((await (await fetch(status)).text()).trim() === 'form-waiting' ? true : undefined),
				{ timeoutMs: 60_000 },
			);
			const shown = await (await fetch(formWaitingUrl)).text();
			await client.deactivate(stored);
			assert.match(shown, /950 to 1,200 euros[\s\S]*<small style="background/);
		});
	});
}
