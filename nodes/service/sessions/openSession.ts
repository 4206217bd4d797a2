import { failureOrThrow } from '../http/failure';
import type { ServiceFailure } from '../http/failure';
import { backoffMs } from '../http/retry';
import { sleepPiece } from '../http/time';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { QueuedStart } from '../jobs/queuedStart';
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
	/** True when the rest of the run is not wanted any more. */
	isAbandoned(): boolean;
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
	if (options.isAbandoned() || !options.mayOpenAnother()) return first;
	await client.pause(backoffMs(1, client.time.random()));
	if (client.stopped || options.isAbandoned()) return first;
	const second = await send(request, options, events, client);
	if (isLost(second)) events.onLost();
	return second.kind === 'notSent' ? first : second;
}

function isLost(opening: Opening): boolean {
	return opening.kind === 'failed' && opening.failure.reached === 'maybe';
}

async function send(
	request: ServiceRequest,
	{ maxWaitMs, isAbandoned }: SendOptions,
	events: OpeningEvents,
	client: ServiceClient,
): Promise<Opening> {
	const { time } = client;
	const settled = new AbortController();
	const box: { result?: Opening; crash?: { error: unknown } } = {};
	const pending = new QueuedStart(
		request,
		maxWaitMs,
		client,
		{
			accepted: (id, answer) => {
				client.limits.register.know(id, time.now());
				events.onOpened(id);
				box.result = { kind: 'opened', id, answer };
				settled.abort();
				return true;
			},
			failed: ({ failure }) => {
				box.result = { kind: 'failed', failure };
				settled.abort();
			},
			crashed: (error) => {
				box.crash = { error };
				settled.abort();
			},
		},
		async (start) => {
			events.onSending();
			return await client.sendThroughStop(start).catch((error: unknown) => {
				if (failureOrThrow(error).reached === 'no') {
					events.onNothing();
					if (client.stopped || isAbandoned()) {
						// A refusal would queue it again, and it would open a session that nobody closes.
						pending.withdraw();
						box.result = { kind: 'notSent' };
					}
				}
				throw error;
			});
		},
	);
	while (!box.result) {
		if ((client.stopped || isAbandoned()) && pending.withdraw()) return { kind: 'notSent' };
		pending.tick();
		await sleepPiece(time, pending.wakeMs - time.now(), settled.signal);
		if (box.crash) throw box.crash.error;
	}
	return box.result;
}
