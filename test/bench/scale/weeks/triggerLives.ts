import { request } from 'node:http';
import { pollingTrigger, startWebhookNode } from '../../../../engine/index.ts';
import { KEY } from '../../workflow.ts';
import type { Begin } from './life.ts';

/** Sends JSON; resolves to the status, 0 where there was no answer. */
async function post(url: string, body: object, headers: Record<string, string>): Promise<number> {
	return await new Promise<number>((resolve) => {
		const sent = request(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
		});
		sent.once('response', (response) => {
			response.resume();
			response.once('close', () => resolve(response.statusCode ?? 0));
		});
		sent.once('error', () => resolve(0));
		sent.end(JSON.stringify(body));
	});
}

const bytesOf = (stored: object): number => Buffer.byteLength(JSON.stringify(stored));

/** A poll each minute for jobs that have ended; one is started each minute, and every seventh poll meets a fault. */
export const pollLife: Begin = async ({ sandbox, builtPackage }) => {
	const { baseUrl, faults } = sandbox;
	const trigger = pollingTrigger({
		package: builtPackage,
		credential: { baseUrl, apiKey: KEY },
		nodeName: 'webDataPollTrigger',
		parameters: { event: 'jobFinished', jobOutput: 'job' },
	});
	return {
		async use(index) {
			const body = { url: 'https://example.com/', limit: 1 };
			await post(`${baseUrl}/v2/crawl`, body, { authorization: `Bearer ${KEY}` });
			if (index % 7 === 0) {
				faults.clear();
				const kind = index % 2 === 0 ? 'rateLimit' : 'htmlError';
				faults.add({ kind, times: index % 3 === 0 ? 10 : 1 });
			}
			const found = await trigger.poll().catch(() => undefined);
			return found !== undefined && found.length > 0;
		},
		storedBytes: () => bytesOf(trigger.staticData()),
		end: async () => undefined,
	};
};

/**
 * A call each minute of a job that has ended; every fifth is a repetition, every seventh has a wrong secret.
 * Beside it a trigger with a monitor of its own is activated and deactivated each hour.
 */
export const webhookLife: Begin = async ({ sandbox, builtPackage }) => {
	const { baseUrl } = sandbox;
	const type = 'n8n-nodes-web-data.webDataTrigger';
	const data = { baseUrl, apiKey: KEY, webhookSecret: '' };
	const credential = { type: 'webDataApi', data };
	const called = await startWebhookNode({
		package: builtPackage,
		type,
		credential,
		parameters: {
			event: 'jobEvent',
			events: ['completed', 'failed', 'cancelled'],
			jobOutput: 'event',
			jobOptions: { headerSecret: 'sesame' },
		},
	});
	const watching = await startWebhookNode({
		package: builtPackage,
		type,
		credential,
		webhookId: 'watching',
		parameters: {
			event: 'websiteChanged',
			urls: 'https://example.com/',
			schedule: 'cron',
			// The sandbox forgets a monitor that is removed when its next check is due.
			cron: '*/30 * * * *',
		},
	});
	await called.activate();
	return {
		async use(index) {
			const id = `019b0000-0000-7000-8000-${String(index - (index % 5 === 0 ? 1 : 0)).padStart(12, '0')}`;
			const body = { type: 'crawl.completed', id, success: true, data: [] };
			const secret = index % 7 === 0 ? 'wrong' : 'sesame';
			await post(called.webhookUrl, body, { 'x-web-data-secret': secret });
			const started = called.executions.splice(0).length;
			if (index % 60 === 0) {
				await watching.activate();
				await watching.deactivate();
			}
			return started === 1;
		},
		storedBytes: () => bytesOf(called.stored()) + bytesOf(watching.stored()),
		async end() {
			await called.stop();
			await watching.stop();
		},
	};
};
