/**
 * The clock of the tests in n8n's engine: the globals of the process, node, sandbox and n8n alike, run on one
 * virtual time that jumps to the next timer as soon as nothing can happen without time. Work takes no time on it,
 * so waits of hours end in milliseconds, and no test depends on how fast the machine is.
 *
 * Nothing can happen without time when no request to the system is under way, each socket has received what its
 * other end has sent, and two turns of the event loop did nothing.
 */
import { AsyncResource } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Transform, TransformCallback } from 'node:stream';
import timers from 'node:timers';
import { createGunzip } from 'node:zlib';
import { install } from '@sinonjs/fake-timers';

/** The two of the loop below: its own setImmediate, and the resource that counts; a short wait is one more. */
const IDLE_TURN = 2;
/**
 * After so many turns of the event loop without an event, what is on its way counts as held up: a socket that nobody
 * reads, or one whose other end is outside of this process. From SHORT_TURNS on, a true millisecond passes between two
 * turns. Turns are counted, and not time, because a busy machine may stop the whole process.
 */
const SHORT_TURNS = 20;
const HELD_UP_TURNS = 60;
/** What `process.getActiveResourcesInfo` lists that ends without time; all else there are handles and timers. */
const UNDER_WAY = /^(FS|FileHandle|CloseReq|GetAddrInfo|TCPConnect|PipeConnect)/;

const { setTimeout: trueTimeout, setImmediate: trueImmediate } = globalThis;
const sockets = new Set<Socket>();
/** Streams that (un)zip in another thread, which no list of Node names. */
const zipping = new Set<Transform>();

/** True when each byte that was sent on a socket of this process has arrived at its other end. */
function areInStep(): boolean {
	const byPorts = new Map<string, Socket>();
	for (const socket of sockets) byPorts.set(`${socket.localPort}>${socket.remotePort}`, socket);
	for (const socket of sockets) {
		const { localPort, remotePort, bytesRead } = socket;
		if (localPort === undefined) continue;
		const other = byPorts.get(`${remotePort}>${localPort}`);
		if (other?.bytesWritten !== bytesRead) return false;
	}
	return true;
}

/** Changes with all that arrives, also where nobody is told: the body of a request that was answered unread. */
const bytesRead = () => [...sockets].reduce((sum, { bytesRead: read }) => sum + read, 0);

const turn = () => new Promise<void>((resolve) => void trueImmediate(resolve));
const shortWait = () => new Promise<void>((resolve) => void trueTimeout(resolve, 1));
const resourceId = () => new AsyncResource('virtualClock').asyncId();

/** Resolves when nothing can happen any more without time. */
async function settled(): Promise<void> {
	let idleTurns = 0;
	let turnsWithoutEvent = 0;
	let bytesBefore = 0;
	let id = resourceId();
	while (idleTurns < 2) {
		const waits = turnsWithoutEvent > SHORT_TURNS;
		if (waits) await shortWait();
		await turn();
		const next = resourceId();
		const isIdle = next - id <= (waits ? IDLE_TURN + 1 : IDLE_TURN);
		id = next;
		const resources = process.getActiveResourcesInfo();
		const bytes = bytesRead();
		turnsWithoutEvent = isIdle && bytes === bytesBefore ? turnsWithoutEvent + 1 : 0;
		bytesBefore = bytes;
		const isUnderWay = !isIdle || zipping.size > 0 || resources.some((name) => UNDER_WAY.test(name));
		const isHeldUp = turnsWithoutEvent > HELD_UP_TURNS;
		const isSent = areInStep() && !resources.includes('WriteWrap');
		idleTurns = !isUnderWay && (isSent || isHeldUp) ? idleTurns + 1 : 0;
	}
}

function start(): void {
	const track = (message: unknown) => {
		const { socket } = message as { socket: Socket };
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	};
	subscribe('net.client.socket', track);
	subscribe('net.server.socket', track);
	// Node's own Date header knows the true time only.
	subscribe('http.server.request.start', (message) => {
		const { response } = message as { response: ServerResponse };
		response.setHeader('Date', new Date().toUTCString());
	});

	trackZlib();
	const clock = install({
		now: Date.now(),
		toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
		shouldClearNativeTimers: true,
		ignoreMissingTimers: true,
	});
	withoutServerChecks();
	AbortSignal.timeout = (ms) => {
		const controller = new AbortController();
		setTimeout(
			() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
			ms,
		);
		return controller.signal;
	};

	void (async () => {
		for (;;) {
			if (clock.countTimers() === 0) {
				await shortWait();
				continue;
			}
			await settled();
			clock.next();
		}
	})();
}

/**
 * Node's servers look for slow clients each 30 s. What ends that is not on this clock: those of all tests so far would
 * ring through each week that a test waits.
 */
function withoutServerChecks(): void {
	const { setInterval: faked, clearInterval: clear } = timers;
	timers.setInterval = Object.assign((...given: Parameters<typeof faked>) => {
		const interval = faked(...given);
		if (given[0].name === 'bound checkConnections') clear(interval);
		return interval;
	}, faked);
}

function trackZlib(): void {
	const zlib = Object.getPrototypeOf(Object.getPrototypeOf(Object.getPrototypeOf(createGunzip()))) as Transform;
	const original = zlib._transform;
	zlib._transform = function (chunk, encoding, done: TransformCallback) {
		zipping.add(this);
		this.once('close', () => zipping.delete(this));
		original.call(this, chunk, encoding, (...result) => {
			zipping.delete(this);
			done(...result);
		});
	};
}

const STARTED = Symbol.for('virtualClock');
const store = globalThis as { [STARTED]?: true };
if (!store[STARTED]) {
	store[STARTED] = true;
	start();
}
