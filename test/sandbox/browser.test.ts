import { existsSync } from 'node:fs';

import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, field } from './client.ts';
import { startListener } from './listener.ts';
import type { Listener } from './listener.ts';

const CHROMIUM = '/usr/bin/chromium';
const withChromium = existsSync(CHROMIUM) ? describe : describe.skip;
const PNG = '89504e470d0a1a0a';

let sandbox: Sandbox;
let listener: Listener;

beforeAll(async () => {
	listener = await startListener((request) =>
		request.url === '/hang'
			? undefined
			: {
					body: `<!DOCTYPE html><title>T</title><body style="height:3000px"><input id="i"><button onclick="document.body.append('Clicked ' + document.getElementById('i').value)">Go</button>`,
				},
	);
});
afterAll(() => listener.stop());
afterEach(() => sandbox.stop());

async function scrape(body: Record<string, unknown>) {
	return ask(sandbox, 'POST', '/v2/scrape', { body: { url: listener.url, ...body } });
}

it('leaves a picture out with a warning, and fails on actions, where there is no browser', async () => {
	sandbox = await startSandbox({ chromiumPath: '/nowhere/chromium' });
	const picture = await scrape({ formats: [{ type: 'screenshot', fullPage: true }] });
	expect(field(picture.body, 'data.screenshot')).toBeUndefined();
	expect(field(picture.body, 'data.warning')).toBe(
		'The engine used does not support the following features: screenshot@fullScreen -- your scrape may be partial.',
	);
	expect((await scrape({ actions: [{ type: 'press', key: 'Enter' }] })).status).toBe(500);
});

withChromium('with Chromium', () => {
	it('takes pictures as links or as data', async () => {
		sandbox = await startSandbox({});
		const viewport = { width: 320, height: 200 };
		const { body } = await scrape({ formats: ['markdown', { type: 'screenshot', viewport }] });
		const picture = await fetch(String(field(body, 'data.screenshot')));
		expect(picture.headers.get('content-type')).toBe('image/png');
		const bytes = Buffer.from(await picture.arrayBuffer());
		expect(bytes.subarray(0, 8).toString('hex')).toBe(PNG);
		expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([320, 200]);
		await sandbox.stop();

		sandbox = await startSandbox({ screenshotsAs: 'base64' });
		const full = await scrape({ formats: [{ type: 'screenshot', fullPage: true, quality: 50 }] });
		expect(field(full.body, 'data.screenshot')).toMatch(/^data:image\/jpeg;base64,/);
	});

	it('performs actions, and names the one that fails', async () => {
		sandbox = await startSandbox({});
		const { body } = await scrape({
			formats: ['markdown'],
			actions: [
				{ type: 'click', selector: '#i' },
				{ type: 'write', text: 'hello' },
				{ type: 'click', selector: 'button' },
				{ type: 'wait', milliseconds: 20 },
				{ type: 'scroll' },
				{ type: 'screenshot' },
				{ type: 'scrape' },
				{ type: 'executeJavascript', script: 'document.title' },
			],
		});
		expect(field(body, 'data.markdown')).toContain('Clicked hello');
		expect(field(body, 'data.actions.scrapes.0.html')).toContain('Clicked hello');
		expect(field(body, 'data.actions.javascriptReturns')).toEqual([{ type: 'string', value: 'T' }]);
		expect(String(field(body, 'data.actions.screenshots.0'))).toMatch(/\.png$/);
		const failed = await scrape({ actions: [{ type: 'executeJavascript', script: '(' }] });
		expect([failed.status, field(failed.body, 'code')]).toEqual([500, 'SCRAPE_ACTION_ERROR']);
		expect(field(failed.body, 'error')).toContain('Action 0 (executeJavascript)');
	});

	it('runs out of time, and meets addresses that do not answer', async () => {
		sandbox = await startSandbox({ speed: 1 });
		const hang = await scrape({
			url: `${listener.url}/hang`,
			formats: ['screenshot'],
			timeout: 2000,
		});
		expect([hang.status, field(hang.body, 'code')]).toEqual([408, 'SCRAPE_TIMEOUT']);
		const gone = await scrape({ url: 'http://127.0.0.1:9/', formats: ['screenshot'] });
		expect([gone.status, field(gone.body, 'code')]).toEqual([500, 'SCRAPE_ALL_ENGINES_FAILED']);
	});
});
