import { oneBesideMany } from '../unit/oneBesideMany.ts';
import { row } from './row.ts';
import type { Measure } from './benchmark.ts';
import type { Row } from './row.ts';

/** In virtual time: a single job joins while 400 of another execution are at work on two places or wait. */
export const measure: Measure = async () => {
	const rows: Row[] = [];
	for (const retryAfter of [false, true]) {
		for (const joinsAtMs of [600_000, 1_000_000]) {
			const { tookMs, fairMs } = await oneBesideMany(2, joinsAtMs, { retryAfter });
			rows.push(
				row({
					name: `one job beside 400 on 2 at once, after ${joinsAtMs / 1000} s${retryAfter ? ', Retry-After' : ''}`,
					value: tookMs / 1000,
					unit: 's',
					reference: fairMs / 1000,
					target: { of: 'ratio', most: 2 },
				}),
			);
		}
	}
	return rows;
};
