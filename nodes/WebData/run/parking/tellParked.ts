import type { IExecuteFunctions } from 'n8n-workflow';

import { count, named } from '../output/hintText';

/** Longest text of n8n's custom data that it takes without complaint (n8n-core 2.41). */
const CUSTOM_DATA_LENGTH = 255;
/** Longest key of them. */
const CUSTOM_KEY_LENGTH = 50;

/** What an execution is parked for. */
interface ParkedFor {
	/** What one of its jobs is called: `crawl`. */
	label: string;
	/** The operation that collects them: `Crawl · Get`. */
	collectWith: string;
	ids: readonly string[];
	/** When n8n goes on if no call comes. */
	until: Date;
}

/** A person finds the jobs in n8n's log and in the list of executions, whatever becomes of the wait. */
export function tellParked(
	ctx: IExecuteFunctions,
	{ label, collectWith, ids, until }: ParkedFor,
): void {
	const { name } = ctx.getNode();
	ctx.logger.info(
		`Execution ${ctx.getExecutionId()}, node "${name}": parked until the service calls or it is ${until.toISOString()}, for ${count(ids.length, label)}: ${named(ids)}`,
	);
	// n8n 1.123 takes ASCII alone, 2.41 the letters of any language (execution-metadata.js of n8n-core).
	for (const other of [/[^\p{L}\p{N}]+/gu, /\W+/g]) {
		const key = `webData_${name.replace(other, '_')}`.slice(0, CUSTOM_KEY_LENGTH);
		try {
			const { $execution } = ctx.getWorkflowDataProxy(0);
			$execution.customData.set(key, customDataOf(collectWith, ids));
			return;
		} catch {
			// A courtesy: n8n's log has all of them.
		}
	}
}

/** How to collect these jobs: as many whole ids as n8n takes, from the first on, and how many more there are. */
export function customDataOf(collectWith: string, ids: readonly string[]): string {
	let text = `${collectWith}: ${count(ids.length, 'job')}`;
	for (let shown = 1; shown <= ids.length; shown++) {
		const more = shown < ids.length ? ` and ${ids.length - shown} more` : '';
		const longer = `${collectWith}: ${ids.slice(0, shown).join(', ')}${more}`;
		if (longer.length > CUSTOM_DATA_LENGTH) break;
		text = longer;
	}
	return text;
}
