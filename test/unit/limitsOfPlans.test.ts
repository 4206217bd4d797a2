import { ServiceFailure } from '../../nodes/service/http/failure';
import { Limits } from '../../nodes/service/limits/limits';
import type { Ask, Attempt } from '../../nodes/service/limits/limits';
import { seededRandom } from '../../sandbox/runtime/runtime.ts';
import { oracleMs } from '../helpers/oracle';
import { VirtualTime } from './virtualTime';

/**
 * What the limiter makes of plans that it is not told of, without n8n and without HTTP: how long all takes against
 * somebody who knows the plan (`span`), how many requests are refused, and the longest wait of a small execution beside a
 * large one, in minutes. A rule without which no plan gets worse would not be in the limiter (docs/LIMITS.md).
 */
interface Row {
	span: number;
	refused: number;
	wait?: number;
}

interface Plan {
	perMinute?: number;
	atOnce?: number;
	retryAfter?: boolean;
}

const MINUTE_MS = 60_000;

/** A service with a plan, which counts minutes from the first request of each, and refused ones, too. */
class Service {
	refused = 0;

	running = 0;

	private minute = { endMs: 0, sent: 0 };

	constructor(
		readonly plan: Plan,
		private readonly time: VirtualTime,
	) {}

	/** Undefined where it lets one through. */
	refusal(isJob: boolean): ServiceFailure | undefined {
		const nowMs = this.time.now();
		const { perMinute = Infinity, atOnce = Infinity, retryAfter } = this.plan;
		if (nowMs >= this.minute.endMs) this.minute = { endMs: nowMs + MINUTE_MS, sent: 0 };
		this.minute.sent += 1;
		if (this.minute.sent <= perMinute && (!isJob || this.running < atOnce)) {
			if (isJob) this.running += 1;
			return undefined;
		}
		this.refused += 1;
		const retryAfterMs = retryAfter ? Math.ceil((this.minute.endMs - nowMs) / 1000) * 1000 : undefined;
		const facts = { kind: 'rateLimited', mayHaveExecuted: false, message: 'refused' } as const;
		return new ServiceFailure({ ...facts, ...(retryAfterMs !== undefined && { retryAfterMs }) });
	}
}

/** One clock, one service, and the processes that ask it. */
class World {
	readonly time: VirtualTime;

	readonly service: Service;

	private readonly random: () => number;

	constructor(seed: number, plan: Plan) {
		this.time = new VirtualTime(seed, 1_000_000);
		this.service = new Service({ ...plan }, this.time);
		this.random = seededRandom(seed + 1000);
	}

	/** Lengths in milliseconds between two bounds in seconds. */
	lengths(count: number, least: number, most: number): number[] {
		return Array.from({ length: count }, () => Math.round(1000 * (least + this.random() * (most - least))));
	}

	/** Starts a job when it is its turn; resolves when its end is seen. `faulty`: the share of starts that never arrive. */
	async job(limits: Limits, owner: string, lengthMs: number, faulty = 0): Promise<number> {
		const { time, service, random } = this;
		const ran = await limits.run(
			{ of: 'starts', bucket: 'crawl' },
			this.ask(owner),
			async (): Promise<Attempt<number>> => {
				const end = limits.sending('crawl');
				const onWayMs = 20 + random() * 60;
				await time.sleep(onWayMs);
				if (random() < faulty) {
					const failure = new ServiceFailure({ kind: 'connection', mayHaveExecuted: false, message: 'lost' });
					return { kind: 'again', atMs: time.now() + 1000, failure };
				}
				const failure = service.refusal(true);
				const beganMs = time.now();
				if (!failure) time.at(beganMs + lengthMs, () => void (service.running -= 1));
				await time.sleep(onWayMs);
				end(failure);
				return failure ? { kind: 'refused', failure } : { kind: 'holds', value: beganMs };
			},
		);
		if (!('value' in ran)) throw new Error('It had no turn.');
		const seenMs = ran.value + lengthMs + Math.min(5000, 300 + 0.05 * lengthMs * random());
		await time.sleep(Math.max(0, seenMs - time.now()));
		ran.lease?.end('ended');
		return time.now();
	}

	/** Calls when it is its turn; resolves when it is answered. */
	async call(limits: Limits, owner: string, workMs: number): Promise<number> {
		const { time, service, random } = this;
		await limits.run({ of: 'calls', bucket: 'scrape' }, this.ask(owner), async (): Promise<Attempt<number>> => {
			const end = limits.sending('scrape');
			const onWayMs = 20 + random() * 60;
			await time.sleep(onWayMs);
			const failure = service.refusal(false);
			await time.sleep(failure ? onWayMs : workMs + onWayMs);
			end(failure);
			return failure ? { kind: 'refused', failure } : { kind: 'done', value: 0 };
		});
		return time.now();
	}

