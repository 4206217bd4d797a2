import type { PollingTrigger } from '../../engine/index.ts';
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

/** What comes of a poll, and the longest time in which nothing else in the process had its turn. */
async function watched(polling: PollingTrigger): Promise<{ outcome: unknown; longestMs: number }> {
	let longestMs = 0;
	let lastMs = performance.now();
	const timer = setInterval(() => {
		longestMs = Math.max(longestMs, performance.now() - lastMs);
		lastMs = performance.now();
	}, 5);
	const outcome = await outcomeOf(polling);
	clearInterval(timer);
	return { outcome, longestMs: Math.max(longestMs, performance.now() - lastMs) };
}

const LONGEST_MS = 5000;

it.each([
	'\\d+ (views|comments)',
	'(\\d+)+$',
	'(\\w|\\d)*x',
	'(\\d?){30}\\d{30}x',
	'.*\\d.*\\d.*\\d.*x',
])(
	'a line of 200,000 digits does not stop n8n: %s',
	async (ignoredLines) => {
		const polling = await pollingOn(service, 'pageChanged', {
			url: 'https://a.test',
			ignoredLines,
		});
		show(`Tea: three\n${'7'.repeat(200_000)}`);
		expect((await watched(polling)).outcome).toEqual([]);
		show(`Tea: four\n${'7'.repeat(200_000)}`);
		const { outcome, longestMs } = await watched(polling);
		expect(outcome).toMatchObject([{ added: ['Tea: four'], removed: ['Tea: three'] }]);
		expect(longestMs).toBeLessThan(LONGEST_MS);
	},
	120_000,
);

it('a page of 20,000 lines leaves others their turn', async () => {
	const polling = await pollingOn(service, 'pageChanged', {
		url: 'https://a.test',
		ignoredLines: '\\d+ (views|comments)\n^Updated .* ago$',
	});
	const lines = Array.from({ length: 20_000 }, (_, at) => `Line ${at} of the page, as it is`);
	show(lines.join('\n'));
	await outcomeOf(polling);
	show([...lines.slice(0, 100), '117 views', ...lines.slice(100, 19_000)].join('\n'));
	const { outcome, longestMs } = await watched(polling);
	expect(outcome).toMatchObject([{ added: [], removedWithoutText: 1000 }]);
	expect(longestMs).toBeLessThan(LONGEST_MS);
}, 60_000);

it('patterns that would take too long on a page are said to, once', async () => {
	const polling = await pollingOn(service, 'pageChanged', {
		url: 'https://a.test',
		ignoredLines: '^((ab)*(ba)?)*c',
	});
	show('Tea: three');
	await outcomeOf(polling);
	show(Array.from({ length: 10_000 }, () => 'ab'.repeat(500)).join('\n'));
	const { outcome, longestMs } = await watched(polling);
	expect(outcome).toMatch(/"Ignore Lines Matching" .*too long/);
	expect(longestMs).toBeLessThan(LONGEST_MS);
	expect(await outcomeOf(polling)).toEqual([]);
}, 60_000);
