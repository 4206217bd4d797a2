import type { NodeExecutionHint } from 'n8n-workflow';

/** What a run of a job operation came to. */
export interface RunTotals {
	started: number;
	finished: number;
	/** Jobs of an earlier try that were taken up instead of started again. */
	attached: number;
	/** Ids of jobs of an earlier try that were gone and were started anew. */
	startedAnew: string[];
	/** Sum of what the finished jobs used; one costs one credit. */
	used: number;
	usageUnit: string;
	/** ISO date of the first result to expire. */
	expiresAt: string | undefined;
	heldSeconds: number;
	/** `Deep Research · Get` */
	collectWith: string;
}

/** The hints under the output after a run: what it cost, what held it up, what happened to old jobs. */
export function runHints(totals: RunTotals): NodeExecutionHint[] {
	const hints: NodeExecutionHint[] = [];
	const summary = [jobsText(totals)];
	if (totals.heldSeconds > 0) {
		summary.push(`Rate limits made it wait ${totals.heldSeconds} s.`);
	}
	if (totals.expiresAt !== undefined && totals.finished > 0) {
		summary.push(`Results expire at ${dateText(totals.expiresAt)}.`);
	}
	if (totals.finished + totals.started > 0) hints.push(hint(summary.join(' ')));
	if (totals.attached > 0) {
		hints.push(
			hint(
				`${count(totals.attached, 'job')} of an earlier try of this execution ${totals.attached === 1 ? 'was' : 'were'} taken up instead of started and paid for again.`,
			),
		);
	}
	if (totals.startedAnew.length > 0) {
		hints.push(
			hint(
				`The service no longer knew ${count(totals.startedAnew.length, 'job')} of an earlier try (${totals.startedAnew.slice(0, 5).join(', ')}), so the work was started anew and is paid for again.`,
				'warning',
			),
		);
	}
	return hints;
}

function jobsText({ started, finished, used, usageUnit, collectWith }: RunTotals): string {
	if (finished === 0) {
		return `${count(started, 'job')} started. Collect the results with ${collectWith}.`;
	}
	return `${count(finished, 'job')} finished, ${used} ${usageUnit} (= ${count(used, 'credit')}).`;
}

function dateText(iso: string): string {
	const date = new Date(iso);
	if (Number.isNaN(date.getTime())) return iso.slice(0, 40);
	return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function count(amount: number, thing: string): string {
	return `${amount} ${thing}${amount === 1 ? '' : 's'}`;
}

function hint(message: string, type: NodeExecutionHint['type'] = 'info'): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}
