import { asFailure } from '../http/failure';
import type { ServiceFailure } from '../http/failure';
import type { JsonObject, ServiceRequest } from '../http/transport';
import { PendingStart } from '../jobs/pendingStart';
import { MAX_SLEEP_MS } from '../limits/client';
import type { ServiceClient } from '../limits/client';
import { closeSession } from './closeSession';
import { findLostSession } from './findStray';
import type { StrayFinding } from './findStray';
import type { SentOpening, SessionRegister } from './sessionRegister';

/** Told as it happens, so that nothing is forgotten when the execution ends early. */
export interface OpeningEvents {
	/** The opening is about to be sent. */
	onSending(): void;
	/** It provably opened nothing, or what it opened is closed. */
	onNothing(): void;
	/** Called before anything else is done with the id. */
	onOpened(id: string): void;
	/** The session of an opening whose answer was lost was found, and closed. */
	onFoundAndClosed(id: string, answer: JsonObject): void;
}

export type Opening =
	| { kind: 'opened'; id: string; answer: JsonObject }
	/** It was not sent: the execution or the run was stopped. */
	| { kind: 'notSent' }
	/** `finding`: what the list says of an opening whose end is not known. */
	| { kind: 'failed'; failure: ServiceFailure; finding?: StrayFinding };

interface SendOptions {
	/** Longest wait for a free browser in which nothing moves, in milliseconds. */
	maxWaitMs: number;
	/** True when the rest of the run is not wanted any more. */
	isAbandoned(): boolean;
}

/**
 * Opens one session, when it is its turn and the plan has room. When the answer is lost, the session is
 * looked for in the service's list and closed, and another one is opened: nobody has the id of the first,
 * so nothing was done in it. That is tried once. Never throws.
 */
export async function openSession(
	request: ServiceRequest,
	options: SendOptions,
	events: OpeningEvents,
	register: SessionRegister,
	client: ServiceClient,
): Promise<Opening> {
	for (let tries = 1; ; tries++) {
		const opening: SentOpening = { sentMs: client.time.now() };
		const opened = await send(opening, request, options, events, register, client);
		if (opened.kind !== 'failed' || opened.failure.reached === 'no') return opened;
		register.underWay.delete(opening);
		register.lost.add(opening);
		const finding = await findLostSession(opening, register, client);
		const isCleared = await closeFound(finding, events, client);
		register.lost.delete(opening);
		const mayGoOn = !client.stopped && !options.isAbandoned();
		if (isCleared && finding.kind === 'found') events.onNothing();
		const isOver = isCleared && tries === 1 && mayGoOn;
		if (!isOver) return { ...opened, finding };
	}
}

/** True when nothing of it is open any more, as far as the list tells. */
async function closeFound(
	finding: StrayFinding,
	events: OpeningEvents,
	client: ServiceClient,
): Promise<boolean> {
	if (finding.kind !== 'found') return finding.kind === 'none';
	const closings = await Promise.all(
		finding.ids.map(async (id) => {
			const closing = await closeSession(id, client);
			if (closing.kind === 'closed') events.onFoundAndClosed(id, closing.answer);
			return closing.kind === 'closed';
		}),
	);
	return closings.every((isClosed) => isClosed);
}

async function send(
	opening: SentOpening,
	request: ServiceRequest,
	{ maxWaitMs, isAbandoned }: SendOptions,
	events: OpeningEvents,
	register: SessionRegister,
	client: ServiceClient,
): Promise<Opening> {
	const { time } = client;
	let wake: () => void = () => undefined;
	const box: { result?: Opening } = {};
	const settled = new Promise<void>((resolve) => {
		wake = resolve;
	});
	const pending = new PendingStart(
		request,
		maxWaitMs,
		client,
		{
			accepted: (id, answer) => {
				register.know(id, time.now());
				register.underWay.delete(opening);
				events.onOpened(id);
				box.result = { kind: 'opened', id, answer };
				wake();
				return true;
			},
			failed: ({ failure }) => {
				box.result = { kind: 'failed', failure };
				wake();
			},
		},
		async (start) => {
			opening.sentMs = time.now();
			register.underWay.add(opening);
			events.onSending();
			return await client.sendThroughStop(start).catch((error: unknown) => {
				if (asFailure(error).reached === 'no') {
					register.underWay.delete(opening);
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
		const slice = new AbortController();
		const ms = Math.max(1, Math.min(MAX_SLEEP_MS, pending.wakeMs - time.now()));
		await Promise.race([time.sleep(ms, slice.signal), settled]);
		slice.abort();
	}
	return box.result;
}
