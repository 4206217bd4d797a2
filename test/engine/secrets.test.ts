import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { startScript } from '../helpers/script';
import type { ScriptedService } from '../helpers/script';
import { errorText, NODE, questions, runNode, startParameters, startSandbox, tracesOf } from './run';
import type { RunSettings } from './run';

const SECRET = 'fc-6d1f0e5b7c9a4b3e8d2f';

let sandbox: Sandbox;
let elsewhere: ScriptedService;
const printed: string[] = [];

beforeAll(async () => {
	sandbox = await startSandbox({ lightWork: true, jobDurationMs: 300, keys: [SECRET] });
	elsewhere = await startScript(() => ({ body: { success: true, crawls: [] } }));
});
beforeEach(() => {
	for (const stream of [process.stdout, process.stderr]) {
		const write = stream.write.bind(stream);
		jest.spyOn(stream, 'write').mockImplementation((chunk: string | Uint8Array) => {
			printed.push(String(chunk));
			return write(chunk);
		});
	}
});

async function runWithSecret(
	parameters: Parameters<typeof runNode>[1],
	settings: RunSettings = {},
): Promise<Execution> {
	const credential = { baseUrl: sandbox.baseUrl, apiKey: SECRET };
	return await runNode(sandbox, parameters, { credential, items: questions(2), ...settings });
}

describe('the key appears nowhere', () => {
	it('after a run that works, for every output', async () => {
		for (const output of ['simplified', 'fullRecord', 'sources', 'reportFile']) {
			const execution = await runWithSecret(startParameters({ output }));
			expect(execution.error).toBeUndefined();
			expect(tracesOf(execution)).not.toContain(SECRET);
		}
	});

	const faults: Array<[string, FaultRule]> = [
		['a refused key', { kind: 'status', httpStatus: 401 }],
		['a broken connection at the start', { step: 'start', kind: 'reset' }],
		['a web page at the start', { step: 'start', kind: 'html' }],
		['an error at the start', { step: 'start', kind: 'status', httpStatus: 500 }],
		['a refusal to read', { step: 'status', kind: 'status', httpStatus: 403 }],
		['a refusal that repeats the key', { kind: 'body', httpStatus: 401, body: { error: `No such key: ${SECRET}` } }],
	];

	it.each(faults)('after %s, in the error and in the error output', async (_what, fault) => {
		sandbox.faults.add(fault);
		const stopped = await runWithSecret(startParameters());
		expect(stopped.error).toBeDefined();
		expect(tracesOf(stopped)).not.toContain(SECRET);
		const continued = await runWithSecret(startParameters(), {
			node: { onError: 'continueErrorOutput' },
		});
		expect(continued.items(NODE, 1)).toHaveLength(2);
		expect(tracesOf(continued)).not.toContain(SECRET);
	});

	it('in what was printed meanwhile', () => {
		expect(printed.join('')).not.toContain(SECRET);
	});
});

describe('the key goes to the configured origin only', () => {
	it.each([301, 302, 307, 308])('not along with a redirect (%d)', async (httpStatus) => {
		sandbox.faults.add({ kind: 'redirect', to: elsewhere.baseUrl, httpStatus });
		const execution = await runWithSecret({ resource: 'crawl', operation: 'getActive' });
		expect(errorText(execution)).toContain(`redirects to ${elsewhere.baseUrl}`);
		expect(elsewhere.requests).toEqual([]);
	});
});

describe('an empty key', () => {
	it('sends no Authorization header at all', async () => {
		const execution = await runNode(
			sandbox,
			{ resource: 'crawl', operation: 'getActive', returnAll: true },
			{ credential: { baseUrl: elsewhere.baseUrl, apiKey: '' } },
		);
		expect(execution.error).toBeUndefined();
		expect(elsewhere.requests).toHaveLength(1);
		expect(elsewhere.requests[0]?.headers).not.toHaveProperty('authorization');
	});
});
