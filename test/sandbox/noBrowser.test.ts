import { startSandbox } from '../../sandbox/server.ts';
import { ask, field } from './client.ts';

// What a sandbox with Chromium does is in test/e2e/browser.e2e.ts.
it('leaves a picture out with a warning, and fails on actions, where there is no browser', async () => {
	const sandbox = await startSandbox({ chromiumPath: '/nowhere/chromium' });
	const scrape = async (body: Record<string, unknown>) =>
		await ask(sandbox, 'POST', '/v2/scrape', { body: { url: sandbox.siteUrl, ...body } });
	const picture = await scrape({ formats: [{ type: 'screenshot', fullPage: true }] });
	expect(field(picture.body, 'data.screenshot')).toBeUndefined();
	expect(field(picture.body, 'data.warning')).toBe(
		'The engine used does not support the following features: screenshot@fullScreen -- your scrape may be partial.',
	);
	expect((await scrape({ actions: [{ type: 'press', key: 'Enter' }] })).status).toBe(500);
	await sandbox.stop();
});
