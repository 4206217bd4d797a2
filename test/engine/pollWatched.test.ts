import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { PollingTrigger } from '../../tools/n8n-engine/index.ts';
import { outcomeOf, pollingOn, startHostile } from './hostilePolls';
import type { Answer, HostileService } from './hostilePolls';

// What a poll compares with: the mark belongs to what is watched, "nothing" is a mark, and order counts.

let service: HostileService;

beforeAll(async () => {
	service = await startHostile();
});
beforeEach(() => {
	service.asked = [];
});

const trigger = async (
	event: string,
	parameters: INodeParameters = {},
	staticData: IDataObject = {},
): Promise<PollingTrigger> => await pollingOn(service, event, parameters, staticData);

const told = async (polling: PollingTrigger): Promise<unknown> => {
	const outcome = await outcomeOf(polling);
	return typeof outcome === 'string' ? outcome : outcome.map(({ url }) => url);
};

const links = (...urls: string[]): Answer => ({
	body: { success: true, links: urls.map((url) => ({ url })) },
});
const results = (...urls: string[]): Answer => ({
	body: { success: true, data: { web: urls.map((url) => ({ url, title: 't' })) } },
});
const page = (markdown: string, statusCode = 200): Answer => ({
	body: {
		success: true,
		data: { markdown, metadata: { sourceURL: 'https://a.test', statusCode } },
	},
});
const answer = (given: Answer): void => {
	service.answering = () => given;
};

describe('nothing', () => {
	it.each([
		['no links', links()],
		['no list', { body: { success: true, links: [], warning: 'Only 0 result(s) found.' } }],
	])('is no starting point of New Pages: %s', async (_name, none) => {
		const polling = await trigger('newPages', { url: 'https://a.test' });
		answer(none);
		expect(await told(polling)).toBe(
			'The map of https://a.test lists no page, so there is nothing to compare with yet. The next polls look again.',
		);
		answer(links('https://a.test/0'));
		expect(await told(polling)).toEqual([]);
		answer(links('https://a.test/0', 'https://a.test/1'));
		expect(await told(polling)).toEqual(['https://a.test/1']);
		// Nothing found later forgets nothing.
		answer(none);
		expect(await told(polling)).toEqual([]);
		answer(links('https://a.test/1', 'https://a.test/2'));
		expect(await told(polling)).toEqual(['https://a.test/2']);
	});

	it('is a starting point of New Search Results', async () => {
		const polling = await trigger('newResults', { query: 'tides' });
		answer(results());
		expect(await told(polling)).toEqual([]);
		answer(results('https://a.test/1'));
		expect(await told(polling)).toEqual(['https://a.test/1']);
	});
});

describe('one item for all that is new', () => {
	it('is a mail and a message, of results and of pages', async () => {
		const polling = await trigger('newResults', {
			query: 'heat <pumps>',
			output: 'message',
			options: { tbs: 'qdr:w' },
		});
		const web = (...names: string[]) =>
			answer({
				body: {
					success: true,
					data: {
						web: names.map((n) => ({ url: `https://${n}.test/`, title: `Of <b>${n}</b>`, description: 'Said.' })),
					},
				},
			});
		web('old');
		expect(await told(polling)).toEqual([]);
		expect(service.requests.at(-1)?.body).toMatchObject({ query: 'heat <pumps>', tbs: 'qdr:w' });
		web('new', 'old', 'newer');
		const [{ html, ...mail } = {}] = (await outcomeOf(polling)) as IDataObject[];
		expect(mail).toMatchObject({
			subject: '2 new results: heat <pumps>',
			text: '2 new results: heat <pumps>\n\n1. Of <b>new</b> (https://new.test/): Said.\n2. Of <b>newer</b> (https://newer.test/): Said.',
			count: 2,
			list: [{ url: 'https://new.test/' }, { url: 'https://newer.test/' }],
		});
		expect(html).toContain('<h1>2 new results: heat &lt;pumps&gt;</h1>');
		expect(html).toContain('<a href="https://new.test/">Of &lt;b&gt;new&lt;/b&gt;</a>: Said.');
		// An address with brackets, a title with signs of Markdown, and no title.
		answer({
			body: {
				success: true,
				data: {
					web: [
						{ url: 'https://wiki.test/Node_(js)', title: `Node.js *is* [here] ${'long '.repeat(200)}` },
						{ url: 'https://bare.test/a.b' },
					],
				},
			},
		});
		const [{ html: odd } = {}] = (await outcomeOf(polling)) as IDataObject[];
		expect(odd).toMatch(/<a href="https:\/\/wiki\.test\/Node_%28js%29">Node\.js \*is\* \[here\] long/);
		expect(odd).toContain('<a href="https://bare.test/a.b">https://bare.test/a.b</a>');
		web('new', 'old', 'newer');
		// Nothing new sends nothing.
		expect(await told(polling)).toEqual([]);
		const ofPages = await trigger('newPages', { url: 'https://a.test', output: 'message' });
		answer(links('https://a.test/0'));
		await told(ofPages);
		answer(links('https://a.test/0', 'https://a.test/1'));
		expect(await outcomeOf(ofPages)).toMatchObject([{ subject: '1 new page: a.test' }]);
	});
});

