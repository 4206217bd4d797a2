import { minuteOf } from '../../operation/operation';
import { withoutUsers } from '../../service/secrets';
import { count } from '../../text/amounts';
import type { RunContext } from '../connection/runContext';

/** The totals of a run of a job operation. */
export interface RunTotals {
	/** Input items, and those of them without a result. */
	items: number;
	failed: number;
	started: number;
	/** Jobs whose result is returned, and those of them that ended well. */
	ended: number;
	finished: number;
	/** Sum of what the jobs used whose result is returned, and how much of it that is. */
	used: number;
	putOut: number;
	usageUnit: readonly [one: string, many: string];
	/** Undefined when the service does not tell what it cost. */
	credits: number | undefined;
	/** Starts without a clear answer, and their worst case together: Infinity where one has no bound. */
	open: { starts: number; credits: number };
	/** ISO date of the first result to expire. */
	expiresAt: string | undefined;
	/** Of the workflow: `Europe/Berlin`. Times are told in it. */
	timeZone: string;
	throttledSeconds: number;
	/** `Deep Research · Get` */
	collectWith: string;
}

/** The summary of a run of jobs: results, costs, and what held it up; empty where nothing was done. */
export function jobSummary(totals: RunTotals): string {
	const { ended, started, failed, expiresAt, timeZone } = totals;
	if (ended + started + failed === 0) return '';
	const expiry = expiresAt === undefined ? undefined : minuteOf(expiresAt, timeZone);
	const expires = expiry !== undefined && ended > 0 ? `Results expire on ${expiry} (${timeZone}).` : '';
	return sentences([summaryText([jobsText(totals), openText(totals)], totals), expires]);
}

/** What is not in the costs, and may belong there. */
function openText({ open: { starts, credits } }: RunTotals): string {
	if (starts === 0) return '';
	const most = Number.isFinite(credits) ? ` up to ${count(credits, 'credit')} more` : ' more';
	return `${count(starts, 'start')} got no clear answer, and may have cost${most}.`;
}

function jobsText(totals: RunTotals): string {
	const { started, ended, finished, used, putOut, usageUnit, credits, collectWith } = totals;
	if (ended === 0 && started === 0) return '';
	if (ended === 0) {
		return `${count(started, 'job')} started. Collect the results with ${collectWith}.`;
	}
	const [one, many] = usageUnit;
	const early = ended - finished;
	const jobs = [
		...(finished > 0 ? [`${count(finished, 'job')} finished`] : []),
		...(early > 0 ? [`${count(early, 'job')} ended early`] : []),
	].join(', ');
	const part = putOut < used ? `${putOut} of ${used} ${many}` : count(putOut, one, many);
	return `${jobs}, ${part}${costText(credits)}.`;
}

/** `3 of 5 items failed.`; empty when none did. */
export function failedText(failed: number, items: number): string {
	if (failed === 0) return '';
	return items === 1 ? 'The item failed.' : `${failed} of ${items} items failed.`;
}

/** ` (= 3 credits)`; empty where nobody tells what it cost. */
export function costText(credits: number | undefined): string {
	return credits === undefined ? '' : ` (= ${count(credits, 'credit')})`;
}

/** The texts that say something, one behind the other. */
export function sentences(texts: string[]): string {
	return texts.filter((text) => text !== '').join(' ');
}

/** The summary at the end of every run: its results, its failures and its delays. */
export function summaryText(
	texts: string[],
	{ failed, items, throttledSeconds }: { failed: number; items: number; throttledSeconds: number },
): string {
	const throttled = throttledSeconds > 0 ? `Rate limits made it wait ${throttledSeconds} s.` : '';
	return sentences([...texts, failedText(failed, items), throttled]);
}

/** `a crawl`, `an agent job`, `an LLMs.txt job`: as it is spoken. */
export function withArticle(label: string): string {
	return `${/^([aeiou]|LLM)/i.test(label) ? 'an' : 'a'} ${label}`;
}

/**
 * Writes into n8n's log what happens for an item. When a worker is killed, n8n throws away all it knew about
 * the execution (n8n 2.40, processError in workflow-runner.js): its log is then the only place that names
 * what was started. What is sent stands there before its answer comes, so that no line means: nothing was
 * started.
 */
export function logForItem(ctx: RunContext, item: number, what: string): void {
	ctx.logger.info(`${placeOf(ctx)}, item ${item}: ${withoutUsers(what)}`);
}

/** The same for what happens to all items at once. */
export function logForExecution(ctx: RunContext, what: string): void {
	ctx.logger.info(`${placeOf(ctx)}: ${withoutUsers(what)}`);
}

function placeOf(ctx: RunContext): string {
	return `Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}"`;
}
