import { outcomeOf, pollingOn, startHostile } from './hostilePolls';
import type { HostileService } from './hostilePolls';

// The watched site chooses the lines that a user's patterns run on: no line may keep n8n busy.

let service: HostileService;

beforeAll(async () => {
	service = await startHostile();
});
afterAll(() => service.stop());

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

it('a page of 20,000 lines is compared', async () => {
	const polling = await pollingOn(service, 'pageChanged', {
		url: 'https://a.test',
		ignoredLines: '\\d+ (views|comments)\n^Updated .* ago$',
	});
	const lines = Array.from({ length: 20_000 }, (_, at) => `Line ${at} of the page, as it is`);
	show(lines.join('\n'));
	await outcomeOf(polling);
	show([...lines.slice(0, 100), '117 views', ...lines.slice(100, 19_000)].join('\n'));
	const outcome = await outcomeOf(polling);
	expect(outcome).toMatchObject([{ added: [], removedWithoutText: 1000 }]);
});
