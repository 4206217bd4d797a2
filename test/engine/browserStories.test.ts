import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectGoldenFile } from '../helpers/goldenFile';
import { createSession, inNewSession, openIds } from './browserRun';
import { errorText, hintsIn, jsonOf, NODE, runNode, startSandbox } from './run';
import type { RunSettings } from './run';

type Fault = Parameters<Sandbox['faults']['add']>[0];

/** What happens to browser sessions, and what a person is told of it. */
const STORIES: ReadonlyArray<[string, INodeParameters, Fault[], RunSettings?]> = [
	['all goes well', inNewSession(["'a'", "'b'"]), []],
	['the second step fails', inNewSession(["'a'", 'throw new Error("no")', "'c'"]), []],
	['the only step fails', inNewSession(['throw new Error("no")']), []],
	['a step is refused', inNewSession(["'a'"]), [{ step: 'browserExecute', kind: 'status', httpStatus: 400 }]],
	['a step breaks off', inNewSession(["'a'"]), [{ step: 'browserExecute', kind: 'reset', when: 'after' }]],
	['a step answers a web page', inNewSession(["'a'"]), [{ step: 'browserExecute', kind: 'html' }]],
	['the opening is refused', inNewSession(["'a'"]), [{ step: 'browserCreate', kind: 'status', httpStatus: 402 }]],
	[
		'the opening is lost once',
		inNewSession(["'a'"]),
		[{ step: 'browserCreate', kind: 'reset', when: 'after', times: 1 }],
	],
	['the opening is lost twice', inNewSession(["'a'"]), [{ step: 'browserCreate', kind: 'reset', when: 'after' }]],
	['the closing is refused', inNewSession(["'a'"]), [{ step: 'browserDelete', kind: 'status', httpStatus: 403 }]],
	[
		'a step fails, and the closing is refused',
		inNewSession(['throw new Error("no")']),
		[{ step: 'browserDelete', kind: 'status', httpStatus: 403 }],
	],
	[
		'it may cost more than Max Credits when it is opened again',
		inNewSession(["'a'"], { options: { maxCredits: 10 } }),
		[{ step: 'browserCreate', kind: 'reset', when: 'after', times: 1 }],
	],
	['one of two items fails', inNewSession(['$json'], { steps: stepOfItem() }), [], { items: twoItems() }],
	['a session is put out', createSession(), []],
];

function stepOfItem(): INodeParameters {
	return { step: [{ language: 'node', code: '={{ $json.code }}', timeout: 30 }] };
}

function twoItems() {
	return [{ code: "'a'" }, { code: 'throw new Error("no")' }] as never;
}

it('tells each story of a browser session as it did', async () => {
	const told: string[] = [];
	for (const [name, parameters, faults, more = {}] of STORIES) {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const sandbox = await startSandbox({ lightWork: true, seed: 1 });
			for (const fault of faults) sandbox.faults.add(fault);
			const execution = await runNode(sandbox, parameters, { ...more, node: { onError } });
			sandbox.faults.clear();
			const story = {
				error: errorText(execution),
				hints: hintsIn(execution),
				items: jsonOf(execution.items(NODE)),
				open: (await openIds(sandbox)).length,
				requests: sandbox.stats().calls.browserCreate,
			};
			const text = JSON.stringify(story, undefined, '\t')
				.replaceAll(sandbox.baseUrl, 'SERVICE')
				.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'SESSION')
				.replace(/127\.0\.0\.1:\d+/g, 'HOST')
				.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME');
			told.push(`# ${name}, ${onError}\n${text}\n`);
			await sandbox.stop();
		}
	}
	expectGoldenFile(join(__dirname, '../golden/browserStories.txt'), told.join('\n'));
});