describe('a list that is full', () => {
	it('is said once, since a page behind it is never told', async () => {
		const polling = await trigger('newPages', { url: 'https://a.test', maxLinks: 3 });
		answer(links('https://a.test/1', 'https://a.test/2', 'https://a.test/3'));
		expect(await told(polling)).toEqual([]);
		expect(await told(polling)).toBe(
			'https://a.test has as many pages as Max Pages allows (3), or more: those behind them are not compared. Raise Max Pages, or narrow the list with Search.',
		);
		expect(await told(polling)).toEqual([]);
		answer(links('https://a.test/2', 'https://a.test/3', 'https://a.test/4'));
		expect(await told(polling)).toEqual(['https://a.test/4']);
	});
});

describe('addresses of pages', () => {
	it.each([
		['a slash at the end', 'https://a.test/news', 'https://a.test/news/'],
		['http', 'https://a.test/news', 'http://a.test/news'],
		['a fragment', 'https://a.test/news', 'https://a.test/news#top'],
		['the usual port', 'https://a.test/news', 'https://a.test:443/news'],
		['the usual port of http', 'http://a.test/news', 'http://A.test:80/news'],
		['letters of an escape', 'https://a.test/%C3%A9', 'https://a.test/%c3%a9'],
	])('%s does not make a page new', async (_name, first, second) => {
		const polling = await trigger('newPages', { url: 'https://a.test' });
		answer(links(first));
		await told(polling);
		answer(links(second, 'https://a.test/other'));
		expect(await told(polling)).toEqual(['https://a.test/other']);
	});

	it('12,000 pages of which each poll lists others are told once', async () => {
		const site = Array.from({ length: 12_000 }, (_, at) => `https://a.test/${at}`);
		const polling = await trigger('newPages', { url: 'https://a.test', maxLinks: 10_000 });
		const all: unknown[] = [];
		for (let poll = 0; poll < 6; poll += 1) {
			const from = poll * 4000;
			const shown = [...site, ...site].slice(from % 12_000).slice(0, 10_000);
			answer(links(...shown));
			const found = await told(polling);
			// One poll says that the list is full.
			if (Array.isArray(found)) all.push(...(found as unknown[]));
		}
		expect(all).toHaveLength(2000);
		expect(new Set(all).size).toBe(2000);
	});
});

