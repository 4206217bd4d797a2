import { ServiceClient } from '../../nodes/service/limits/client';
import { Secrets } from '../../nodes/service/secrets';
import { SharedLimits } from '../../nodes/service/limits/limits';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import { noEvents, researchTask } from '../unit/researchTask.ts';
import { seededRandom } from '../unit/seededRandom.ts';
import { SimulatedService } from '../unit/simulatedService.ts';
import { VirtualTime } from '../unit/virtualTime.ts';
import { row } from './row.ts';
import { mean } from './statistics.ts';
import type { Measure, Row } from './row.ts';

const [SHORTEST_S, LONGEST_S] = [5, 600];
const JOBS_PER_BAND = 60;
const FIXED_S = [1, 2, 5, 10];
/** Upper ends of the bands of job lengths that are compared, in seconds. */
const BANDS_S = [20, 60, 180, LONGEST_S];

interface Look {
	/** From done to seen. */
	lagS: number;
	polls: number;
}

/**
 * In virtual time, over jobs of 5 s to 10 min: how long from done to seen, and how many looks that took.
 */
export const measure: Measure = async () => {
	const lengthsS = jobLengthsS();
	const automatic = await looksAt(lengthsS, null);
	const rows: Row[] = [
		row({ name: 'lag, automatic', value: lagOf(automatic), unit: 's' }),
		row({ name: 'polls, automatic', value: pollsOf(automatic), unit: 'a job' }),
		row({
			name: 'lag, automatic: worst share of the length, from 20 s on',
			value: Math.max(...sharesOf(automatic, lengthsS).slice(JOBS_PER_BAND)) * 100,
			unit: '%',
			target: { of: 'value', most: 5.5 },
		}),
	];
	let beaten = 0;
	for (const intervalS of FIXED_S) {
		const fixed = await looksAt(lengthsS, intervalS);
		const name = `every ${intervalS} s`;
		rows.push(
			row({
				name: `lag, automatic against ${name}`,
				value: lagOf(automatic),
				unit: 's',
				reference: lagOf(fixed),
			}),
			row({
				name: `lag as a share of the length, automatic against ${name}`,
				value: mean(sharesOf(automatic, lengthsS)) * 100,
				unit: '%',
				reference: mean(sharesOf(fixed, lengthsS)) * 100,
			}),
			row({
				name: `polls, automatic against ${name}`,
				value: pollsOf(automatic),
				unit: 'a job',
				reference: pollsOf(fixed),
			}),
		);
		if (isBetter(fixed, automatic)) beaten += 1;
	}
	rows.push(
		row({
			name: 'fixed intervals better in both',
			value: beaten,
			unit: `of ${FIXED_S.length}`,
			target: { of: 'value', most: 0 },
		}),
	);
	return rows;
};

/** As many in each band, band after band, in each from short to long with some chance. */
function jobLengthsS(): number[] {
	const random = seededRandom(11);
	return BANDS_S.flatMap((most, band) => {
		const least = BANDS_S[band - 1] ?? SHORTEST_S;
		return Array.from({ length: JOBS_PER_BAND }, () => least * (most / least) ** random());
	});
}

async function looksAt(lengthsS: number[], intervalS: number | null): Promise<Look[]> {
	const time = new VirtualTime(1, Infinity);
	const durationMs = (query: string) => 1000 * (lengthsS[itemOf(query)] ?? 0);
	const service = new SimulatedService({ time, durationMs });
	const baseUrl = 'https://service.example';
	const limits = new SharedLimits();
	const client = new ServiceClient({
		secrets: new Secrets(''),
		http: service.http(),
		baseUrl,
		limits,
		time,
	});
	const interval = intervalS === null ? null : intervalS * 1000;
	const seenMs: number[] = [];
	const run = runJobs(
		lengthsS.map((_length, item) => researchTask(item, { interval })),
		{
			concurrency: lengthsS.length,
			stopsTheRun: (_outcome, { item }) => {
				seenMs[item] = time.now();
				return false;
			},
			events: noEvents,
		},
		client,
	);
	await time.until(run);
	const polls = lengthsS.map(() => 0);
	for (const { kind, query } of service.seen) {
		if (kind === 'poll') polls[itemOf(query)] = (polls[itemOf(query)] ?? 0) + 1;
	}
	return [...service.jobs.values()]
		.map(({ query, endsAtMs }) => {
			const item = itemOf(query);
			return { lagS: ((seenMs[item] ?? NaN) - endsAtMs) / 1000, polls: polls[item] ?? 0, item };
		})
		.sort((left, right) => left.item - right.item);
}

const itemOf = (query: string): number => Number(query.split(' ')[1]);

const lagOf = (looks: Look[]): number => mean(looks.map(({ lagS }) => lagS));

const pollsOf = (looks: Look[]): number => mean(looks.map(({ polls }) => polls));

function sharesOf(looks: Look[], lengthsS: number[]): number[] {
	return looks.map(({ lagS }, item) => lagS / (lengthsS[item] ?? NaN));
}

function isBetter(one: Look[], other: Look[]): boolean {
	return lagOf(one) <= lagOf(other) && pollsOf(one) <= pollsOf(other);
}
