import type { INodeParameters } from 'n8n-workflow';

import type { ScriptAnswer } from '../helpers/script';
import { serve, service } from './pageService';
import { batchStart, crawlStart, runNode, startParameters, tracesOf } from './run';

const KEY = 'fc-6d1f0e5b7c9a4b3e8d2f';
const PAGE = { markdown: `The key is ${KEY}`, metadata: { url: `https://a.example/?k=${KEY}` } };
const SCRAPE = { resource: 'page', operation: 'scrape', url: 'https://a.example' };

const ended = (more: Record<string, unknown>) => ({
	body: { success: true, status: 'completed', completed: 1, total: 1, data: [PAGE], ...more },
});
const failed = (error: string) => ({ body: { success: false, status: 'failed', error } });

interface Place {
	parameters: INodeParameters;
	start?: ScriptAnswer;
	look?: ScriptAnswer;
	errors?: ScriptAnswer;
}

const started = { body: { success: true, id: 'job-1' } };
const options = { waitOptions: { maxWait: 1, onTimeout: 'output', onFailure: 'output' } };

/** Where a service may repeat the key. */
const PLACES: Record<string, Place> = {
	'the reason of a failed job': { parameters: crawlStart(), look: failed(`No: ${KEY}`) },
	'a reason that is cut': { parameters: crawlStart(), look: failed(`${'x'.repeat(490)}${KEY}`) },
	'the state of a job': { parameters: crawlStart({ options }), look: ended({ status: KEY }) },
	'the reason of a research job': { parameters: startParameters(), look: failed(KEY) },
	'an id that is none': { parameters: crawlStart(), start: { body: { id: `/${KEY}` } } },
	'an id': { parameters: crawlStart(), start: { body: { id: KEY } } },
	'a 200 without data': { parameters: SCRAPE, start: { body: { success: true, error: KEY } } },
	'a refusal': { parameters: SCRAPE, start: { status: 400, body: { error: KEY } } },
	'the name of an option': {
		parameters: SCRAPE,
		start: {
			status: 400,
			body: { error: 'Bad', details: [{ code: 'unrecognized_keys', keys: [KEY] }] },
		},
	},
	'a page': { parameters: SCRAPE, start: { body: { success: true, data: PAGE } } },
	'the pages of a crawl': { parameters: crawlStart(), look: ended({}) },
	'a crawl as one item': { parameters: crawlStart({ output: 'job' }), look: ended({}) },
	'the place of the next pages': {
		parameters: crawlStart(),
		look: ended({ next: `https://${KEY}.example/?skip=1` }),
	},
	'the errors of pages': {
		parameters: batchStart({ url: 'https://b.example' }),
		look: ended({ data: [] }),
		errors: { body: { errors: [{ url: 'https://b.example', error: KEY }], robotsBlocked: [] } },
	},
	'URLs that were left out': {
		parameters: batchStart({ url: 'https://b.example', waitForCompletion: false }),
		start: { body: { success: true, id: 'job-1', invalidURLs: [`https://b.example/${KEY}`] } },
	},
	'the link of a file': {
		parameters: { ...SCRAPE, scrapeOptions: { storeAsFiles: ['screenshot'] } },
		start: { body: { success: true, data: { screenshot: `http://127.0.0.1:9/${KEY}.png` } } },
	},
	'JSON in JSON': {
		parameters: SCRAPE,
		start: { status: 500, body: { error: JSON.stringify({ authorization: `Bearer ${KEY}` }) } },
	},
};

let now: Place;
beforeAll(async () => {
	await serve({
		instead: ({ method, path }) => {
			if (method === 'POST') return now.start ?? started;
			if (path.endsWith('/errors')) return now.errors ?? { body: { errors: [] } };
			return now.look ?? ended({});
		},
	});
});

describe('a service that repeats the key', () => {
	it.each(Object.keys(PLACES))('in %s: no part of it comes out', async (name) => {
		const place = PLACES[name];
		if (!place) throw new Error(`There is no place "${name}".`);
		now = place;
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			const credential = { baseUrl: service.baseUrl, apiKey: KEY };
			const execution = await runNode(service, place.parameters, { credential, node: { onError } });
			expect(tracesOf(execution)).not.toContain('fc-6');
		}
	});
});
