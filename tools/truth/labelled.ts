import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { compareFigures } from '../../nodes/research/claims/figures';
import type { Rates } from './rates';

interface Labelled {
	label: string;
	claim: string;
	evidence: string[];
}

/**
 * Claims with evidence that people have labelled (WiCE's form; others bring theirs into it): what code alone says of
 * them. It may refuse no claim that is supported; what it catches of the others spares the judge.
 */
export function measureLabelled(folder: string, rates: Rates): void {
	for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
		const name = path.basename(file, '.jsonl');
		for (const line of readFileSync(path.join(folder, file), 'utf8').split('\n').filter(Boolean)) {
			const { label, claim, evidence } = JSON.parse(line) as Labelled;
			if (!/\p{Nd}/u.test(claim)) continue;
			const { different } = compareFigures(claim, [evidence.join('\n')]);
			const example = `${claim} (${different.join(', ')})`;
			if (label === 'supported')
				rates.count(name, 'supported claims not refused by code', different.length === 0, example);
			else if (label === 'not_supported')
				rates.count(name, 'unsupported claims refused by code', different.length > 0, claim);
		}
	}
}
