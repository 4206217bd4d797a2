import fc from 'fast-check';

import { callAddressOf } from '../../nodes/WebData/run/parking/callAddress';
import {
	ownParkedJob,
	withoutParkedJob,
	withParkedJob,
} from '../../nodes/WebData/run/parking/parkedItem';
import {
	forgetParked,
	readParked,
	writeParked,
} from '../../nodes/WebData/run/parking/parkedRecord';
import type { ParkedRecord } from '../../nodes/WebData/run/parking/parkedRecord';
import { goOn, parkedIn } from '../../nodes/WebData/run/parking/goOn';

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
		expect(callAddressOf(resumeUrl)).toBe(address);
	});
});

const json = fc.dictionary(fc.constantFrom('url', 'parkedJob', 'n'), fc.jsonValue());

it('an item is as it was when its job has been taken out of it, also where something stood there', () => {
	fc.assert(
		fc.property(json, (given) => {
			const item = { json: given as { url: string }, pairedItem: 3 };
			const parked = withParkedJob(item, { jobId: 'a', collectWith: 'Crawl · Get' });
			expect(parked.json.parkedJob).toEqual({ jobId: 'a', collectWith: 'Crawl · Get' });
			expect(parked.pairedItem).toBe(3);
			const after = withoutParkedJob(parked, ownParkedJob(item));
			expect(after).toEqual(item);
			expect(Object.keys(after.json).sort()).toEqual(Object.keys(given).sort());
			expect(after).not.toBe(parked);
		}),
	);
});

const record: ParkedRecord = {
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

describe('what is noted for the time after parking', () => {
	it('is read as it was written, and gone when it is forgotten', () => {
		const context = { other: 1 };
		writeParked(context, record);
		expect(readParked(JSON.parse(JSON.stringify(context)))).toEqual(record);
		forgetParked(context);
		expect(context).toEqual({ other: 1 });
		expect(readParked(context)).toBeUndefined();
	});

	it.each([undefined, null, 'text', [], { webDataParked: 'text' }, { webDataParked: null }])(
		'is nothing where %j is stored',
		(context) => {
			expect(readParked(context)).toBeUndefined();
		},
	);

	it.each(Object.keys(record))('is nothing where its %s is of another type', (name) => {
		expect(readParked({ webDataParked: { ...record, [name]: { odd: true } } })).toBeUndefined();
		expect(readParked({ webDataParked: { ...record, [name]: undefined } })).toBeUndefined();
	});
});

describe('what n8n has stored of a parked execution', () => {
	const input = [{ json: { n: 1, parkedJob: { jobId: 'a' } } }, { json: { n: 2, parkedJob: {} } }];
	const stored = (name: string, node: object = { name, disabled: true }) => ({
		contextData: { 'node:Crawl': { webDataParked: record }, 'node:Other': {} },
		nodeExecutionStack: [{ node, data: { main: [input] } }],
	});

	it('has the note of the node by its name', () => {
		expect(parkedIn(stored('Crawl'), 'Crawl')).toEqual(record);
		expect(parkedIn(stored('Crawl'), 'Other')).toBeUndefined();
	});

	it('goes on with the input as it was, and with the node switched on', () => {
		const data = stored('Crawl');
		expect(goOn(data, 'Crawl', { ...record, hidden: [[1, 'mine']] })).toEqual([
			{ json: { n: 1 } },
			{ json: { n: 2, parkedJob: 'mine' } },
		]);
		expect(data.nodeExecutionStack[0]?.node).toEqual({ name: 'Crawl', disabled: false });
	});

	it('goes on with the jobs in it where that is another node, which stays as it is', () => {
		const data = stored('Other');
		expect(goOn(data, 'Crawl', record)).toEqual(input);
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
		expect(parkedIn(executionData, 'Crawl')).toBeUndefined();
		expect(goOn(executionData, 'Crawl', record)).toEqual([{ json: {} }]);
	});
});
