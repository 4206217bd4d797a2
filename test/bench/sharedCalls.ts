import { manyCalls, oracleCallsMs } from '../unit/manyCalls.ts';
import { row } from './row.ts';
import type { Measure } from './benchmark.ts';
import type { Row } from './row.ts';

const EXECUTIONS = 150;
const PER_MINUTE = 10;

/** In virtual time: 150 executions of one scrape each, at the same moment, on a plan of 10 a minute. */
export const measure: Measure = async () => {
	const rows: Row[] = [];
	for (const retryAfter of [false, true]) {
		const { answered, requests, tookMs } = await manyCalls({
			executions: Array<number>(EXECUTIONS).fill(1),
			perMinute: PER_MINUTE,
			retryAfter,
		});
		const name = `150 executions of one scrape on 10 a minute${retryAfter ? ', Retry-After' : ''}`;
		rows.push(
			row({
				name,
				value: tookMs / 1000,
				unit: 's',
				reference: oracleCallsMs(EXECUTIONS, PER_MINUTE) / 1000,
				target: { of: 'ratio', most: 1.1 },
			}),
			row({
				name: `${name}: results`,
				value: answered.reduce((sum, count) => sum + count, 0),
				unit: 'results',
				reference: EXECUTIONS,
				target: { of: 'ratio', least: 1, most: 1 },
			}),
			row({
				name: `${name}: requests`,
				value: requests,
				unit: 'requests',
				reference: EXECUTIONS,
				target: { of: 'ratio', most: 2 },
			}),
		);
	}
	return rows;
};
