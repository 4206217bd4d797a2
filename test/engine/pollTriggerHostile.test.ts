import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { PollingTrigger } from '../../tools/n8n-engine/index.ts';
import { outcomeOf, pollingOn, startHostile } from './hostilePolls';
import type { HostileService } from './hostilePolls';

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

describe('the other events', () => {
	const links = (count: number, from = 0) => ({
		body: {
			success: true,
			links: Array.from({ length: count }, (_, at) => ({ url: `https://a.test/${from + at}` })),
		},
	});

	it('a map of 100,000 links starts nothing twice', async () => {
		const polling = await trigger('newPages', { url: 'https://a.test', maxLinks: 10_000 });
		service.answering = () => links(100_000);
		expect(await outcomeOf(polling)).toEqual([]);
		expect(await outcomeOf(polling)).toContain('as many pages as Max Pages allows');
		expect(await outcomeOf(polling)).toEqual([]);
		expect(JSON.stringify(polling.staticData()).length).toBeLessThan(8 * 50_000 + 1000);
	});

	it('a map that fails with 200 is told, and no page is new because of it', async () => {
		const polling = await trigger('newPages', { url: 'https://a.test' });
		const failing = { success: false, error: 'Something went wrong', links: [] };
		service.answering = () => ({ body: failing });
		expect(await outcomeOf(polling)).toContain('answered without a result');
		service.answering = () => links(3);
		expect(await outcomeOf(polling)).toEqual([]);
		service.answering = () => ({ body: failing });
		expect(await outcomeOf(polling)).toContain('answered without a result');
		service.answering = () => links(4);
		expect(await outcomeOf(polling)).toMatchObject([{ url: 'https://a.test/3' }]);
	});

	it('links of any shape are no harm', async () => {
		const polling = await trigger('newPages', { url: 'https://a.test' });
		service.answering = () => ({
			body: { success: true, links: [null, 3, {}, { url: 7 }, { url: 'https://a.test/1' }, []] },
		});
		expect(await outcomeOf(polling)).toEqual([]);
		service.answering = () => links(2, 1);
		expect(await outcomeOf(polling)).toMatchObject([{ url: 'https://a.test/2' }]);
	});

	it.each([['rubbish'], [5], [[]], [{}], [{ known: 5 }], [{ known: ['https://a.test/1'] }]])(
		'what was stored and cannot be read starts a new history, and nothing else: %j',
		async (mark) => {
			service.answering = () => links(3);
			const before = await trigger('newPages', { url: 'https://a.test' });
			await outcomeOf(before);
			const later = await trigger('newPages', { url: 'https://a.test' }, { ...before.staticData(), mark });
			expect(await outcomeOf(later)).toEqual([]);
			service.answering = () => links(4);
			expect(await outcomeOf(later)).toMatchObject([{ url: 'https://a.test/3' }]);
		},
	);

	const page = (markdown: unknown) => ({
		body: {
			success: true,
			data: { markdown, metadata: { sourceURL: 'https://a.test', statusCode: 200 } },
		},
	});

	it('a page that is empty for a while starts nothing, and is compared with what it was', async () => {
		const polling = await trigger('pageChanged', { url: 'https://a.test' });
		service.answering = () => page('Tea 3\r\nCake 5');
		expect(await outcomeOf(polling)).toEqual([]);
		service.answering = () => page(' \r\n');
		expect(await outcomeOf(polling)).toMatch(/no text/);
		expect(await outcomeOf(polling)).toEqual([]);
		service.answering = () => page('Tea 3\nCake 6');
		expect(await outcomeOf(polling)).toMatchObject([{ added: ['Cake 6'], removed: ['Cake 5'] }]);
		expect(await outcomeOf(polling)).toEqual([]);
	});

	it.each(['(a+)+$', '(\\w|\\d)*x', '^(a?){30}a{30}$', '((ab)*)*c', '\\d.*a.*a.*a.*x.*b', '(', 'a{2'])(
		'a pattern that cannot be used, or could take for ever, is refused before anything is sent: %s',
		async (ignoredLines) => {
			const polling = await trigger('pageChanged', { url: 'https://a.test', ignoredLines });
			expect(await outcomeOf(polling)).toMatch(/"Ignore Lines Matching" holds a line that (is no|repeats|has more)/);
			expect(service.asked).toEqual([]);
		},
	);

	it('usual patterns are taken', async () => {
		const ignoredLines =
			'\\d+ (views|comments)\n^(Updated|Seen): .*$\n\\d{1,3}(,\\d{3})* likes\n[(+*)]+\n\\(a+\\)+\n(?:ad)+';
		const polling = await trigger('pageChanged', { url: 'https://a.test', ignoredLines });
		service.answering = () => page('Tea 3\n1,234,567 likes');
		expect(await outcomeOf(polling)).toEqual([]);
		service.answering = () => page('Tea 3\n1,234,568 likes');
		expect(await outcomeOf(polling)).toEqual([]);
	});

	it.each(['={{ undefined }}', null, 'many', NaN, 0])('Credits must be a number: %p', async (threshold) => {
		const polling = await trigger('creditsBelow', { threshold } as INodeParameters);
		expect(await outcomeOf(polling)).toMatch(/"Credits" must be/);
		expect(service.asked).toEqual([]);
	});

	it('a run by hand neither stops a poll nor lets a second one begin', async () => {
		const polling = await trigger('newPages', { url: 'https://a.test' });
		service.answering = () => links(1);
		const byHand = polling.pollByHand();
		await polling.poll();
		await byHand;
		expect(polling.staticData().mark).toBeDefined();
	});

	it('another trouble than the one that was told is told as well', async () => {
		const polling = await trigger('newPages', { url: 'https://a.test' });
		service.answering = () => links(1);
		await polling.poll();
		const refuse = (status: number, error: string) => {
			service.answering = () => ({ status, body: { success: false, error } });
		};
		refuse(403, 'Not today');
		expect(await outcomeOf(polling)).toMatch(/does not allow/);
		expect(await outcomeOf(polling)).toEqual([]);
		refuse(402, 'No credits');
		expect(await outcomeOf(polling)).toContain('credits');
		refuse(403, 'Not today');
		expect(await outcomeOf(polling)).toEqual([]);
	});

	it('an outage that shows itself in several ways is told once', async () => {
		const polling = await trigger('newPages', { url: 'https://a.test' });
		service.answering = () => links(1);
		await polling.poll();
		const told: unknown[] = [];
		for (const status of [501, 505, 501]) {
			service.answering = () => ({ status, body: { success: false, error: `Error ${status}` } });
			told.push(typeof (await outcomeOf(polling)));
		}
		expect(told).toEqual(['string', 'object', 'object']);
		service.answering = () => links(2);
		expect(await outcomeOf(polling)).toMatchObject([{ url: 'https://a.test/1' }]);
	}, 60_000);

	it('an outage is told once also where n8n keeps nothing of a poll that throws', async () => {
		const parameters = { url: 'https://a.test', maxLinks: 7 };
		const polling = await pollingOn(service, 'newPages', parameters, {}, { durableCursors: true });
		service.answering = () => links(1);
		expect(await outcomeOf(polling)).toEqual([]);
		for (const status of [403, 402]) {
			service.answering = () => ({ status, body: { success: false, error: 'Not today' } });
			expect(typeof (await outcomeOf(polling))).toBe('string');
			expect(await outcomeOf(polling)).toEqual([]);
			expect(await outcomeOf(polling)).toEqual([]);
		}
		service.answering = () => links(2);
		expect(await outcomeOf(polling)).toMatchObject([{ url: 'https://a.test/1' }]);
		service.answering = () => ({ status: 403, body: { success: false, error: 'Not today' } });
		expect(typeof (await outcomeOf(polling))).toBe('string');
	});
});

const show = (markdown: string): void => {
	const metadata = { sourceURL: 'https://a.test', statusCode: 200 };
	service.answering = () => ({ body: { success: true, data: { markdown, metadata } } });
};

it.each(['\\d+ (views|comments)', '\\d+.*x$'])(
	'a line of 200,000 digits does not stop n8n: %s',
	async (ignoredLines) => {
		const polling = await pollingOn(service, 'pageChanged', {
			url: 'https://a.test',
			ignoredLines,
		});
		show(`Tea: three\n${'7'.repeat(200_000)}`);
		expect(await outcomeOf(polling)).toEqual([]);
		show(`Tea: four\n${'7'.repeat(200_000)}`);
		const outcome = await outcomeOf(polling);
		expect(outcome).toMatchObject([{ added: ['Tea: four'], removed: ['Tea: three'] }]);
	},
);
