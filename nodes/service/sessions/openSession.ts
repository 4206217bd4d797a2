import { ServiceFailure, failureOrThrow } from '../http/failure';
import { backoffMs } from '../http/retry';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { sendStart } from '../jobs/start';
import type { ServiceClient } from '../limits/client';

/** Told as it happens, so that nothing is forgotten when the execution ends early. */
interface OpeningEvents {
	/** The opening is about to be sent. */
	onSending(): void;
	/** It provably opened nothing. */
	onNothing(): void;
	/** Called before anything else is done with the id. */
	onOpened(id: string): void;
	/** Its answer was lost: it may have opened a session whose id nobody has. */
	onLost(): void;
}

type Opening =
	| { kind: 'opened'; id: string; answer: JsonObject }
	/** It was not sent: the execution or the run was stopped. */
	| { kind: 'notSent' }
	| { kind: 'failed'; failure: ServiceFailure };

interface SendOptions {
	/** Longest wait for a free browser in which nothing moves, in milliseconds. */
	maxWaitMs: number;
	/** Aborted when the rest of the run is not wanted any more. */
	over: AbortSignal;
	/** Asked once, after the answer was lost: may another session be opened, which costs as well? */
	mayOpenAnother(): boolean;
}

/**
 * Opens one session, when it is its turn and the plan has room. When the answer is lost, another session is
 * opened, once: the first cannot be told from those of other people, so nobody looks for it, and failing would not
 * make it cheaper. Nothing is done in it, so that it ends by itself when its idle limit is over.
 * Throws no ServiceFailure.
 */
export async function openSession(
	request: ServiceRequest,
	options: SendOptions,
	events: OpeningEvents,
	client: ServiceClient,
): Promise<Opening> {
	const first = await send(request, options, events, client);
	if (!isLost(first)) return first;
	events.onLost();
	if (options.over.aborted || !options.mayOpenAnother()) return first;
	await client.sleepUntil(client.time.now() + backoffMs(1, client.time.random()), options.over);
	if (options.over.aborted) return first;
	const second = await send(request, options, events, client);
	if (isLost(second)) events.onLost();
	return second.kind === 'notSent' ? first : second;
}

function isLost(opening: Opening): boolean {
	return opening.kind === 'failed' && opening.failure.reached === 'maybe';
}

async function send(
	request: ServiceRequest,
	{ maxWaitMs, over }: SendOptions,
	events: OpeningEvents,
	client: ServiceClient,
): Promise<Opening> {
	const { limits, time } = client;
	const sendOnce = async () => {
		events.onSending();
		return await client.sendThroughStop(request).catch((error: unknown) => {
			if (failureOrThrow(error).reached === 'no') events.onNothing();
			throw error;
		});
	};
	const started = await sendStart({ request, maxWaitMs, over, sendOnce }, client);
	if (started instanceof ServiceFailure) {
		const isNotSent = over.aborted && started.reached === 'no';
		return isNotSent ? { kind: 'notSent' } : { kind: 'failed', failure: started };
	}
	const { id, answer, turn } = started;
	limits.register.know(id, time.now());
	events.onOpened(id);
	limits.starts(request.bucket).accepted(turn, time.now());
	return { kind: 'opened', id, answer };
}
