import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';

import { getActive, startCrawl } from '../../nodes/WebData/resources/crawl';
import { get } from '../../nodes/WebData/resources/deepResearch';
import { startDeepResearch } from '../../nodes/WebData/resources/deepResearch/start';
import { scrape } from '../../nodes/WebData/resources/page';
import { readFields } from '../../nodes/run/input/readFields';
import type { FieldValues } from '../../nodes/run/input/readFields';
import type { JsonObject } from '../../nodes/service/http/transport';
import { failureOf } from './caught.ts';

const read = (fields: INodeProperties[], values: Record<string, unknown>): FieldValues =>
	readFields(fields, (name, fallback) => (Object.hasOwn(values, name) ? values[name] : fallback));

const text = fc.stringMatching(/^[a-z]( ?[a-z]){0,20}$/);
const options = fc.record(
	{
		analysisPrompt: text,
		systemPrompt: text,
		maxDepth: fc.integer({ min: 1, max: 12 }),
		maxUrls: fc.integer({ min: 1, max: 1000 }),
		timeLimit: fc.integer({ min: 30, max: 600 }),
	},
	{ requiredKeys: [] },
);
const schema = fc.dictionary(text, fc.jsonValue());
const jsonOptions = fc.record(
	{
		prompt: text,
		systemPrompt: text,
		schema: fc.oneof(
			schema,
			schema.map((one) => JSON.stringify(one)),
		),
	},
	{ requiredKeys: [] },
);
const formats = fc.constantFrom<string[]>(['markdown'], ['json'], ['markdown', 'json'], ['json', 'markdown']);

const asObject = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value);

it('sends of Start what was set, where the contract has it, and nothing else', () => {
	fc.assert(
		fc.property(text, formats, options, jsonOptions, (query, chosen, set, json) => {
			const { body, query: queryString } = read(startDeepResearch.fields, {
				query,
				analysisFormats: chosen,
				options: { ...set, waitOptions: { maxWait: 5, maxJobsAtOnce: 3, onTimeout: 'output' } },
				jsonOptions: json,
				waitForCompletion: true,
				output: 'sources',
			});
			const { schema: sentSchema, ...others } = json;
			expect(body).toEqual({
				query,
				...(JSON.stringify(chosen) !== '["markdown"]' && { formats: chosen }),
				...(chosen.includes('json') && {
					jsonOptions: {
						...others,
						...(sentSchema !== undefined && { schema: asObject(sentSchema) }),
					},
				}),
				...set,
			});
			expect(queryString).toEqual({});
		}),
	);
});

it('sends of a Start with defaults the question alone', () => {
	expect(read(startDeepResearch.fields, { query: 'Why?' }).body).toEqual({ query: 'Why?' });
});

it('sends JSON options exactly when JSON is chosen, also when they are empty', () => {
	const body = (values: Record<string, unknown>) => read(startDeepResearch.fields, { query: 'q', ...values }).body;
	expect(body({ analysisFormats: ['json'] })).toEqual({
		query: 'q',
		formats: ['json'],
		jsonOptions: {},
	});
	expect(body({ analysisFormats: 'json, markdown', jsonOptions: '' })).toHaveProperty('jsonOptions', {});
	expect(body({ jsonOptions: { prompt: 'p' } })).toEqual({ query: 'q' });
	expect(body({ jsonOptions: 'garbage that nobody sees' })).toEqual({ query: 'q' });
});

it('sends an option that was added also with its default, for that is what was set', () => {
	const { body } = read(startDeepResearch.fields, { query: 'q', options: { maxDepth: 7, systemPrompt: '' } });
	expect(body).toEqual({ query: 'q', maxDepth: 7 });
});

it('reads numbers that an expression or an agent gives as text', () => {
	const { body } = read(startDeepResearch.fields, { query: 42, options: { maxUrls: '30', timeLimit: ' 60 ' } });
	expect(body).toEqual({ query: '42', maxUrls: 30, timeLimit: 60 });
});

it.each([
	[{ query: '' }, '"Query" is required'],
	[{ query: 'q', analysisFormats: ['html'] }, '"Formats" must be a list made of json, markdown'],
	[{ query: 'q', analysisFormats: [] }, '"Formats" needs at least one of'],
	[{ query: 'q', options: { maxDepth: 13 } }, '"Max Depth" must be a whole number from 1 to 12'],
	[{ query: 'q', options: { maxUrls: 1001 } }, '"Max URLs" must be a whole number from 1 to 1000'],
	[{ query: 'q', options: { timeLimit: 29 } }, '"Time Limit (Seconds)" must be a whole number from 30 to 600'],
	[{ query: 'q', options: 'x' }, '"Options" must be a collection'],
	[{ query: 'q', analysisFormats: ['json'], jsonOptions: { schema: '{' } }, '"Schema" needs JSON such as'],
	[{ query: 'q', options: { waitOptions: { maxWait: 0 } } }, '"Max Wait (Seconds)" must be a whole number from 1'],
])('refuses %j', async (values, message) => {
	expect((await failureOf(() => read(startDeepResearch.fields, values))).message).toContain(message);
});

