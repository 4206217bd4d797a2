import { SECRET_HEADER } from '../../../../service/webhooks/signatureCheck';
import { unnoticedClock } from '../../connection/processClock';
import type { RunContext } from '../../connection/runContext';
import { OWN_CALL_HEADER } from '../answers';
import { readCheckAnswer } from './checkAnswer';
import { CheckSchedule } from './checkSchedule';
import type { CheckTarget } from './checkSchedule';
import type { StoredCall } from '../suspendedRecord';

/** A status check of a service that is in trouble takes half a minute. */
const TIMEOUT_MS = 60_000;

/** What is needed of n8n for the calls: an execution has it, and so has what receives the service's calls. */
type CallContext = Pick<RunContext, 'getExecutionId' | 'getNode' | 'logger'> & {
	helpers: Pick<RunContext['helpers'], 'httpRequest'>;
};

/**
 * What n8n gives to make a call and to log with. Only the latest is kept, for the calls of all: each holds the
 * data of its execution, which would stay in memory until Max Wait.
 */
let latest: { request: CallContext['helpers']['httpRequest']; logger: CallContext['logger'] };

const schedule = new CheckSchedule({
	time: unnoticedClock,
	async check({ url, secret }) {
		const answer: unknown = await latest.request({
			method: 'POST',
			url,
			headers: { [SECRET_HEADER]: secret, [OWN_CALL_HEADER]: 'yes' },
			body: {},
			json: true,
			timeout: TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
		return readCheckAnswer(answer);
	},
	onSilence({ url, where }) {
		latest.logger.warn(
			`${where}: n8n's main process does not answer at ${new URL(url).origin}, where the service is to call it. If the service does not reach it there either, the execution waits until Max Wait: set WEBHOOK_URL, for workers too, to the main process's address.`,
		);
	},
});

/**
 * Checks the jobs of an execution that is being suspended: soon, since the service's call may come before n8n
 * has stored the execution, and now and then until Max Wait, since the call may get lost. Keeps no worker.
 */
export function checkSuspended(ctx: CallContext, call: StoredCall, secret: string): void {
	schedule.suspended(targetOf(ctx, call, secret));
}

/** Checks the jobs of an execution again that the service has called while a job still ran. */
export function checkAgain(ctx: CallContext, call: StoredCall, secret: string): void {
	schedule.called(targetOf(ctx, call, secret));
}

/** Ends the checks of an execution that is resumed. */
export function checkNoMore(secret: string): void {
	schedule.resumed(secret);
}

function targetOf(ctx: CallContext, { url, untilMs }: StoredCall, secret: string): CheckTarget {
	latest = { request: ctx.helpers.httpRequest, logger: ctx.logger };
	return {
		secret,
		url,
		where: `Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}"`,
		untilMs: unnoticedClock.now() + untilMs - unnoticedClock.wallClock(),
	};
}
