/** The example with a person in between, run as it is in a real n8n: the mail, its buttons, and what comes of them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitFor } from '../../tools/n8n/poll.ts';
import { withCredential } from '../../tools/n8n/examples.ts';
import { nodeOutput, waitForExecution } from './harness/executions.ts';
import { outerLines } from './harness/lines.ts';
import { type MailServer, startMailServer } from './harness/mail.ts';
import { example, type Product, sharedProduct } from './harness/product.ts';

const NAME = 'An agent buys data, and a person agrees first';

for (const version of outerLines()) {
	describe(`a person in between on n8n ${version}`, { timeout: 600_000 }, () => {
		let product: Product;
		let server: MailServer;
		before(async () => {
			product = await sharedProduct(version);
			server = await startMailServer();
		});
		after(async () => await server.stop());

		for (const [button, approved, paidCalls] of [
			['Buy', 'true', 2],
			['Go On Without', 'false', 0],
		] as const) {
			test(`the agent waits for a mail, and goes on after ${button}`, async () => {
				const { client } = product.n8n;
				const mailsBefore = server.mails.length;
				const data = {
					user: '',
					password: '',
					host: '127.0.0.1',
					port: server.port,
					secure: false,
					disableStartTls: true,
				};
				const mailbox = await client.createCredential('Mail', 'smtp', data);
				const workflow = withCredential(example(NAME, product.credential), mailbox);
				const saved = await client.createWorkflow(workflow);
				const id = await client.run(saved, 'When You Press the Button');
				await waitForExecution(client, id, { states: ['waiting'] });
				const mail = await waitFor('the mail', () => server.mails.at(mailsBefore), { timeoutMs: 30_000 });
				assert.match(mail, /company-profile/);
				const links = [...mail.matchAll(/href="([^"]*webhook-waiting[^"]*)"/g)].map(([, link = '']) =>
					link.replaceAll('&amp;', '&'),
				);
				const link = links.find((one) => one.includes(`approved=${approved}`)) ?? assert.fail(mail);
				// A browser: n8n takes a press by a robot, such as a scanner of mails, for none.
				const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
				assert.equal((await fetch(link, { headers })).status, 200);
				const ended = await waitForExecution(client, id, { states: ['success'] });
				const [item] = nodeOutput(ended, 'Approve or Decline');
				const { exchange } = item?.json as { exchange?: { paidCalls: number } };
				assert.equal(exchange?.paidCalls, paidCalls);
				assert.equal(nodeOutput(ended, 'Use the Answer').length, 1);
			});
		}
	});
}
