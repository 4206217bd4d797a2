import { gzipSync } from 'node:zlib';

import {
	endless,
	expectPlain,
	json,
	KEY,
	measured,
	raw,
	runAgainst,
	startHostileService,
	text,
} from './hostileService';
import type { Answering, Costs, HostileService } from './hostileService';
import { errorText, NODE } from './run';

const JOB_ID = 'b37fb0dd-9aa8-4a0b-8b5a-2c8f6a4e9d11';
const MEGABYTE = 1024 * 1024;
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

let service: HostileService;
beforeAll(async () => {
	service = await startHostileService();
	// Loads n8n and the package, so that no measurement below holds that.
	service.answer = json({ success: true, id: JOB_ID });
	await start();
});

const research = (operation: string) => ({ resource: 'deepResearch', operation });

const start = async () => await runAgainst(service, { ...research('start'), query: 'q', waitForCompletion: false });

/** A first check that may take 5 s, and those that follow within a second. */
const LOOK = {
	...research('get'),
	waitForCompletion: true,
	options: { waitOptions: { maxWait: 1 } },
};

const look = async () => await runAgainst(service, { ...LOOK, jobId: JOB_ID });

/** One execution that checks a job for each of these, side by side: what it says of each. */
async function lookAtAll(answers: Answering[]): Promise<unknown[]> {
	service.answer = (request, response) => {
		const number = Number(request.url?.split('job-')[1]);
		answers[number]?.(request, response);
	};
	const execution = await runAgainst(
		service,
		{
			...LOOK,
			jobId: '={{ $json.id }}',
			options: { waitOptions: { maxWait: 1, maxJobsAtOnce: 100 } },
		},
		answers.map((_answer, number) => ({ id: `job-${number}` })),
		{ onError: 'continueRegularOutput' },
	);
	return execution.items(NODE).map((item) => item.json.error);
}

/** A gzip file may have many members. */
const zeros = (megabytes: number): Buffer => {
	const member = gzipSync(Buffer.alloc(10 * MEGABYTE));
	return Buffer.concat(Array.from({ length: megabytes / 10 }, () => member));
};
const gzipped = (bytes: Buffer) => text(bytes, 200, { 'content-encoding': 'gzip' });

const deepList = '['.repeat(100_000) + ']'.repeat(100_000);
const deepObject = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

interface Case {
	answer: Answering;
	says: RegExp;
}

const bounded = ({ seconds, megabytes }: Costs) => {
	// A start that may have arrived is looked for during 15 s.
	expect(seconds).toBeLessThan(45);
	expect(megabytes).toBeLessThan(300);
};

const TOO_LARGE = /is larger than 64 MB and was not read to the end/;
const TOO_DEEP = /is nested more than 200 levels deep/;

describe.each<[string, Case]>([
	['a body without an end', { answer: endless(Buffer.alloc(MEGABYTE, 'x'), 0, `${OK}\r\n`), says: TOO_LARGE }],
	[
		'chunks without an end',
		{
			answer: endless(`100000\r\n${'x'.repeat(MEGABYTE)}\r\n`, 0, `${OK}Transfer-Encoding: chunked\r\n\r\n`),
			says: TOO_LARGE,
		},
	],
	['a gigabyte of zeros in a megabyte of gzip', { answer: gzipped(zeros(1000)), says: TOO_LARGE }],
	['lists 100,000 deep', { answer: text(`{"id":${deepList}}`), says: TOO_DEEP }],
	['objects 100,000 deep', { answer: text(`{"data":${deepObject}}`), says: TOO_DEEP }],
	['an error 100,000 deep', { answer: text(`{"error":${deepList}}`, 500), says: TOO_DEEP }],
])('%s', (_name, { answer, says }) => {
	it.each([
		['start', start, 'may have been started'],
		['look', look, JOB_ID],
	])(
		'in answer to a %s: bounded in time and memory, with a plain error',
		async (_step, run, told) => {
			service.answer = answer;
			const { value, costs } = await measured(run);
			expectPlain(errorText(value));
			expect(errorText(value)).toMatch(says);
			expect(errorText(value)).toContain(told);
			expect(value.stored).not.toContain(KEY);
			bounded(costs);
		},
		60_000,
	);
});

const BROKE = /The connection to http:\/\/127\.0\.0\.1:\d+ broke/;
const NOT_JSON = /answered with .* [Cc]heck that the base URL/;

const WIRE: Record<string, Case> = {
	'gzip that is none': { answer: gzipped(Buffer.from('{"success":true}')), says: BROKE },
	'gzip that breaks off': { answer: gzipped(zeros(10).subarray(0, 5000)), says: NOT_JSON },
	'less than was promised': {
		answer: raw(`${OK}Content-Length: 100\r\n\r\n{"success"`),
		says: BROKE,
	},
	'chunks that are none': {
		answer: raw(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`),
		says: BROKE,
	},
	'a header with a line break in it': {
		answer: raw(`${OK}X-Note: a\rSet-Cookie: b\r\nContent-Length: 2\r\n\r\n{}`),
		says: BROKE,
	},
	'a header with a zero byte': { answer: raw(`${OK}X-Note: a\0b\r\n\r\n{}`), says: BROKE },
	'headers larger than Node takes': {
		answer: raw(`${OK}X-Note: ${'a'.repeat(100_000)}\r\n\r\n{}`),
		says: BROKE,
	},
	'a header line that is none': { answer: raw(`${OK}no colon here\r\n\r\n{}`), says: BROKE },
	'two lengths': {
		answer: raw(`${OK}Content-Length: 2\r\nContent-Length: 200\r\n\r\n{}`),
		says: BROKE,
	},
	'a status that is none': { answer: raw('HTTP/1.1 abc OK\r\n\r\n{}'), says: BROKE },
	'no HTTP at all': { answer: raw('220 mail.example ESMTP\r\n'), says: BROKE },
	'an end before the beginning': { answer: ({ socket }) => void socket.destroy(), says: BROKE },
	'zero bytes': { answer: text(Buffer.alloc(1000)), says: NOT_JSON },
	'a list': { answer: json([]), says: NOT_JSON },
};

describe('broken on the wire, told plainly', () => {
	let told: unknown[];
	beforeAll(async () => {
		told = await lookAtAll(Object.values(WIRE).map(({ answer }) => answer));
	});

	it.each(Object.keys(WIRE))('%s', async (name) => {
		const { answer, says } = WIRE[name] ?? { answer: json({}), says: /$^/ };
		const message = told[Object.keys(WIRE).indexOf(name)];
		expectPlain(message);
		expect(message).toMatch(says);
		expect(message).toMatch(/job-\d+/);
		service.answer = answer;
		const started = await start();
		expectPlain(errorText(started));
		expect(errorText(started)).toMatch(says);
		expect(errorText(started)).toContain('may have been started');
	});
});

const FOREVER: Record<string, Answering> = {
	'drips its body': endless(' ', 20, `${OK}Content-Length: 1000000\r\n\r\n`),
	'drips its headers': endless('X-Header: a\r\n', 200, OK),
	'drips one header': endless('a', 200, `${OK}X-Header: `),
	'says continue again and again': endless('HTTP/1.1 100 Continue\r\n\r\n', 20, ''),
	'says nothing': () => undefined,
};

it('ends with an answer that takes for ever, whatever it drips', async () => {
	const { value: told, costs } = await measured(async () => await lookAtAll(Object.values(FOREVER)));
	expect(told).toHaveLength(5);
	for (const message of told) {
		expectPlain(message);
		expect(message).toMatch(/did not answer in time|was not complete after 5 seconds/);
	}
	bounded(costs);
});
