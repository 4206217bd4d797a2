import { readFile, writeFile } from 'node:fs/promises';
import type { Row } from './row.ts';

interface Bar {
	label: string;
	value: number;
	isOurs: boolean;
}

interface Panel {
	title: string;
	unit: string;
	bars: Bar[];
}

const WIDTH = 860;
const LABEL_WIDTH = 270;
const BAR_WIDTH = 450;
const BAR_STEP = 26;
const TITLE_STEP = 46;

const REAL = 'makespan in real time, 60 jobs on 10 at once';
const CPU = 'CPU, 1,000 scrapes';
const CRAWL = 'crawl of 10,000 pages of 20 KB';
const FILE = 'memory, One File of 100,000 pages of 20 KB: held above the base, and of 10,000 pages';
const HELD = 'worker-seconds held by a job of ten minutes, Free against Hold';
const WORKERS = 'three workers of n8n, 60 executions of 5 jobs on 10 at once';

/** Draws the rows that `npm run bench -- --json FILE` and bench:scale wrote. Panels without rows are left out. */
function chart(rows: readonly Row[]): string {
	const panels = panelsOf(rows);
	let y = 16;
	const parts = panels.map((panel) => {
		const drawn = drawPanel(panel, y);
		y += TITLE_STEP + panel.bars.length * BAR_STEP;
		return drawn;
	});
	const height = y + 16;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="14">`,
		`<rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff"/>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}

function panelsOf(rows: readonly Row[]): Panel[] {
	const find = (name: string) => rows.find((row) => row.name === name);
	const valueOf = (name: string) => find(name)?.value;
	const referenceOf = (name: string) => find(name)?.reference;
	const panel = (
		title: string,
		unit: string,
		bars: Array<[string, number | null | undefined]>,
	) => ({
		title,
		unit,
		bars: bars.flatMap(([label, value]) =>
			typeof value === 'number' ? [{ label, value, isOurs: label.startsWith('Web Data') }] : [],
		),
	});
	const lost = valueOf(`${REAL}: results of all at once`);
	const intervals = [1, 2, 5, 10];
	const against = (what: string) =>
		intervals.map((seconds): [string, number | null | undefined] => [
			`every ${seconds} s`,
			referenceOf(`${what}, automatic against every ${seconds} s`),
		]);
	return [
		panel('60 research jobs of 20 to 40 s, plan of 10 at once: time until all are done', 's', [
			['Best possible, if the plan is known', referenceOf(REAL)],
			['Web Data', valueOf(REAL)],
			['One after the other, every 2 s', referenceOf(`${REAL}: against one after the other`)],
		]),
		panel('The same: results received', 'of 60', [
			['Web Data', valueOf(`${REAL}: results`)],
			['All at once, ignoring 429', lost],
		]),
		panel('300 jobs on three workers of n8n, plan of 10 at once: time until all are done', 's', [
			['Best possible, if the plan is known', referenceOf(WORKERS)],
			['Web Data', valueOf(WORKERS)],
		]),
		panel('How long a worker is occupied by a job of ten minutes', 's', [
			['Web Data, Wait for the Result', referenceOf(HELD)],
			['Web Data, Wait in the Background', valueOf(HELD)],
		]),
		panel('CPU for one of 1,000 scrapes', 'ms', [
			['Minimum: one request, one expression', referenceOf(`${CPU}, against the floor`)],
			['Web Data', valueOf(`${CPU}, against the floor`)],
			['n8n’s declarative engine', valueOf(`${CPU}, n8n’s RoutingNode against ours`)],
		]),
		panel(`Memory while reading a ${CRAWL}`, 'MiB', [
			['What the items hold', referenceOf(`memory, ${CRAWL}: peak against what its items hold`)],
			['Web Data, peak', valueOf(`memory, ${CRAWL}: peak against what its items hold`)],
		]),
		panel('Heap that stays in use while a crawl of pages of 20 KB is written to One File', 'MiB', [
			['Web Data, 10,000 pages', referenceOf(FILE)],
			['Web Data, 100,000 pages', valueOf(FILE)],
		]),
		panel(
			'Jobs of 5 s to 10 min: delay until the node sees the end, as a share of the job’s length',
			'%',
			[
				[
					'Web Data, automatic',
					valueOf('lag as a share of the length, automatic against every 1 s'),
				],
				...against('lag as a share of the length'),
			],
		),
		panel('The same: status requests per job', 'requests', [
			['Web Data, automatic', valueOf('polls, automatic')],
			...against('polls'),
		]),
	].filter(({ bars }) => bars.length > 1);
}

function drawPanel({ title, unit, bars }: Panel, top: number): string {
	const most = Math.max(...bars.map(({ value }) => value));
	const lines = bars.map(({ label, value, isOurs }, index) => {
		const y = top + TITLE_STEP - 14 + index * BAR_STEP;
		const width = Math.max(2, (BAR_WIDTH * value) / most);
		const weight = isOurs ? ' font-weight="600"' : '';
		return [
			`<text x="${LABEL_WIDTH}" y="${y + 14}" text-anchor="end" fill="#333333"${weight}>${label}</text>`,
			`<rect x="${LABEL_WIDTH + 10}" y="${y}" width="${width.toFixed(1)}" height="18" rx="3" fill="${isOurs ? '#1a7f64' : '#b8bec6'}"/>`,
			`<text x="${(LABEL_WIDTH + 18 + width).toFixed(1)}" y="${y + 14}" fill="#333333"${weight}>${numberText(value)} ${unit}</text>`,
		].join('\n');
	});
	const head = `<text x="20" y="${top + 18}" font-weight="600" fill="#111111">${title}</text>`;
	return [head, ...lines].join('\n');
}

function numberText(value: number): string {
	return value.toLocaleString('en-US', { maximumSignificantDigits: value >= 1000 ? 12 : 3 });
}

const files = process.argv.slice(2);
const to = files.pop();
if (files.length === 0 || to === undefined) {
	process.stderr.write(
		'Usage: npm run bench:chart -- bench.json scale.json docs/pictures/bench.svg\n',
	);
	process.exitCode = 1;
} else {
	const tables = files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Row[]);
	await writeFile(to, chart((await Promise.all(tables)).flat()));
}
