import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../tools/n8n/project.ts';

/** Files that run one after the other, beside those of the other lanes. */
export interface Lane {
	name: string;
	files: string[];
}

/**
 * Three lanes: the files that share one n8n per line, and in two halves those that start, kill and change their own. They
 * mostly wait: all three keep two cores busy for the time that the longest takes.
 */
export function lanesOf(files: readonly string[]): Lane[] {
	const shares = (file: string): boolean => /\b(sharedProduct|openMemoryWorld)\b/.test(readFileSync(file, 'utf8'));
	const own = files.filter((file) => !shares(file));
	const half = Math.floor(own.length / 2);
	const lanes = [
		{ name: 'shared', files: files.filter(shares) },
		{ name: 'own', files: own.slice(0, half) },
		{ name: 'own-2', files: own.slice(half) },
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
