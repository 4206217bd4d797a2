import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const picture = /```mermaid\n([^]*?)```/.exec(readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8'))?.[1];

/** The folder or file that a box of the picture stands for; folders inside it belong to it unless drawn too. */
const boxes = new Map(
	[...(picture ?? '').matchAll(/^ {2}(\w+)\["([^<]+)</gm)].map(([, box = '', name = '']) => [
		box,
		name.startsWith('nodes/') ? name : name.replace(/^run/, 'nodes/run').replace(/^service/, 'nodes/service'),
	]),
);
const arrows = [...(picture ?? '').matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(
	([, from = '', to = '']) => [from, to] as const,
);

/** The smallest drawn room that holds the file. */
function boxOf(file: string): string | undefined {
	const holding = [...boxes].filter(([, room]) => file.startsWith(`${room}/`) || file === `${room}.ts`);
	return holding.sort(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

const files = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => `nodes/${file}`);

/** Imports between boxes: `run http`. */
const imports = new Set(
	files.flatMap((file) =>
		[...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)].flatMap(
			([, target = '']) => {
				const path = join(dirname(file), target);
				const found = [`${path}.ts`, `${path}/index.ts`].find((one) => files.includes(one));
				return found === undefined ? [] : [`${boxOf(file)} ${boxOf(found)}`];
			},
		),
	),
);

it('draws every room', () => {
	expect(boxes.size).toBeGreaterThan(10);
	const notDrawn = files.filter(
		(file) => boxOf(file) === undefined || (boxOf(file) === 'node' && dirname(file) !== 'nodes/WebData'),
	);
	expect(notDrawn).toEqual([]);
});

it.each(arrows)('the arrow from %s to %s is in the code', (from, to) => {
	expect(imports.has(`${from} ${to}`)).toBe(true);
});

it('draws arrows downwards only', () => {
	expect(arrows.filter(([from, to]) => imports.has(`${to} ${from}`))).toEqual([]);
});

it('has no option of the sandbox that nothing but its own tests sets', () => {
	const interfaceText = /export interface SandboxOptions \{([^]*?)\n\}/.exec(
		readFileSync(join(ROOT, 'sandbox/service/options.ts'), 'utf8'),
	)?.[1];
	const options = [...(interfaceText ?? '').matchAll(/^\t(\w+)\?:/gm)].map(([, name = '']) => name);
	const users = ['test', 'tools'].flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox/'))
			.map((file) => `${folder}/${file}`),
	);
	const text = [...users, 'sandbox/main.ts'].map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
	expect(options.length).toBeGreaterThan(8);
	expect(options.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

it('gives a name one meaning: no two files declare the same type, or export the same thing', () => {
	// The build reads it of each node.
	const isContract = (name: string) => name === 'readProperties';
	const declared =
		/^(?:export (?:abstract |async )?(?:class|function|const|interface|type)\*?|(?:abstract )?(?:class|interface|type)) (\w+)/gm;
	const filesOf = new Map<string, string[]>();
	for (const file of files.filter((one) => one.startsWith('nodes/'))) {
		for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(declared)) {
			filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
		}
	}
	expect(filesOf.size).toBeGreaterThan(500);
	expect([...filesOf].filter(([name, found]) => found.length > 1 && !isContract(name))).toEqual([]);
});

describe('the engine room has one of each', () => {
	const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
	const withText = (pattern: RegExp) => files.filter((file) => pattern.test(textOf(file)));

	it('has none of the functions and classes that once sent by themselves', () => {
		expect(withText(/\b(?:bringToStart|PaidCalls|SessionMemory|OneSession|takeUpJobs)\b/)).toEqual([]);
	});

	it('decides what may be sent together by one function, and sends what may cost by one', () => {
		const users = ['calls/callRecords', 'jobs/planJobs', 'sessions/sessionSteps'];
		expect(withText(/\bkeepToCap\(/).sort()).toEqual(
			[...users, 'ledger/creditAccount'].map((one) => `nodes/run/${one}.ts`).sort(),
		);
		// Research knows what it asks for only as it goes on: it sets the cap, and each question keeps to it.
		const admitting = ['researchRun', 'rows/rowsRun'].map((one) => `nodes/WebResearch/${one}.ts`);
		expect(withText(/\baccount\.admit\(/).sort()).toEqual([...admitting, 'nodes/run/ledger/creditAccount.ts']);
	});

	it('sends what may cost by one function: nothing else sends once without a policy, but reads', () => {
		const once = withText(/(?:client|this\.client)\s*\.send\(/);
		expect(once.sort()).toEqual([
			'nodes/WebData/listSearch.ts',
			'nodes/run/connection/creditsLeft.ts',
			'nodes/run/paid/sendPaid.ts',
			'nodes/service/jobs/wait.ts',
			'nodes/service/results/pageErrors.ts',
		]);
		for (const file of once.filter((one) => !one.endsWith('/sendPaid.ts'))) {
			expect([file, /method: '(?!GET)/.test(textOf(file))]).toEqual([file, false]);
		}
	});

	it('runs what takes a turn by the limiter alone, and decides on repetitions in one place', () => {
		expect(withText(/\blimits\s*\.run\b/)).toEqual(['nodes/run/paid/sendPaid.ts']);
		// 2 ** n is how a pause grows.
		expect(withText(/\b2 \*\* (?!32)/)).toEqual(['nodes/service/http/retry.ts']);
	});
});