	/** Calls of one execution, 50 of them on their way together. */
	async calls(limits: Limits, owner: string, worksMs: readonly number[]): Promise<number> {
		const queue = worksMs.values();
		const worker = async () => {
			for (const workMs of queue) await this.call(limits, owner, workMs);
		};
		await Promise.all(Array.from({ length: 50 }, worker));
		return this.time.now();
	}

	private ask(owner: string): Ask {
		const meter = { hold: () => undefined, release: () => undefined };
		return { owner, over: new AbortController().signal, sinceMs: this.time.now(), standstillMs: 1e12, meter };
	}
}

const latest = (endsMs: readonly number[]) => endsMs.reduce((last, endMs) => Math.max(last, endMs), 0);

/** Jobs of one execution, or of several in turn, all wanted at once. `change`: what the plan becomes, and when. */
async function jobs(
	seed: number,
	plan: Plan,
	[count, least, most]: [count: number, least: number, most: number],
	{ change, faulty, owners = 1 }: { change?: [atMs: number, plan: Plan]; faulty?: number; owners?: number } = {},
): Promise<Row> {
	const world = new World(seed, plan);
	const limits = new Limits(world.time);
	const [changeMs = Infinity, changed = plan] = change ?? [];
	if (change) world.time.at(changeMs, () => Object.assign(world.service.plan, changed));
	const lengths = world.lengths(count, least, most);
	const all = lengths.map(async (length, job) => await world.job(limits, `${job % owners}`, length, faulty));
	const spanMs = latest(await world.time.until(Promise.all(all)));
	const placesAt = (ms: number) => (ms < changeMs ? plan : changed).atOnce ?? Infinity;
	return { span: spanMs / oracleMs(lengths, placesAt, plan.perMinute, changeMs), refused: world.service.refused };
}

/** Processes that know nothing of each other. */
async function processes(seed: number): Promise<Row> {
	const world = new World(seed, { atOnce: 10 });
	const own = Array.from({ length: 4 }, () => new Limits(world.time));
	const lengths = world.lengths(100, 20, 40);
	const all = own.map(async (limits, process) => {
		const mine = lengths.filter((_length, job) => job % 4 === process);
		return latest(await Promise.all(mine.map(async (length) => await world.job(limits, 'one', length))));
	});
	const endsMs = await world.time.until(Promise.all(all));
	// The unfairness between them stands for the wait.
	const wait = latest(endsMs) / Math.min(...endsMs);
	return { span: latest(endsMs) / oracleMs(lengths, () => 10), refused: world.service.refused, wait };
}

/** Calls of several executions; `bestMs`: the least that the plan takes for them. */
async function calls(
	seed: number,
	plan: Plan,
	[parts, least, most]: [parts: number[], least: number, most: number],
	bestMs: number,
	change?: [atMs: number, plan: Plan],
): Promise<Row> {
	const world = new World(seed, plan);
	const limits = new Limits(world.time);
	if (change) world.time.at(change[0], () => Object.assign(world.service.plan, change[1]));
	const all = parts.map(
		async (count, execution) => await world.calls(limits, `${execution}`, world.lengths(count, least, most)),
	);
	const endsMs = await world.time.until(Promise.all(all));
	return { span: latest(endsMs) / bestMs, refused: world.service.refused };
}

/** Small executions, each with one call or job, that come while a large one is at work. */
async function beside(seed: number, kind: 'calls' | 'jobs'): Promise<Row> {
	const isCalls = kind === 'calls';
	const world = new World(seed, isCalls ? { perMinute: 100 } : { atOnce: 2 });
	const limits = new Limits(world.time);
	const { time } = world;
	const works = isCalls ? world.lengths(1000, 1, 5) : world.lengths(30, 30, 120);
	const large = isCalls
		? world.calls(limits, 'large', works)
		: Promise.all(works.map(async (length) => await world.job(limits, 'large', length))).then(latest);
	const small = world.lengths(isCalls ? 50 : 5, 20, 500).map(async (fromMs, execution) => {
		await time.sleep(fromMs);
		const owner = `small ${execution}`;
		const endMs = await (isCalls ? world.call(limits, owner, 2000) : world.job(limits, owner, 10_000));
		return (endMs - fromMs) / MINUTE_MS;
	});
	const [spanMs, ...waits] = await time.until(Promise.all([large, ...small]));
	const bestMs = isCalls ? 10 * MINUTE_MS : oracleMs(works, () => 2);
	return { span: (spanMs ?? 0) / bestMs, refused: world.service.refused, wait: latest(waits) };
}

/** How often a burst is refused, after so many single jobs before it. */
async function burst(seed: number, singles: number): Promise<Row> {
	const world = new World(seed, { atOnce: 10 });
	const limits = new Limits(world.time);
	const { time } = world;
	const run = async () => {
		for (let single = 0; single < singles; single++) {
			await world.job(limits, 'single', 5000);
			await time.sleep(5 * MINUTE_MS);
		}
		const beganMs = time.now();
		const lengths = world.lengths(60, 5, 5);
		const ends = lengths.map(async (length) => await world.job(limits, 'burst', length));
		return (latest(await Promise.all(ends)) - beganMs) / oracleMs(lengths, () => 10);
	};
	return { span: await time.until(run()), refused: world.service.refused };
}

