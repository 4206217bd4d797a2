import { NodeHelpers } from 'n8n-workflow';

import { readProperties as pollProperties } from '../../nodes/WebDataPollTrigger/properties.ts';
import { resources } from '../../nodes/WebData/resources/index.ts';

const BY_USE = ['Page', 'Crawl', 'Search', 'Map', 'Batch Scrape', 'Agent', 'Data Tool', 'Parse', 'Browser'];
const LAST = ['Deep Research', 'Extract', 'LLMs.txt', 'Account', 'Support', 'Feedback'];
const operations = resources.flatMap(({ operations: own }) => own);
const actions = operations.map(({ action }) => action);

describe('the list of resources', () => {
	const names = resources.map(({ name }) => name);

	it('stands in the order of use: legacy routes, support and feedback come last', () => {
		expect(names).toEqual([...BY_USE, 'Monitor', ...LAST]);
	});

	it.each(resources.map(({ name, description }) => [name, description]))(
		'says in one line when to take %s',
		(_name, description) => {
			expect(description).toMatch(/^\p{Lu}/u);
			expect(description.length).toBeLessThanOrEqual(90);
		},
	);
});

describe('the actions', () => {
	it('begin with scraping a page and crawling a site', () => {
		const first = resources.slice(0, 2).map(({ operations: [one] }) => one?.action);
		expect(first).toEqual(['Scrape page to text or structured data', 'Crawl website and get all pages']);
	});

	it('are named as n8n wants it: no articles, no capitals, each once', () => {
		expect(actions.filter((action) => /\b(a|an|the)\b/i.test(action))).toEqual([]);
		expect(actions.filter((action) => !/^\p{Lu}[^\p{Lu}]+(?<!\.)$/u.test(action))).toEqual([]);
		expect(new Set(actions).size).toBe(actions.length);
	});

	it('come last where they end something', () => {
		for (const { operations: own } of resources) {
			const ends = own.map(({ value }) => /^(cancel|delete|close|stop)/i.test(value));
			expect(ends).toEqual([...ends].sort());
		}
	});

	// An agent knows a tool by its action only.
	it('say what is gone afterwards', () => {
		const destroying = operations.filter(
			({ kind, request: { method } }) =>
				(method === 'DELETE' && kind !== 'jobRequest') || method === 'PUT' || method === 'PATCH',
		);
		expect(destroying.map(({ action }) => action)).toEqual(
			expect.arrayContaining(['Delete monitor and all its checks for good']),
		);
		const vague = destroying.filter(
			({ action }) => !/(for good|replac|close|stop)/i.test(action) || action.split(' ').length < 3,
		);
		expect(vague.map(({ action }) => action)).toEqual([]);
	});
});

it('the poll trigger says what a poll every minute costs, as long as it is set', () => {
	const properties = pollProperties();
	const notice = properties.find(({ name }) => name === 'everyMinuteNotice');
	if (!notice) throw new Error('There is no notice.');
	const isShown = (mode: string) =>
		NodeHelpers.displayParameter({ pollTimes: { item: [{ mode }] } }, notice, null, null);
	expect(notice.displayName).toContain('43,200 polls a month');
	expect(isShown('everyMinute')).toBe(true);
	expect(isShown('everyHour')).toBe(false);
});
