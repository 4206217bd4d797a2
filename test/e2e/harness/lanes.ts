import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../tools/n8n/project.ts';

/** Files that run one after the other, beside those of the other lane. */
export interface Lane {
	name: string;
	files: string[];
}

/**
 * Two lanes: the files that share one n8n per line, and those that start, kill and change their own. Neither keeps two
 * cores busy. The first takes less time in CI, so those about memories, which only wait, are with it.
 */
export function lanesOf(files: readonly string[]): Lane[] {
	const shares = (file: string): boolean => /\b(sharedProduct|openMemoryWorld)\b/.test(readFileSync(file, 'utf8'));
	const lanes = [
		{ name: 'shared', files: files.filter(shares) },
		{ name: 'own', files: files.filter((file) => !shares(file)) },
	];
	return lanes.filter((lane) => lane.files.length > 0);
}

/** Tests of a lane, as CI reads them. */
export interface Counts {
	passed: number;
	failed: number;
}

function resultFile(lane: string): string {
	return path.join(projectRoot(), '.test-results', `e2e-${lane}.json`);
}

/** Forgets what an earlier run has left: a lane that dies has no totals. */
export function forgetTotals({ name }: Lane): void {
	rmSync(resultFile(name), { force: true });
}

/** Leaves the totals of a lane for CI. */
export function writeTotals(lane: string, totals: Counts): void {
	const file = resultFile(lane);
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(totals));
}

/** The totals that a lane has left; one that left none has failed. */
export function readTotals({ name }: Lane): Counts {
	try {
		return JSON.parse(readFileSync(resultFile(name), 'utf8')) as Counts;
	} catch {
		return { passed: 0, failed: 1 };
	}
}