/** The plans, and the most that each may come to: span, refused, wait. Means of three seeds. */
const ROWS: Array<[name: string, most: number[], run: (seed: number) => Promise<Row>]> = [
	['2 at once', [1.05, 489], async (seed) => await jobs(seed, { atOnce: 2 }, [50, 30, 600])],
	[
		'10 at once, Retry-After',
		[1.05, 157],
		async (seed) => await jobs(seed, { atOnce: 10, retryAfter: true }, [100, 30, 600]),
	],
	['10 starts a minute', [1.05, 92], async (seed) => await jobs(seed, { perMinute: 10 }, [100, 30, 600])],
	[
		'Free: 2 at once, 2 starts a minute',
		[1.06, 122],
		async (seed) => await jobs(seed, { atOnce: 2, perMinute: 2, retryAfter: true }, [30, 30, 600]),
	],
	[
		'50 at once, 100 starts a minute',
		[1.05, 424],
		async (seed) => await jobs(seed, { atOnce: 50, perMinute: 100 }, [300, 30, 300]),
	],
	[
		'50 at once, 10 starts a minute',
		[1.09, 207],
		async (seed) => await jobs(seed, { atOnce: 50, perMinute: 10 }, [150, 200, 600]),
	],
	['short jobs', [1.1, 145], async (seed) => await jobs(seed, { atOnce: 10 }, [200, 3, 8])],
	[
		'lowered from 50 to 5 at once',
		[1.08, 298],
		async (seed) => await jobs(seed, { atOnce: 50 }, [120, 60, 300], { change: [3 * MINUTE_MS, { atOnce: 5 }] }),
	],
	[
		'raised from 3 to 50 at once',
		[1.06, 207],
		async (seed) => await jobs(seed, { atOnce: 3 }, [150, 60, 300], { change: [5 * MINUTE_MS, { atOnce: 50 }] }),
	],
	[
		'a tenth of the starts is lost',
		[1.06, 259],
		async (seed) => await jobs(seed, { atOnce: 10, perMinute: 30 }, [100, 30, 300], { faulty: 0.1 }),
	],
	[
		'8 executions',
		[1.03, 222],
		async (seed) => await jobs(seed, { atOnce: 5, perMinute: 20, retryAfter: true }, [100, 30, 600], { owners: 8 }),
	],
	['4 processes', [1.06, 230, 1.92], async (seed) => await processes(seed)],
	[
		'60 calls, 10 a minute',
		[1.08, 43],
		async (seed) => await calls(seed, { perMinute: 10 }, [[60], 2, 2], 5 * MINUTE_MS),
	],
	[
		'60 calls, 10 a minute, Retry-After',
		[1.07, 24],
		async (seed) => await calls(seed, { perMinute: 10, retryAfter: true }, [[60], 2, 2], 5 * MINUTE_MS),
	],
	[
		'slow calls, 100 a minute',
		[1.27, 9],
		async (seed) => await calls(seed, { perMinute: 100 }, [[200, 200, 200], 20, 40], 5.5 * MINUTE_MS),
	],
	[
		'slow calls, 20 a minute, Retry-After',
		[1.16, 10],
		async (seed) => await calls(seed, { perMinute: 20, retryAfter: true }, [[100, 20], 20, 40], 5.5 * MINUTE_MS),
	],
	[
		'fast calls, 500 a minute',
		[1.13, 24],
		async (seed) => await calls(seed, { perMinute: 500 }, [[1000, 1000], 1, 3], 3 * MINUTE_MS),
	],
	[
		'calls raised from 10 to 500 a minute',
		[1.07, 43],
		async (seed) =>
			await calls(seed, { perMinute: 10 }, [[600, 600], 2, 4], 7 * MINUTE_MS, [5 * MINUTE_MS, { perMinute: 500 }]),
	],
	['50 small executions beside 1,000 calls', [1.08, 63, 0.85], async (seed) => await beside(seed, 'calls')],
	['5 small executions beside 30 jobs', [1.09, 156, 1.39], async (seed) => await beside(seed, 'jobs')],
	['a burst after a day of single jobs', [1.16, 16], async (seed) => await burst(seed, 288)],
];

it.each(ROWS)('%s', async (_name, most, run) => {
	const rows = [await run(1), await run(2), await run(3)];
	const mean = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
	const means = [mean(({ span }) => span), mean(({ refused }) => refused), mean(({ wait = 0 }) => wait)];
	const over = most.flatMap((bound, which) => ((means[which] ?? 0) > bound ? [means[which]] : []));
	expect([over, most]).toEqual([[], most]);
});
