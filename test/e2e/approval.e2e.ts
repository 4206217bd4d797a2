/** The examples with a person in between, run as they are in a real n8n: the mail, its buttons, and what comes of them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Execution } from '../../tools/n8n/client.ts';
import { withCredential } from '../../tools/n8n/examples.ts';
import { waitFor } from '../../tools/n8n/poll.ts';
import { nodeOutput, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { type MailServer, startMailServer } from './harness/mail.ts';
import { modelCredential } from './harness/models.ts';
import { example, exampleTrigger, type Product, sharedProduct } from './harness/product.ts';

const isChat = (node: unknown): node is { webhookId: string } =>
	JSON.stringify(node).includes('chatTrigger') && JSON.stringify(node).includes('webhookId');

const PRICE_FORM = 'A price, and a person says yes in a form';

for (const version of outerLines()) {
	describe(`a person in between on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		let server: MailServer;
		before(async () => {
			product = await sharedProduct(version);
			server = await startMailServer();
		});
		after(async () => await server.stop());

		/** Runs the example until it waits, and presses a button of its mail. */
		async function answered(name: string, approved: boolean): Promise<{ mail: string; ended: Execution }> {
			const { client } = product.n8n;
			const mailsBefore = server.mails.length;
			const mailbox = await client.createCredential('Mail', 'smtp', {
				user: '',
				password: '',
				host: '127.0.0.1',
				port: server.port,
				secure: false,
				disableStartTls: true,
			});
			const credentials = [mailbox, await modelCredential(product)];
			const saved = await client.createWorkflow(credentials.reduce(withCredential, example(name, product.credential)));
			const id = await client.run(saved, exampleTrigger);
			await waitForExecution(client, id, { states: ['waiting'] });
			const mail = await waitFor('the mail', () => server.mails.at(mailsBefore), { timeoutMs: 30_000 });
			const links = [...mail.matchAll(/href="([^"]*webhook-waiting[^"]*)"/g)].map(([, link = '']) =>
				link.replaceAll('&amp;', '&'),
			);
			const link = links.find((one) => one.includes(`approved=${approved}`)) ?? assert.fail(mail);
			// A browser: n8n takes a press by a robot, such as a scanner of mails, for none.
			const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
			assert.equal((await fetch(link, { headers })).status, 200);
			return { mail, ended: await waitForExecution(client, id, { states: ['success'] }) };
		}

		/** Runs the example with the form until it waits, and sends the form with this answer. */
		async function formAnswered(name: string, answer: string, change = (text: string) => text) {
			const { client, running } = product.n8n;
			const own = example(name, product.credential);
			const saved = await client.createWorkflow(JSON.parse(change(JSON.stringify(own))) as typeof own);
			const id = await client.run(saved, exampleTrigger);
			const { data } = await waitForExecution(client, id, { states: ['waiting'] });
			const form = new URL(`${running.baseUrl}/form-waiting/${id}`);
			// n8n 1 has no token.
			const { resumeToken = '' } = data as { resumeToken?: string };
			form.searchParams.set('signature', resumeToken);
			const page = await (await fetch(form)).text();
			const body = new FormData();
			body.append('field-0', answer);
			assert.equal((await fetch(form, { method: 'POST', body })).status, 200);
			return { page, ended: await waitForExecution(client, id, { states: ['success', 'error'] }) };
		}

		const spent = (): number => product.sandbox.stats().creditsUsed;
		const isFirstLine = version.startsWith('1.');
		const testOfSecondLine = isFirstLine ? () => undefined : test;

		for (const [answer, isYes] of [
			['Yes, spend them', true],
			['No', false],
		] as const) {
			test(`a price is told in a form, and spent only after ${answer}`, async () => {
				const before = spent();
				const { page, ended } = await formAnswered(PRICE_FORM, answer);
				assert.match(page, /may cost up to 15 credits of the [\d,.]+ that are left/);
				assert.equal(ended.status, 'success');
				assert.equal(nodeOutput(ended, 'Use the Pages').length > 0, isYes);
				assert.equal(spent() > before, isYes);
				assert.ok(spent() - before <= 15);
			});
		}

		test('what has become dearer since a person agreed is refused', async () => {
			const before = spent();
			// The second node is changed, and the first is not.
			const { ended } = await formAnswered(PRICE_FORM, 'Yes, spend them', (text) => {
				const at = text.lastIndexOf('"pageLimit":"={{ $json.pages }}"');
				return text.slice(0, at) + text.slice(at).replace('$json.pages', '$json.pages * 2');
			});
			assert.equal(ended.status, 'error');
			assert.match(JSON.stringify(ended.data), /may cost up to 30 credits, and Max Credits \(This Run\) allows 15/);
			assert.equal(spent(), before);
		});

		/** Writes to the chat of the example, presses this button of its answer, and gives what the chat says. */
		async function chatAnswered(button: string): Promise<{ asked: string; ended: Execution; last: string }> {
			const { client, running } = product.n8n;
			const own = example('A price in a chat, and a person says yes', product.credential);
			const saved = await client.createWorkflow(own);
			await client.activate(saved);
			const { webhookId = '' } = own.nodes.find(isChat) ?? {};
			const chat = `${running.baseUrl}/webhook/${webhookId}/chat`;
			const body = JSON.stringify({ action: 'sendMessage', sessionId: button, chatInput: 'https://example.com' });
			const headers = { 'content-type': 'application/json' };
			// n8n listens a moment after it has said so.
			const started = await waitFor(
				'the chat',
				async () => {
					const answer = await fetch(chat, { method: 'POST', headers, body });
					return answer.ok ? ((await answer.json()) as { executionId: string; resumeToken?: string }) : undefined;
				},
				{ timeoutMs: 20_000 },
			);
			const { executionId, resumeToken = '' } = started;
			const query = new URLSearchParams({ sessionId: button, executionId, isPublic: 'true', token: resumeToken });
			const socket = new WebSocket(`${running.baseUrl.replace('http', 'ws')}/chat?${query}`);
			const said: string[] = [];
			socket.addEventListener('message', ({ data }) => void said.push(String(data)));
			const asked = await waitFor('the question', () => said.find((text) => text.includes('buttons')), {
				timeoutMs: 30_000,
			});
			const { buttons } = JSON.parse(asked) as { buttons: Array<{ text: string; link: string }> };
			const { link = '' } = buttons.find(({ text }) => text === button) ?? {};
			const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
			assert.equal((await fetch(link, { headers: browser })).status, 200);
			const ended = await waitForExecution(client, executionId, { states: ['success'] });
			socket.close();
			await client.deactivate(saved);
			return { asked, ended, last: said.join(' ') };
		}

		for (const [button, isApproved] of [
			['Spend Them', true],
			['No', false],
		] as const) {
			// n8n 1 has no questions in a chat.
			testOfSecondLine(`a price is told in a chat, and spent only after ${button}`, async () => {
				const before = spent();
				const { asked, ended, last } = await chatAnswered(button);
				assert.match(asked, /Crawling https:\/\/example\.com may cost up to 10 credits/);
				assert.equal(nodeOutput(ended, 'Crawl').length > 0, isApproved);
				assert.equal(spent() > before, isApproved);
				assert.match(last, isApproved ? /\d+ pages/ : /Nothing was spent/);
			});
		}

		for (const [button, isApproved] of [
			['Spend Them', true],
			['No', false],
		] as const) {
			test(`a price is told in a mail, and spent only after ${button}`, async () => {
				const before = spent();
				const { mail, ended } = await answered('A price, and a person agrees by mail', isApproved);
				assert.match(mail, /may cost up to 15 credits/);
				assert.equal(nodeOutput(ended, 'Use the Pages').length > 0, isApproved);
				assert.equal(spent() > before, isApproved);
			});
		}

		for (const [answer, paidCalls] of [
			['Buy', 2],
			['Go on without', 0],
		] as const) {
			test(`the service's agent waits for a form, and goes on after ${answer}`, async () => {
				const { page, ended } = await formAnswered('An agent buys data, and a person agrees first', answer);
				assert.match(page, /company-profile/);
				const [item] = nodeOutput(ended, 'Approve or Decline');
				const { exchange } = item?.json as { exchange?: { paidCalls: number } };
				assert.equal(exchange?.paidCalls, paidCalls);
				assert.equal(nodeOutput(ended, 'Use the Answer').length, 1);
			});
		}

		for (const [button, isApproved] of [
			['Spend It', true],
			['No', false],
		] as const) {
			// n8n 1 has no review of a tool's calls.
			testOfSecondLine(`n8n's agent calls the tool only after a mail: ${button}`, async () => {
				const searches = (): number => product.sandbox.stats().calls.search ?? 0;
				const before = searches();
				const { mail, ended } = await answered('An agent asks a person before it spends', isApproved);
				assert.match(
					mail,
					/wants to research: How long does a cargo bike battery last\?\s+It costs at most 20 credits/,
				);
				const [answer] = nodeOutput(ended, 'Use the Answer');
				assert.equal(searches() > before, isApproved);
				assert.match(String(answer?.json.output), isApproved ? /batter(y|ies)/i : /rejected the tool call/);
			});
		}
	});
}
