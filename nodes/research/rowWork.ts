import { PageReader } from './claims/readPage';
import type { RowParts } from './contract/parts';
import { readPages } from './readPages';
import { decideCells } from './row/decideCells';
import type { Row } from './row/columns';
import { cellsForm } from './row/readCells';
import type { RunState } from './runState';
import type { Candidate } from './select';

/** A row while it is filled. */
export interface RowWork {
	run: RunState;
	row: Row;
	parts: RowParts;
	/** Numbers of columns that are not looked for now: nobody knows whether their earlier value still stands. */
	waiting: ReadonlySet<number>;
}

/** Numbers of the columns that have no value yet, from 1. */
export function openColumns({ run, row, waiting }: RowWork): Set<number> {
	const cells = decideCells(row, run.claims, run.pages);
	return new Set(cells.flatMap(({ value }, index) => (value === null && !waiting.has(index + 1) ? [index + 1] : [])));
}

/** Reads pages for columns, by these numbers. */
export function readerFor({ run, row }: RowWork, open: ReadonlySet<number>): PageReader {
	const judges = run.question.verification === 'support';
	return new PageReader(run.model, cellsForm({ row, open, judges }, run.model), run.question.maxPieceCharacters);
}

/** Reads pages for the columns that are open. */
export async function readFor(work: RowWork, open: ReadonlySet<number>, pages: Candidate[]): Promise<void> {
	const reader = readerFor(work, open);
	await readPages(work.run, reader, pages);
	if (reader.hasAnswered) work.run.isPlanned = true;
}
