import { isPublicHost } from '../output/publicAddress';
import { itemsOf } from '../jobs/jobPlan';
import type { JobOperation, JobPlan } from '../jobs/jobPlan';

/** What is known before the first start. */
export interface SuspensionContext {
	/**
	 * An AI agent waits for its tool in the same process: suspension would free nothing
	 * (docs/n8n-internals.md#tools-of-an-agent).
	 */
	isTool: boolean;
	/** n8n counts the tries of a node from the beginning each time it wakes an execution: freed again, it would try for ever. */
	isFurtherTry: boolean;
	/** Where n8n wants to be called; empty when the execution has no such address. */
	resumeUrl: string;
	/** Address of the service. */
	serviceUrl: string;
}

/**
 * Why an execution cannot be suspended while its jobs run, as the end of a sentence; undefined when it can.
 * Asked before anything is paid for.
 */
export function suspensionBlocker(
	operation: JobOperation,
	plans: JobPlan[],
	{ isTool, isFurtherTry, resumeUrl, serviceUrl }: SuspensionContext,
): string | undefined {
	const addsTo = operation.kind === 'startJob' ? operation.addsTo : undefined;
	if (isTool) return 'an AI agent waits for its tool';
	if (isFurtherTry) {
		return 'this is a further try of Retry On Fail, whose tries n8n counts again after each wait';
	}
	const holding = plans.find(({ watched, frees }) => watched && !frees);
	if (holding) return `item ${holding.item} asks to hold it`;
	// The service calls no webhook for such a start a second time (docs/service-notes.md#webhooks).
	const adding = plans.find(({ sent }) => addsTo !== undefined && sent?.[addsTo] !== undefined);
	if (adding) {
		return `the service makes no call for what is added to a job (item ${itemsOf(adding)[0]})`;
	}
	// The calls of its jobs go to the execution or the try that has started them.
	if (plans.some(({ known, lost }) => known ?? lost)) {
		return 'jobs of an earlier try report to that try';
	}
	return whyNotCalled(resumeUrl, serviceUrl);
}

function whyNotCalled(resumeUrl: string, serviceUrl: string): string | undefined {
	if (!URL.canParse(resumeUrl)) {
		return 'n8n has no address at which this execution can be called';
	}
	const { protocol, hostname, origin } = new URL(resumeUrl);
	// A service of one's own may reach whatever n8n takes for its address.
	if (!isPublicHost(new URL(serviceUrl).hostname)) return undefined;
	const advice = 'set WEBHOOK_URL of n8n to its public https address';
	if (!isPublicHost(hostname)) return `the service cannot call n8n at ${origin}: ${advice}`;
	return protocol === 'https:'
		? undefined
		: `the service calls https addresses only, and n8n is at ${origin}: ${advice}`;
}

/** The hint for an execution that was held although it was to be suspended. */
export function heldText(why: string): string {
	return `Waiting in the background was not possible, so the node kept running: ${why}.`;
}
