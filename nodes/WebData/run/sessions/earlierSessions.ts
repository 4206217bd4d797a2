import type { IExecuteFunctions } from 'n8n-workflow';

import { closeSession } from '../../../service/sessions/closeSession';
import { findEarlierSession, findKilledSessions } from '../../../service/sessions/findStray';
import type { StrayFinding } from '../../../service/sessions/findStray';
import type { NamedEntry } from '../../../service/sessions/sessionLedger';
import { beginningOf, isAfterCrash } from '../jobs/crashRecovery';
import { count, named } from '../output/hintText';
import type { SessionRun } from './sessionRun';

const DAY_MS = 24 * 3_600_000;

/**
 * Closes what an earlier try of this execution has left open, before this one opens others: what is in the
 * memory, and what n8n was killed over. `items`: how many that can be. Never throws.
 */
export async function closeEarlier(
	ctx: IExecuteFunctions,
	items: number,
	run: SessionRun,
): Promise<void> {
	await closeLeft(run.memory.left, run);
	if (!isAfterCrash(ctx)) return;
	const sinceAgoMs = Date.now() - (beginningOf(ctx) ?? Date.now() - DAY_MS);
	const { register, client, totals } = run;
	const finding = await findKilledSessions({ sinceAgoMs, most: items }, register, client);
	await closeFound(finding, run);
	if (finding.kind === 'several' || finding.kind === 'doubt') {
		totals.remarks.add(
			`n8n was ended while this node ran. The service lists ${count(finding.ids.length, 'open session')} that it may have opened or somebody else: ${named(finding.ids)}. None was closed; they end by themselves when nothing is done in them.`,
		);
	}
	if (finding.kind === 'unknown') {
		totals.remarks.add(
			'n8n was ended while this node ran, and the list of open sessions could not be had: one that was left open ends by itself when nothing is done in it.',
		);
	}
}

/** Closes these entries of the memory; one without an id is looked for. */
export async function closeLeft(left: readonly NamedEntry[], run: SessionRun): Promise<void> {
	const { memory, register, client, totals } = run;
	await Promise.all(
		left.map(async ({ key, entry: { id, sentAt } }) => {
			if (id !== undefined) {
				register.know(id, client.time.now());
				if (await close(id, run)) memory.forget(key);
				return;
			}
			const finding = await findEarlierSession(Date.now() - sentAt, register, client);
			const isCleared = await closeFound(finding, run);
			if (isCleared) memory.forget(key);
			if (finding.kind === 'several') {
				totals.remarks.add(
					`The service lists open sessions of which one may be left of an earlier try: ${named(finding.ids)}. None was closed, because they may be in use.`,
				);
			}
		}),
	);
}

/** True when nothing of it is open any more. */
async function closeFound(finding: StrayFinding, run: SessionRun): Promise<boolean> {
	if (finding.kind !== 'found') return finding.kind === 'none';
	const { register, client } = run;
	for (const id of finding.ids) register.know(id, client.time.now());
	const closed = await Promise.all(finding.ids.map(async (id) => await close(id, run)));
	return closed.every((isClosed) => isClosed);
}

async function close(id: string, { client, totals }: SessionRun): Promise<boolean> {
	const closing = await closeSession(id, client);
	if (closing.kind === 'closed') totals.noteClosed(id, closing.answer, totals.earlierIds);
	else totals.openIds.push(id);
	return closing.kind === 'closed';
}
