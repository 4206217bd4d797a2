import v8 from 'node:v8';
import { join } from 'node:path';
import { loadBuiltPackage } from '../../../../engine/index.ts';
import { startSandbox } from '../../../../sandbox/server.ts';
import { collectGarbage, median, slopeOf } from '../../statistics.ts';
import { row } from '../../row.ts';
import { ROOT } from '../../workflow.ts';
import { ModuleState } from './moduleState.ts';
import { emptyLife } from './nodeLife.ts';
import { virtualProcess } from './processClock.ts';
import type { Measure } from '../../benchmark.ts';
import type { Row } from '../../row.ts';
import type { Begin, Life, World } from './life.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Once a minute. With fewer a day it takes less time, and its slopes are less certain; see NOTES.md. */
const USES_A_DAY = Number(process.env.BENCH_USES_A_DAY ?? 24 * 60);
const DAYS = 30;
/** Until then what is kept in bounds fills up, ids of two days, 500 calls, 10,000 jobs of the feed, and V8 settles. */
const FULL_AFTER_DAYS = 8;
const FLOOR_DAYS = 16;
const FLOOR_USES_A_DAY = 240;

/** What happens to be open when a day ends differs from day to day: the middle one of a week counts. */
const WEEK_DAYS = 7;
const MAX_MORE = { timers: 2, listeners: 2, resources: 2 } as const;

/** What the process holds at the end of a day, when nothing is going on. */
interface Sample {
	heapBytes: number;
	/** That part of it in which V8 keeps compiled code: it grows for weeks with what becomes worth compiling. */
	codeBytes: number;
	/** What the modules of the package keep. */
	entries: number;
	/** Timers that are to ring, of n8n, the node and the sandbox. */
	timers: number;
	/** Listeners of the process, and signals that somebody holds with all who listen to them. */
	listeners: number;
	/** What keeps a process alive: sockets, files, timers of Node.js. */
	resources: number;
	storedBytes: number;
}

interface Lived {
	uses: number;
	/** Uses that gave what was asked for; the others were refused, stopped or met a fault. */
	good: number;
	samples: Sample[];
	/** Of Node.js, of an emitter with too many listeners. */
	warnings: number;
}

interface LifeParts {
	name: string;
	/** What one is called: `executions`. */
	unit: string;
	begin: Begin;
}

/** Thirty days in virtual time, one use a minute, beside a floor of fewer days in the same process. */
export function measureLife({ name, unit, begin }: LifeParts): Measure {
	return async (say) => {
		const time = virtualProcess();
		const plan = { jobsAtOnce: 2, retryAfter: 'seconds' } as const;
		const options = { lightWork: true, now: () => Date.now(), seed: 1, plan };
		const sandbox = await startSandbox(options);
		try {
			const world: World = { time, sandbox, builtPackage: await loadBuiltPackage(ROOT) };
			const short = { days: FLOOR_DAYS, usesADay: FLOOR_USES_A_DAY };
			const floor = await live(world, emptyLife, short, (line) => say(`floor, ${line}`));
			const long = { days: DAYS, usesADay: USES_A_DAY };
			const ours = await live(world, begin, long, say);
			return rowsOf(`${DAYS} days of the ${name}, ${ours.uses} ${unit}`, ours, floor);
		} finally {
			await sandbox.stop();
		}
	};
}

async function live(
	world: World,
	begin: Begin,
	{ days, usesADay }: { days: number; usesADay: number },
	say: (line: string) => void,
): Promise<Lived> {
	const { time, sandbox } = world;
	const life = await begin(world);
	const lived: Lived = { uses: 0, good: 0, samples: [], warnings: 0 };
	const warn = ({ name }: Error): void => {
		if (name === 'MaxListenersExceededWarning') lived.warnings += 1;
	};
	process.on('warning', warn);
	try {
		for (let day = 1; day <= days; day++) {
			for (let use = 0; use < usesADay; use++) {
				const nextMs = time.now() + DAY_MS / usesADay;
				if (await time.until(life.use(lived.uses))) lived.good += 1;
				lived.uses += 1;
				if (time.now() < nextMs) await time.pass(nextMs - time.now());
			}
			// What the service keeps is not what is measured.
			await time.pass(10 * MINUTE_MS);
			sandbox.reset();
			lived.samples.push(await sampleOf(world, life));
			const { heapBytes = 0, entries, timers } = lived.samples.at(-1) ?? {};
			const heap = (heapBytes / 2 ** 20).toFixed(2);
			say(`day ${day}: heap ${heap} MiB, ${entries} entries, ${timers} timers`);
		}
	} finally {
		process.off('warning', warn);
		await life.end();
	}
	return lived;
}