it('does not read what is not shown', () => {
	const asked: string[] = [];
	readFields(startDeepResearch.fields, (name, fallback) => {
		asked.push(name);
		return name === 'query' ? 'q' : name === 'waitForCompletion' ? false : fallback;
	});
	expect(asked).toEqual(['query', 'analysisFormats', 'waitForCompletion', 'options']);
	const { values } = read(get.fields, { jobId: 'x', options: { waitOptions: { maxWait: 5 } } });
	expect(values.options).toBeUndefined();
});

it('does not read options that depend on a field outside their group and are not shown', () => {
	const options = { waitOptions: { maxWait: 5 }, maxDiscoveryDepth: 1 };
	const crawl = (more: object) =>
		read(startCrawl.fields, { url: 'https://a.example', options, ...more }).values.options;
	expect(crawl({})).toEqual(options);
	expect(crawl({ output: 'job' })).toEqual({
		waitOptions: { maxWait: 5 },
		maxDiscoveryDepth: 1,
	});
	expect(crawl({ waitForCompletion: false })).toEqual({ maxDiscoveryDepth: 1 });
});

it('reads each parameter once', () => {
	const asked: string[] = [];
	readFields(startDeepResearch.fields, (name, fallback) => {
		asked.push(name);
		return name === 'query' ? 'q' : name === 'analysisFormats' ? ['json'] : fallback;
	});
	expect(new Set(asked).size).toBe(asked.length);
});

it('gives the wait options as they were added, the interval only when it counts', () => {
	const read1 = (waitOptions: object) => {
		const { values } = read(startDeepResearch.fields, { query: 'q', options: { waitOptions } });
		return (values.options as JsonObject).waitOptions;
	};
	expect(read1({ maxWait: 9, polling: 'fixed', pollInterval: 2.5 })).toEqual({
		maxWait: 9,
		polling: 'fixed',
		pollInterval: 2.5,
	});
	expect(read1({ maxWait: 9, pollInterval: 2 })).toEqual({ maxWait: 9 });
});

it('has no limit beside Return All', () => {
	expect(read(getActive.fields, { returnAll: true }).values).toEqual({ returnAll: true });
	expect(read(getActive.fields, {}).values).toEqual({ returnAll: false, limit: 50 });
});

describe('formats', () => {
	const sent = (values: object) => read(scrape.fields, { url: 'https://a.example', ...values }).body.formats;

	it('are names, and an object with its settings for each that has any', () => {
		expect(sent({})).toEqual(['markdown']);
		expect(
			sent({
				formats: ['links', 'question', 'screenshot', 'json', 'attributes', 'changeTracking'],
				question: 'Why?',
				screenshotOptions: {},
				jsonFrom: 'prompt',
				jsonPrompt: 'Prices',
				jsonFormatOptions: { prompt: 'not shown', checkPromptInjection: true },
				attributes: { selector: [{ selector: 'a', attribute: 'href' }] },
				changeTrackingOptions: { tag: 'daily' },
			}),
		).toEqual([
			'links',
			{ type: 'question', question: 'Why?' },
			'screenshot',
			{ type: 'json', prompt: 'Prices', checkPromptInjection: true },
			{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] },
			{ type: 'changeTracking', tag: 'daily' },
		]);
	});

	it('leave out the settings of formats that are not chosen', () => {
		expect(sent({ question: 'Why?', screenshotOptions: { fullPage: true } })).toEqual(['markdown']);
	});

	it('stand where the operation has them', () => {
		const { body } = read(startCrawl.fields, {
			url: 'https://a.example',
			formats: 'markdown, highlights',
			highlightsQuery: 'prices',
		});
		expect(body.scrapeOptions).toEqual({
			formats: ['markdown', { type: 'highlights', query: 'prices' }],
		});
	});
});

describe('additional fields', () => {
	const crawl = (additionalFields: unknown, more: object = {}) =>
		read(startCrawl.fields, { url: 'https://a.example', options: { additionalFields }, ...more });

	it('go into the body last, also deep inside', () => {
		const { body, replaced } = crawl('{ "newOne": 1, "scrapeOptions": { "newTwo": [2] } }');
		expect(body).toMatchObject({
			newOne: 1,
			scrapeOptions: { formats: ['markdown'], newTwo: [2] },
		});
		expect(replaced).toEqual([]);
	});

	it('say what they replace', () => {
		const given = { limit: 5, scrapeOptions: { formats: ['html'], onlyMainContent: true } };
		const { body, replaced } = crawl(given, { scrapeOptions: { onlyMainContent: true } });
		expect(body).toMatchObject(given);
		expect(replaced).toEqual(['limit', 'scrapeOptions.formats']);
	});

	it('change nothing but the body', () => {
		const { body } = crawl('{ "__proto__": { "polluted": true }, "a": { "__proto__": 1 } }');
		expect(body).not.toHaveProperty('polluted');
		expect(({} as JsonObject).polluted).toBeUndefined();
	});

	it.each(['[1]', '{', 'text'])('refuse %s', async (text) => {
		const failure = await failureOf(() => crawl(text));
		expect(failure.message).toMatch(/^"Additional Fields \(JSON\)" (must be|needs JSON)/);
	});
});