describe('the lines of a page', () => {
	const watching = async (more: INodeParameters = {}) =>
		await trigger('pageChanged', { url: 'https://a.test', ...more });

	it('a line before 60,000 characters removes none of them', async () => {
		const lines = Array.from({ length: 3000 }, (_, at) => `Line ${at} of the page`);
		const polling = await watching();
		answer(page(lines.join('\n')));
		await told(polling);
		answer(page(['A new line at the beginning', ...lines].join('\n')));
		expect(await outcomeOf(polling)).toMatchObject([{ added: ['A new line at the beginning'], removed: [] }]);
		answer(page(lines.slice(1).join('\n')));
		expect(await outcomeOf(polling)).toMatchObject([
			{ added: [], removed: ['A new line at the beginning', 'Line 0 of the page'] },
		]);
	});

	it('a change behind 50,000 characters is told', async () => {
		const lines = Array.from({ length: 3000 }, (_, at) => `Line ${at} of the page`);
		const polling = await watching();
		answer(page(lines.join('\n')));
		await told(polling);
		answer(page([...lines.slice(0, 2900), ...lines.slice(2901), 'The last'].join('\n')));
		expect(await outcomeOf(polling)).toMatchObject([{ added: ['The last'], removed: [], removedWithoutText: 1 }]);
	});

	it('two prices that are swapped between cards are told', async () => {
		const polling = await watching();
		answer(page('## Tea\n3 EUR\n## Cake\n5 EUR\n## Soup\n5 EUR'));
		await told(polling);
		answer(page('## Tea\n5 EUR\n## Cake\n3 EUR\n## Soup\n5 EUR'));
		expect(await outcomeOf(polling)).toMatchObject([{ added: [], removed: [], moved: ['5 EUR', '3 EUR'] }]);
		expect(await told(polling)).toEqual([]);
	});
});

describe('what is no change of a page', () => {
	const shown = (markdown: string, more: object = {}): Answer => ({
		body: {
			success: true,
			data: {
				markdown,
				metadata: { sourceURL: 'https://a.test', url: 'https://www.a.test/', statusCode: 200, ...more },
			},
		},
	});
	const watching = async () => await trigger('pageChanged', { url: 'https://a.test' });
	const TEA = 'Our caf\u00e9 has [tea](https://a.test/tea?id=3&utm_source=x) at 3\u00a0EUR.\n\nAnd cake.';

	it.each([
		['tracking in links', TEA.replace('utm_source=x', 'utm_source=y')],
		['characters without room', TEA.replace('has', 'h\u200bas')],
		['spaces that do not break', TEA.replaceAll(' ', '\u00a0')],
		['letters in two parts', TEA.normalize('NFD')],
		['line breaks', TEA.replace('has', 'has\n').replaceAll('\n', '\r\n')],
	])('%s', async (_name, other) => {
		const polling = await watching();
		answer(shown(TEA));
		await told(polling);
		answer(shown(other));
		expect(await told(polling)).toEqual([]);
		answer(shown(other.replace('cake', 'pie')));
		expect(await told(polling)).toHaveLength(1);
	});

	it.each([
		[
			'a fault that the service tells of',
			{ error: 'Blocked by the site.' },
			'it could not be read (Blocked by the site)',
		],
		['another site', { url: 'https://consent.test/?to=a' }, 'it leads to another site (https://consent.test/?to=a)'],
		['an error of the site', { statusCode: 503 }, 'it answered with 503'],
	])('%s: said once, and the history stays', async (_name, more, why) => {
		const polling = await watching();
		answer(shown(TEA));
		await told(polling);
		answer(shown('Before you go on …', more));
		expect(await told(polling)).toBe(`https://a.test could not be compared: ${why}. The next polls look again.`);
		expect(await told(polling)).toEqual([]);
		answer(shown(TEA));
		expect(await told(polling)).toEqual([]);
		answer(shown(TEA.replace('cake', 'pie')));
		expect(await told(polling)).toHaveLength(1);
	});

	it('a page that leads to another site from the first poll on is watched there', async () => {
		const polling = await watching();
		answer(shown('Tea 3', { url: 'https://shop.test/' }));
		expect(await told(polling)).toEqual([]);
		answer(shown('Tea 4', { url: 'https://shop.test/' }));
		expect(await told(polling)).toEqual(['https://shop.test/']);
	});
});

