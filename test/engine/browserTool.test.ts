import { callAsTool } from '../../engine/index.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { inNewSession, openIds, sessionsOf } from './browserRun';
import { builtPackage, KEY } from './research';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ lightWork: true, keys: [KEY] });
});
afterEach(async () => await sandbox.stop());

const CODE = "={{ $fromAI('code', 'what to run', 'string') }}";

describe.each(['invoke', 'request'] as const)('an agent (%s)', (path) => {
	it('gets what the code gave, and why it failed; no session stays open', async () => {
		const tool = await callAsTool({
			mode: 'manual',
			package: await builtPackage(),
			credential: { baseUrl: sandbox.baseUrl, apiKey: KEY },
			nodeName: 'webData',
			parameters: inNewSession([CODE]),
			args: [{ code: "console.log('for the agent')" }, { code: '[fail]' }],
			path,
		});
		expect(tool.texts[0]).toContain('for the agent');
		expect(tool.texts[1]).toContain('The code failed: Error: stub failure');
		expect(tool.texts[1]).toContain('The session was closed');
		expect(await sessionsOf(sandbox)).toHaveLength(2);
		expect(await openIds(sandbox)).toEqual([]);
	});
});
