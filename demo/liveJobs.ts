import type { IRunExecutionData } from 'n8n-workflow';

/** A job that a running execution has started and still waits for. */
export interface LiveJob {
	id: string;
	/** Position of the input item it belongs to, from 0. */
	item: number;
}

/**
 * The jobs a node has started so far, read from the memory it keeps in the execution's own data, where
 * it also finds them again after a retry.
 */
export function liveJobs(live: IRunExecutionData, nodeName: string): LiveJob[] {
	const ledger: unknown = live.executionData?.contextData[`node:${nodeName}`]?.webDataJobs;
	if (!isRecord(ledger)) return [];
	return Object.values(ledger).flatMap((entry) =>
		isRecord(entry) && typeof entry.id === 'string'
			? [{ id: entry.id, item: typeof entry.item === 'number' ? entry.item : 0 }]
			: [],
	);
}

/** Whether a value is an object whose members may be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