describe('a page that is gone', () => {
	it('404 is said once, at the first poll that sees it', async () => {
		const polling = await trigger('pageChanged', { url: 'https://a.test' });
		answer(page('Tea 3'));
		await told(polling);
		answer(page('Not found', 404));
		expect(await told(polling)).toMatch(/a\.test.*404.*gone/);
		for (let polls = 0; polls < 5; polls += 1) expect(await told(polling)).toEqual([]);
	});

	it('it is said without the password in its address', async () => {
		const polling = await trigger('pageChanged', { url: 'https://me:hunter22@a.test' });
		answer(page('Tea 3'));
		await told(polling);
		answer(page('Not found', 404));
		const error = String(await told(polling));
		expect(error).toContain('https://***@a.test could not be compared');
		expect(error).not.toContain('hunter22');
	});

	it('it is said also where an outage was said before', async () => {
		const polling = await trigger('pageChanged', { url: 'https://a.test' });
		answer(page('Tea 3'));
		await told(polling);
		answer(page('Back soon', 503));
		expect(await told(polling)).toMatch(/503/);
		answer(page('Not found', 404));
		expect(await told(polling)).toMatch(/404/);
		expect(await told(polling)).toEqual([]);
		answer(page('Tea 4'));
		expect(await outcomeOf(polling)).toMatchObject([{ added: ['Tea 4'], removed: ['Tea 3'] }]);
	});
});

describe('settings with an expression', () => {
	const trueNow = Date.now.bind(Date);
	let offsetMs = 0;
	beforeEach(() => {
		offsetMs = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => trueNow() + offsetMs);
	});
	const nextMinute = () => (offsetMs += 60_000);

	it('a query with the time in it tells each new result', async () => {
		const polling = await trigger('newResults', { query: '=heat pumps {{ Date.now() }}' });
		answer(results('https://a.test/1'));
		expect(await told(polling)).toEqual([]);
		nextMinute();
		answer(results('https://a.test/2', 'https://a.test/1'));
		expect(await told(polling)).toEqual(['https://a.test/2']);
		nextMinute();
		expect(await told(polling)).toEqual([]);
	});

	it('a site with the time in its address tells each new page', async () => {
		const url = '=https://a.test/{{ Date.now() }}';
		const polling = await trigger('newPages', { url });
		answer(links('https://a.test/1'));
		await told(polling);
		nextMinute();
		answer(links('https://a.test/2', 'https://a.test/1'));
		expect(await told(polling)).toEqual(['https://a.test/2']);
	});

	it('a page whose address is another one at each poll is said to be so, once', async () => {
		const polling = await trigger('pageChanged', { url: '=https://a.test/{{ Date.now() }}' });
		service.answering = () => page(`Text ${offsetMs}`);
		const outcomes: unknown[] = [];
		for (let polls = 0; polls < 6; polls += 1) {
			outcomes.push(await told(polling));
			nextMinute();
		}
		const errors = outcomes.filter((one) => typeof one === 'string');
		expect(errors).toHaveLength(1);
		expect(errors[0]).toMatch(/"URL".*each poll.*expression/);
		expect(outcomes.indexOf(errors[0])).toBeLessThan(4);
	});
});

describe('Credits Below', () => {
	const left = (remainingCredits: number): void =>
		answer({ body: { success: true, data: { remainingCredits, planCredits: 5000 } } });

	it('a balance that is below when the workflow is activated is told once, by the second poll', async () => {
		const polling = await trigger('creditsBelow', { threshold: 1000 });
		left(900);
		expect(await outcomeOf(polling)).toEqual([]);
		left(800);
		expect(await outcomeOf(polling)).toMatchObject([{ remainingCredits: 800 }]);
		left(-5);
		expect(await outcomeOf(polling)).toEqual([]);
		const again = await trigger('creditsBelow', { threshold: 1000 }, polling.staticData());
		expect(await outcomeOf(again)).toEqual([]);
	});

	it('a number that is changed while the credits fall is told', async () => {
		const first = await trigger('creditsBelow', { threshold: 1000 });
		left(1100);
		await told(first);
		left(900);
		expect(await outcomeOf(first)).toHaveLength(1);
		const lower = await trigger('creditsBelow', { threshold: 500 }, first.staticData());
		left(400);
		expect(await outcomeOf(lower)).toMatchObject([{ remainingCredits: 400 }]);
		expect(await outcomeOf(lower)).toEqual([]);
	});

	it('a number that is raised above what is left is told once', async () => {
		const first = await trigger('creditsBelow', { threshold: 1000 });
		left(1500);
		await told(first);
		const higher = await trigger('creditsBelow', { threshold: 2000 }, first.staticData());
		expect(await outcomeOf(higher)).toHaveLength(1);
		expect(await outcomeOf(higher)).toEqual([]);
	});
});
