import type { IExecuteFunctions } from 'n8n-workflow';

import { count, named } from '../output/hintText';

/** Longest text of n8n's custom data that it takes without complaint (n8n-core 2.41). */
const CUSTOM_DATA_LENGTH = 255;

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
	const key = `webData_${name.replace(/[^\p{L}\p{N}]+/gu, '_')}`.slice(0, 50);
	try {
		const { $execution } = ctx.getWorkflowDataProxy(0);
		$execution.customData.set(key, customDataOf(collectWith, ids));
	} catch {
		// A courtesy: n8n's log has all of them.
	}
}

/** As many whole ids as n8n takes, and how many more there are. */
function customDataOf(collectWith: string, ids: readonly string[]): string {
	for (let shown = ids.length; shown > 0; shown--) {
		const more = shown < ids.length ? ` and ${ids.length - shown} more` : '';
		const text = `${collectWith}: ${ids.slice(0, shown).join(', ')}${more}`;
		if (text.length <= CUSTOM_DATA_LENGTH) return text;
	}
	return `${collectWith}: ${count(ids.length, 'job')}`;
}
