import fc from 'fast-check';
import type { Logger } from 'n8n-workflow';
import {
	Monitors,
	borrowedHook,
	isBorrowed,
	isReleased,
	ownersHook,
	readHook,
	releasedHook,
} from '../../nodes/WebDataTrigger/monitor/monitors';
import { TriggerMonitors } from '../../nodes/WebDataTrigger/monitor/triggerMonitors';
import type { Remembered } from '../../nodes/WebDataTrigger/monitor/triggerMonitors';
import { oldestFirst } from '../../nodes/WebDataTrigger/monitor/wanted';
import { scriptedClient } from './scriptedClient';
import type { Script } from './scriptedClient';

const URL_OF_TRIGGER = 'https://n8n.example/webhook/1/web-data';

const record = (id: string, more: object = {}) => ({ id, name: id, ...more });
const owned = (id: string) =>
	record(id, { webhook: { url: URL_OF_TRIGGER, metadata: { madeBy: 'n8n-nodes-web-data' } } });

function monitorsOf(script: Script) {
	const { client, seen, time } = scriptedClient(script);
	return { monitors: new Monitors(client), seen, time };
}

describe('a deactivation', () => {
	const logged: string[] = [];
	const logger = {
		info: (text: string) => logged.push(text),
		warn: (text: string) => logged.push(text),
	} as Partial<Logger> as Logger;
	const triggerOf = (script: Script, remembered: Remembered) => {
		const { monitors, seen, time } = monitorsOf(script);
		return {
			trigger: new TriggerMonitors(monitors, URL_OF_TRIGGER, remembered, logger),
			seen,
			time,
		};
	};
	beforeEach(() => logged.splice(0));

	it('while the service answers 503 names the monitor, its address and what to do, and forgets nothing', async () => {
		const remembered: Remembered = { monitorId: 'm-1', isOwn: true, secret: 's' };
		const { trigger, time } = triggerOf(() => ({ status: 503 }), remembered);
		const failure: unknown = await time.until(trigger.releaseAll()).catch((error: unknown) => error);
		expect(String(failure)).toContain(
			`The monitor m-1 of ${URL_OF_TRIGGER} could not be removed, and each of its checks costs credits`,
		);
		expect(String(failure)).toMatch(/503.*Delete it with Monitor · Delete of Web Data, or activate/);
		expect(remembered).toEqual({ monitorId: 'm-1', isOwn: true, secret: 's' });
	});

	it('names the address where nothing is remembered', async () => {
		const { trigger, time } = triggerOf(() => ({ status: 503 }), {});
		await expect(time.until(trigger.releaseAll())).rejects.toThrow(
			`It is not known whether a monitor calls ${URL_OF_TRIGGER}`,
		);
	});

	it('removes the one that is remembered where the list fails, and says so in the log', async () => {
		const remembered: Remembered = { monitorId: 'm-1', isOwn: true };
		const { trigger, seen, time } = triggerOf(({ method, url }) => {
			if (method === 'DELETE') return { body: { success: true } };
			return url.endsWith('m-1') ? { body: { data: owned('m-1') } } : { status: 503 };
		}, remembered);
		await time.until(trigger.releaseAll());
		expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
		expect(logged.join()).toContain('It is not known whether a monitor calls');
		expect(remembered).toEqual({});
	});
});

describe('the webhook of somebody’s own monitor', () => {
	const hook = fc.record({
		url: fc.webUrl(),
		headers: fc.dictionary(fc.stringMatching(/^[a-z-]{1,8}$/), fc.string(), { maxKeys: 3 }),
		metadata: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string(), { maxKeys: 3 }),
		events: fc.subarray(['monitor.page', 'monitor.check.completed']),
	});
	const secret = 'a'.repeat(48);
	const trigger = (url: string) => ({ url, secret, events: ['monitor.page'] });
	const readBack = (value: unknown) => {
		const read = readHook(value);
		if (!read) throw new Error('There is no webhook.');
		return read;
	};

	it('is the same again after any number of triggers, in any order', () => {
		fc.assert(
			fc.property(hook, fc.array(fc.webUrl(), { minLength: 1, maxLength: 6 }), (before, urls) => {
				fc.pre(!urls.includes(before.url));
				let current = readBack(before);
				for (const url of urls) {
					current = readBack(borrowedHook(trigger(url), current));
					expect(isBorrowed({ hook: current })).toBe(true);
				}
				expect(ownersHook(current)).toEqual(before);
				expect(JSON.stringify(current).length).toBeLessThan(2000);
			}),
		);
	});

	it('is none where there was none: what is left holds no secret and is nobody’s', () => {
		let current = readBack(borrowedHook(trigger('https://first.example/'), undefined));
		expect(ownersHook(current)).toBeUndefined();
		current = readBack(releasedHook(current));
		expect([isBorrowed({ hook: current }), isReleased({ hook: current })]).toEqual([false, true]);
		current = readBack(borrowedHook(trigger('https://second.example/'), current));
		expect(ownersHook(current)).toBeUndefined();
	});

	it.each(['{', '[]', '5', '""', '{"url":5}', '{}'])('rubbish in its place counts as none: %s', (text) => {
		const borrowed = borrowedHook(trigger('https://n8n.example/'), undefined);
		const metadata = { borrowedBy: 'n8n-nodes-web-data', earlierWebhook: text };
		expect(ownersHook(readBack({ ...borrowed, metadata }))).toBeUndefined();
	});
});

it('all processes of n8n find the same monitor the oldest', () => {
	const made = fc.record({
		id: fc.uuid(),
		createdAt: fc.constantFrom(
			'2026-11-21 19:43:23.107+00',
			'2026-11-21T19:43:23.107Z',
			'2026-11-21 19:43:23.2+00',
			'soon',
			7,
			undefined,
		),
	});
	const list = fc.uniqueArray(made, { selector: ({ id }) => id, minLength: 1 });
	fc.assert(
		fc.property(list, fc.infiniteStream(fc.nat()), (records, order) => {
			const known = records.map((one) => ({ id: one.id, hook: undefined, record: { ...one } }));
			const shuffled = known
				.map((one) => ({ one, at: order.next().value }))
				.sort((left, right) => left.at - right.at)
				.map(({ one }) => one);
			expect(oldestFirst(shuffled)).toEqual(oldestFirst(known));
		}),
	);
});