async function sampleOf({ time }: World, life: Life): Promise<Sample> {
	const state = new ModuleState(join(ROOT, 'dist'));
	const entries = [...state.entries().values()].reduce((sum, count) => sum + count, 0);
	state.end();
	collectGarbage();
	await new Promise<void>((resolve) => setImmediate(resolve));
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	const ofProcess = process
		.eventNames()
		.reduce((sum, name) => sum + process.listenerCount(name), 0);
	return {
		heapBytes: heapUsed + external,
		codeBytes: codeBytes(),
		entries,
		timers: time.pending,
		listeners: ofProcess + v8.queryObjects(AbortSignal, { format: 'count' }),
		resources: process.getActiveResourcesInfo().length,
		storedBytes: life.storedBytes(),
	};
}

function codeBytes(): number {
	const spaces = v8.getHeapSpaceStatistics();
	const ofCode = spaces.filter(({ space_name: name }) => /code|trusted/.test(name));
	return ofCode.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
}

function rowsOf(name: string, ours: Lived, floor: Lived): Row[] {
	const samples = ours.samples.slice(FULL_AFTER_DAYS);
	const floorSamples = floor.samples.slice(FULL_AFTER_DAYS);
	const since = `at the end against day ${FULL_AFTER_DAYS + 1}`;
	/** How many more there are in the last week than in the first in which it was full. */
	const more = (what: string, part: keyof typeof MAX_MORE): Row => {
		const middle = (week: Sample[]): number => median(week.map((one) => one[part]));
		const moreOf = (all: Sample[]): number =>
			middle(all.slice(-WEEK_DAYS)) - middle(all.slice(0, WEEK_DAYS));
		return row({
			name: `${name}: ${what} in the last week against that from day ${FULL_AFTER_DAYS + 1}, beside an empty node`,
			value: moreOf(samples),
			unit: 'more',
			reference: moreOf(floorSamples),
			target: { of: 'value', most: MAX_MORE[part] },
		});
	};
	const storedKiB = Math.max(...samples.map(({ storedBytes }) => storedBytes)) / 1024;
	return [
		row({
			name: `${name}: with the result that was asked for, in spite of faults and stops`,
			value: ours.good,
			unit: 'of them',
			reference: ours.uses,
			target: { of: 'ratio', least: 0.5 },
		}),
		row({
			name: `${name}: heap after collection without compiled code, growth each, beside an empty node`,
			value: growthOf(samples, USES_A_DAY),
			unit: 'bytes',
			reference: growthOf(floorSamples, FLOOR_USES_A_DAY),
			target: { of: 'value', most: 25 },
		}),
		row({
			name: `${name}: compiled code, growth in all`,
			value: ((samples.at(-1)?.codeBytes ?? NaN) - (samples[0]?.codeBytes ?? NaN)) / 1024,
			unit: 'KiB',
		}),
		row({
			name: `${name}: entries kept, ${since}`,
			value: samples.at(-1)?.entries ?? NaN,
			unit: 'entries',
			reference: samples[0]?.entries ?? NaN,
			target: { of: 'ratio', most: 1.05 },
		}),
		more('timers', 'timers'),
		more('listeners and signals', 'listeners'),
		more('sockets and other resources', 'resources'),
		row({
			name: `${name}: warnings of too many listeners`,
			value: ours.warnings,
			unit: 'warnings',
			reference: floor.warnings,
			target: { of: 'value', most: 0 },
		}),
		...(storedKiB > 0 ? [storedRow(name, storedKiB)] : []),
	];
}

function storedRow(name: string, storedKiB: number): Row {
	return row({
		name: `${name}: stored with the workflow, most`,
		value: storedKiB,
		unit: 'KiB',
		target: { of: 'value', most: 150 },
	});
}

/** Bytes for each use. */
function growthOf(samples: readonly Sample[], usesADay: number): number {
	return slopeOf(samples.map((one) => one.heapBytes - one.codeBytes)) / usesADay;
}
