import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { KEY, field } from './client.ts';
import { recorded } from './recorded.ts';
import type { Recording } from './recorded.ts';

const NOTE =
	'<!doctype html><html lang="en"><head><title>Uploaded note</title><meta name="description" content="A note"></head><body><header>Head noise</header><main><h1>Uploaded note</h1><p>The lighthouse was lit in 1871. Price: 7.50</p><p><a href="/more">More</a></p></main></body></html>';
const TEXT =
	/^Uploaded note\n=+\n\nThe lighthouse was lit in 1871\. Price: 7\.50\n\n\[More\]\(https:\/\/parse\.firecrawl\.dev\/more\)$/;

/** What is not compared, with its reason. */
const NOT_COMPARED: ReadonlyArray<[names: RegExp, reason: string]> = [
	[/^parse-(1|2[1-3]|3[124])/, 'the bytes of the file are not in the recording'],
	[
		/^parse-0[24-9]/,
		'made by a language model, or a part without a type, which this client cannot send',
	],
	[/^parse-(57|85)/, 'the union of formats or parsers is nested otherwise'],
	[/^parse-84/, 'formats of audio give a warning here'],
	[/^parse-(43|44|45|46|92)/, 'sent without a form: see below'],
	[/^parse-9[01]/, 'large files: see below'],
	[/^upload/, 'the way by an upload address is not played'],
];

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ enterprise: false });
});
afterAll(() => sandbox.stop());

async function post(body: FormData | string, headers: Record<string, string> = {}) {
	const answer = await fetch(`${sandbox.baseUrl}/v2/parse`, {
		method: 'POST',
		headers: { authorization: `Bearer ${KEY}`, ...headers },
		body,
	});
	const seen: unknown = await answer.json();
	return { status: answer.status, body: seen };
}

function formOf({ request }: Recording): FormData {
	const form = new FormData();
	for (const { name, filename, contentType, value } of request.multipart ?? []) {
		if (filename === undefined) {
			form.append(name, value ?? '');
			continue;
		}
		const isEmpty = filename.startsWith('empty');
		const text = filename.endsWith('.csv') ? 'name,count\nredshank,412\noystercatcher,96\n' : NOTE;
		const type = contentType ?? '';
		form.append(name, new Blob([isEmpty ? '' : text], { type }), filename);
	}
	return form;
}

const ones = recorded('2026/parse').filter(
	({ name, request }) =>
		request.multipart !== undefined && !NOT_COMPARED.some(([names]) => names.test(name)),
);

/** Long texts were cut when they were recorded. */
function uncut(body: unknown): unknown {
	return { ...Object(body), error: String(field(body, 'error')).slice(0, 300) };
}

it('has the recordings', () => expect(ones.length).toBeGreaterThan(35));

it.each(ones)('$name', async (one) => {
	const seen = await post(formOf(one));
	expect(seen.status).toBe(one.response.status);
	if (seen.status === 200) {
		const facts = Object.keys(Object(field(seen.body, 'data.metadata'))).sort();
		expect(facts).toEqual(Object.keys(Object(field(one.response.body, 'data.metadata'))).sort());
	} else {
		expect(uncut(seen.body)).toEqual(uncut(one.response.body));
	}
});

const file = (name: string, type: string, content: string | Uint8Array<ArrayBuffer>): FormData => {
	const form = new FormData();
	form.append('file', new Blob([content], { type }), name);
	return form;
};

it('reads HTML and tables (parse-01, parse-20, parse-36)', async () => {
	const html = await post(file('møte.html', 'text/html', NOTE));
	// Headings are underlined here, the recorded server puts a # before them.
	expect(field(html.body, 'data.markdown')).toMatch(TEXT);
	expect(field(html.body, 'data.metadata.sourceURL')).toBe('mÃ¸te.html');
	const csv = await post(file('birds.csv', 'text/csv', 'name,count\nredshank,412\n'));
	expect(field(csv.body, 'data.markdown')).toBe(
		'| name | count |\n| --- | --- |\n| redshank | 412 |\n',
	);
});

it('leaves HTML as it is in a part without a type (parse-02), and keeps what it made of a file', async () => {
	const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="note.html"\r\n\r\n${NOTE}\r\n--x--\r\n`;
	const raw = await post(part, { 'content-type': 'multipart/form-data; boundary=x' });
	expect(field(raw.body, 'data.markdown')).toBe(NOTE);
	const read = await post(file('note.html', 'text/html', NOTE));
	const id = String(field(read.body, 'data.metadata.scrapeId'));
	const kept = await fetch(`${sandbox.baseUrl}/v2/scrape/${id}`, {
		headers: { authorization: `Bearer ${KEY}` },
	});
	expect(field(await kept.json(), 'data.markdown')).toMatch(TEXT);
});

it('takes 50 MB and no more (parse-90), and fails on broken files (parse-23)', async () => {
	const large = await post(file('big.html', 'text/html', new Uint8Array(50 * 1024 * 1024 + 7)));
	expect([large.status, field(large.body, 'error')]).toEqual([
		400,
		'Uploaded file exceeds maximum size of 50MB.',
	]);
	for (const name of ['a.docx', 'a.xlsx', 'a.pdf']) {
		const seen = await post(file(name, 'application/octet-stream', 'no such file'));
		expect([seen.status, field(seen.body, 'code')]).toEqual([500, 'SCRAPE_ALL_ENGINES_FAILED']);
	}
});

it('asks for a form (parse-43, parse-46)', async () => {
	const json = { 'content-type': 'application/json' };
	expect(field((await post('{"file":"abc"}', json)).body, 'error')).toMatch(/with an 'uploadRef'/);
	const bare = { 'content-type': 'multipart/form-data' };
	expect(field((await post('x', bare)).body, 'error')).toBe('Multipart: Boundary not found');
});
