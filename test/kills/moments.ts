import { setTimeout as delay } from 'node:timers/promises';
import pWaitFor from 'p-wait-for';
import { seededRandom } from '../../sandbox/runtime/runtime.ts';
import type { Random } from '../../sandbox/runtime/runtime.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { readLog } from './stored.ts';

/** Moments of the course at which n8n is killed, by what is seen at the service and in n8n's log. */
const MOMENTS = [
	'before the starts',
	'a start on its way',
	'a start accepted',
	'the last start named',
	'while it waits',
	'while it looks',
	'anywhere',
] as const;
type Moment = (typeof MOMENTS)[number];

/** From the event that is waited for to the kill, at most; drawn evenly. */
const SPREAD_MS: Readonly<Record<Moment, readonly [number, number]>> = {
	'before the starts': [0, 400],
	'a start on its way': [0, 200],
	'a start accepted': [0, 700],
	'the last start named': [0, 60],
	'while it waits': [1000, 8000],
	'while it looks': [0, 600],
	anywhere: [0, 15_000],
};

/** An event that does not come kills all the same. */
const LONGEST_MS = 80_000;
const LOOK_EVERY_MS = 3;

export interface Kill {
	moment: Moment;
	delayMs: number;
}

/** As many kills, every moment as often as the others, in an order and with delays of the seed. */
export function drawKills(rounds: number, seed: number): Kill[] {
	const random = seededRandom(seed);
	const moments: Moment[] = [];
	while (moments.length < rounds) moments.push(...shuffled(MOMENTS, random));
	return moments.slice(0, rounds).map((moment) => {
		const [least, most] = SPREAD_MS[moment];
		return { moment, delayMs: Math.round(least + (most - least) * random()) };
	});
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
	const left = [...all];
	return all.map(() => left.splice(Math.floor(random() * left.length), 1)).flat();
}

/** Where it is seen that the moment has come. */
interface Watched {
	sandbox: Sandbox;
	questions: readonly string[];
	logFile: string;
}

/** Waits for the moment, counted from now, when the execution with these questions is started. */
export async function untilMoment({ moment, delayMs }: Kill, { sandbox, questions, logFile }: Watched): Promise<void> {
	const before = sandbox.stats().calls;
	const jobs = () => sandbox.stats().starts.list.filter(({ query }) => questions.includes(query));
	const accepted = () => jobs().length;
	const named = () => {
		if (accepted() < questions.length) return 0;
		const { started } = readLog(logFile);
		return jobs().filter(({ id }) => started.some(({ jobId }) => jobId === id)).length;
	};
	const more = (step: 'researchStart' | 'researchStatus') => (sandbox.stats().calls[step] ?? 0) > (before[step] ?? 0);
	const events: Record<Moment, () => boolean> = {
		'before the starts': () => true,
		'a start on its way': () => more('researchStart'),
		'a start accepted': () => accepted() > 0,
		'the last start named': () => named() === questions.length,
		'while it waits': () => accepted() === questions.length,
		'while it looks': () => more('researchStatus'),
		anywhere: () => true,
	};
	await pWaitFor(events[moment], {
		interval: LOOK_EVERY_MS,
		timeout: { milliseconds: LONGEST_MS, fallback: () => undefined },
	});
	await delay(delayMs);
}
