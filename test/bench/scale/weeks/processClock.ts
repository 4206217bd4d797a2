import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { VirtualTime } from '../../../unit/virtualTime.ts';

/** Requests of this process that are on their way. */
let underWay = 0;

/** Turns of the event loop in which nothing was on its way, after which only time can make anything happen. */
const QUIET_TURNS = 3;

/** What is on its way comes to its end in real time: no virtual time passes meanwhile. */
async function quiet(): Promise<void> {
	for (let turns = 0; turns < QUIET_TURNS; turns = underWay > 0 ? 0 : turns + 1) {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
}

/**
 * Puts this process into virtual time, with all that is loaded in it: n8n, the node, the sandbox. Clocks and
 * timers follow it; what Node.js itself times, such as a connection, does not. Never undone.
 */
export function virtualProcess(): VirtualTime {
	const time = new VirtualTime(1, Infinity, quiet);
	subscribe('http.client.request.start', (message) => {
		const { request } = message as { request: ClientRequest };
		underWay += 1;
		request.once('close', () => (underWay -= 1));
	});
	const clock = { now: () => time.now(), timeOrigin: performance.timeOrigin };
	Object.defineProperty(performance, 'now', { value: clock.now });
	Date.now = () => Math.round(time.wallClock());
	const later = (
		callBack: (...args: unknown[]) => void,
		ms = 0,
		...args: unknown[]
	): VirtualTimer => new VirtualTimer(time, ms, () => callBack(...args));
	const clear = (timer: unknown): void => {
		if (timer instanceof VirtualTimer) timer.close();
	};
	Object.assign(globalThis, { setTimeout: later, clearTimeout: clear });
	return time;
}

/** Does what a timer of Node.js does for those who hold it. */
class VirtualTimer {
	private callOff: () => void;
	private readonly time: VirtualTime;
	private readonly ms: number;
	private readonly ring: () => void;

	constructor(time: VirtualTime, ms: number, ring: () => void) {
		this.time = time;
		this.ms = ms;
		this.ring = ring;
		this.callOff = time.at(time.now() + ms, ring);
	}

	ref(): this {
		return this;
	}

	unref(): this {
		return this;
	}

	hasRef(): boolean {
		return true;
	}

	refresh(): this {
		this.callOff();
		this.callOff = this.time.at(this.time.now() + this.ms, this.ring);
		return this;
	}

	close(): this {
		this.callOff();
		return this;
	}

	[Symbol.dispose](): void {
		this.callOff();
	}
}
