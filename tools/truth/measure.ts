import { existsSync } from 'node:fs';
import path from 'node:path';

import { measureLabelled } from './labelled';
import { seededRandom } from '../../sandbox/runtime/runtime';
import { Rates } from './rates';
import { measureSentences } from './sentences';
import { measureValues } from './values';
import { measureWeeks } from './weeks';

/** Measures all that a folder has of `sentences`, `labelled` and `weeks`. The seed chooses words and figures to change. */
export async function measure(folder: string, seed: number): Promise<Rates> {
	const rates = new Rates();
	const has = (name: string): boolean => existsSync(path.join(folder, name));
	if (has('sentences')) await measureSentences(path.join(folder, 'sentences'), rates, seededRandom(seed));
	if (has('labelled')) measureLabelled(path.join(folder, 'labelled'), rates);
	if (has('weeks')) measureValues(path.join(folder, 'weeks'), rates, seededRandom(seed));
	if (has('weeks')) await measureWeeks(path.join(folder, 'weeks'), rates);
	return rates;
}
