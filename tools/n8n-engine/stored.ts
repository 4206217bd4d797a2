import { parse, stringify } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import { migrateRunExecutionData } from './n8n.ts';

/**
 * The data of an execution as n8n writes it into its database: flatted, a JSON that keeps references.
 * What JSON drops (functions, class names of errors, undefined) is dropped here too.
 * Source: packages/@n8n/db execution.repository.ts, n8n 2.40.
 */
export function toStored(data: IRunExecutionData): string {
	return stringify(data);
}

/** Reads back what toStored wrote, as n8n does before a retry or after a wait. */
export function fromStored(stored: string): IRunExecutionData {
	return migrateRunExecutionData(parse(stored) as IRunExecutionData);
}
