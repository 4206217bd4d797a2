import fc from 'fast-check';

import { resumeUrlOf } from '../../nodes/WebData/run/suspension/resumeUrlOf';
import {
	ownParkedJob,
	withoutParkedJob,
	withParkedJob,
} from '../../nodes/WebData/run/suspension/parkedJobField';
import {
	forgetSuspended,
	readSuspended,
	writeSuspended,
} from '../../nodes/WebData/run/suspension/suspendedRecord';
import type { SuspendedRecord } from '../../nodes/WebData/run/suspension/suspendedRecord';
import { resumeInput, suspendedIn } from '../../nodes/WebData/run/suspension/resumeInput';

describe('the address that the service calls', () => {
	it.each([
		['https://n8n.example/webhook-waiting/7', 'https://n8n.example/webhook-waiting/7/job-ended'],
		[
			'https://n8n.example/in/webhook-waiting/7//',
			'https://n8n.example/in/webhook-waiting/7/job-ended',
		],
		[
			'http://127.0.0.1:5678/webhook-waiting/7?signature=a%2Fb',
			'http://127.0.0.1:5678/webhook-waiting/7/job-ended?signature=a%2Fb',
		],
	])('of %s is below it', (resumeUrl, address) => {
		expect(resumeUrlOf(resumeUrl)).toBe(address);
	});
});

const json = fc.dictionary(fc.constantFrom('url', 'parkedJob', 'n'), fc.jsonValue());

it('an item is as it was when its job has been taken out of it, also where something stood there', () => {
	fc.assert(
		fc.property(json, (given) => {
			const item = { json: given as { url: string }, pairedItem: 3 };
			const suspended = withParkedJob(item, { jobId: 'a', collectWith: 'Crawl · Get' });
			expect(suspended.json.parkedJob).toEqual({ jobId: 'a', collectWith: 'Crawl · Get' });
			expect(suspended.pairedItem).toBe(3);
			const after = withoutParkedJob(suspended, ownParkedJob(item));
			expect(after).toEqual(item);
			expect(Object.keys(after.json).sort()).toEqual(Object.keys(given).sort());
			expect(after).not.toBe(suspended);
		}),
	);
});

const record: SuspendedRecord = {
	execution: '7',
	run: 0,
	secret: 'hush',
	kind: 'crawl',
	ids: ['a'],
	failures: [],
	answers: [],
	foundIds: [],
	startedAgain: 0,
	throttledSeconds: 0,
	hidden: [],
};

describe('what is noted for the time after suspension', () => {
	it('is read as it was written, and gone when it is forgotten', () => {
		const context = { other: 1 };
		writeSuspended(context, record);
		expect(readSuspended(JSON.parse(JSON.stringify(context)))).toEqual(record);
		forgetSuspended(context);
		expect(context).toEqual({ other: 1 });
		expect(readSuspended(context)).toBeUndefined();
	});

	it.each([undefined, null, 'text', [], { webDataParked: 'text' }, { webDataParked: null }])(
		'is nothing where %j is stored',
		(context) => {
			expect(readSuspended(context)).toBeUndefined();
		},
	);

	it.each(Object.keys(record))('is nothing where its %s is of another type', (name) => {
		expect(readSuspended({ webDataParked: { ...record, [name]: { odd: true } } })).toBeUndefined();
		expect(readSuspended({ webDataParked: { ...record, [name]: undefined } })).toBeUndefined();
	});
});

describe('what n8n has stored of a suspended execution', () => {
	const input = [{ json: { n: 1, parkedJob: { jobId: 'a' } } }, { json: { n: 2, parkedJob: {} } }];
	const stored = (name: string, node: object = { name, disabled: true }) => ({
		contextData: { 'node:Crawl': { webDataParked: record }, 'node:Other': {} },
		nodeExecutionStack: [{ node, data: { main: [input] } }],
	});

	it('has the note of the node by its name', () => {
		expect(suspendedIn(stored('Crawl'), 'Crawl')).toEqual(record);
		expect(suspendedIn(stored('Crawl'), 'Other')).toBeUndefined();
	});

	it('goes on with the input as it was, and with the node switched on', () => {
		const data = stored('Crawl');
		expect(resumeInput(data, 'Crawl', { ...record, hidden: [[1, 'mine']] })).toEqual([
			{ json: { n: 1 } },
			{ json: { n: 2, parkedJob: 'mine' } },
		]);
		expect(data.nodeExecutionStack[0]?.node).toEqual({ name: 'Crawl', disabled: false });
	});

	it('goes on with the jobs in it where that is another node, which stays as it is', () => {
		const data = stored('Other');
		expect(resumeInput(data, 'Crawl', record)).toEqual(input);
		expect(data.nodeExecutionStack[0]?.node).toEqual({ name: 'Other', disabled: true });
	});

	it.each([
		undefined,
		null,
		'text',
		{},
		{ contextData: 'text', nodeExecutionStack: 'text' },
		{ contextData: {}, nodeExecutionStack: [] },
		{ nodeExecutionStack: [null] },
		{ nodeExecutionStack: [{}] },
		{ nodeExecutionStack: [{ data: 'text' }] },
		{ nodeExecutionStack: [{ data: { main: 'text' } }] },
		{ nodeExecutionStack: [{ data: { main: [null] } }] },
		{ nodeExecutionStack: [{ node: 'text', data: { main: [{}] } }] },
	])('goes on with one empty item where that is %j', (executionData) => {
		expect(suspendedIn(executionData, 'Crawl')).toBeUndefined();
		expect(resumeInput(executionData, 'Crawl', record)).toEqual([{ json: {} }]);
	});
});
