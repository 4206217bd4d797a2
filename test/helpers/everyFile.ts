/**
 * What the runner of the tests leaves to its users, in each file of tests:
 * - Each test and hook has a time limit in true time, also where it blocks its thread.
 * - A promise that is rejected with nobody to hear of it fails the test that runs.
 * - What a test has started ends with it (lifetime.ts).
 * - An execution fails where the package says that it has made a mistake (mistakes.ts of the engine).
 *
 * The runner (jest-light-runner 0.8) keeps modules loaded, runs setup files once for each thread, and forgets the
 * hooks of a file before it loads the next. So this listens to jest-circus and adds itself to each new file.
 */
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { addEventHandler } from 'jest-circus';
import { mistakes } from '../../tools/n8n-engine/mistakes.ts';
import { endFile, endTest, startTest } from './lifetime';

mistakes.areRefused = true;

type Block = Parameters<Parameters<typeof addEventHandler>[0]>[1]['rootDescribeBlock'];
type Runnable = () => unknown;

const LIMIT_S = Number(process.env.TEST_LIMIT_S ?? 120);

// This file is loaded before virtualClock.ts: these are the true ones.
const { setTimeout, clearTimeout } = globalThis;

/** Ends the process when no timer of this thread can go off, because a test does not let go of it. */
const watchdog = new Worker(
	`
	const { writeSync } = require('node:fs');
	let timer;
	require('node:worker_threads').parentPort.on('message', (name) => {
		clearTimeout(timer);
		if (name === undefined) return;
		timer = setTimeout(() => {
			writeSync(2, 'Blocks its thread for more than ${LIMIT_S} s: ' + name + '\\n');
			process.kill(process.pid, 'SIGKILL');
		}, ${(LIMIT_S + 5) * 1000});
	});
	`,
	{ eval: true, execArgv: [] },
);
watchdog.unref();

const unheard: unknown[] = [];
process.on('unhandledRejection', (reason) => unheard.push(reason));

function throwUnheard(): void {
	const [reason] = unheard.splice(0);
	if (reason === undefined) return;
	throw new Error(`A promise was rejected, and nobody heard of it: ${inspect(reason)}`);
}

/** Runs to its end or to the time limit. */
async function limited(name: string, run: Runnable): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => {
			reject(new Error(`Takes longer than ${LIMIT_S} s`));
		}, LIMIT_S * 1000);
	});
	watchdog.postMessage(name);
	try {
		await Promise.race([Promise.resolve().then(run), limit]);
	} catch (error) {
		// The runner can show errors only.
		throw error instanceof Error ? error : new Error(`Threw ${inspect(error)}`);
	} finally {
		clearTimeout(timer);
		watchdog.postMessage(undefined);
	}
	throwUnheard();
}

/** Gives all tests and hooks of the block their limit. */
function limitAll(block: Block, path: string[]): void {
	for (const hook of block.hooks) {
		const run = hook.fn as Runnable;
		hook.fn = async () => await limited([...path, hook.type].join(' > '), run);
	}
	for (const child of block.children) {
		const name = [...path, child.name];
		if (child.type === 'describeBlock') {
			limitAll(child, name);
		} else {
			const run = child.fn as Runnable;
			child.fn = async () => await limited(name.join(' > '), run);
		}
	}
}

function addHook(block: Block, type: Block['hooks'][number]['type'], fn: Runnable): void {
	const hook = { type, fn: async () => void (await fn()), parent: block, seenDone: false, timeout: undefined };
	block.hooks.push({ ...hook, asyncError: new Error(type) });
}

const known = new WeakSet<Block>();

addEventHandler((_event, { rootDescribeBlock: file }) => {
	if (known.has(file)) return;
	known.add(file);
	addHook(file, 'beforeAll', () => {
		limitAll(file, []);
		// Hooks that clean up run in their order: after those of the file.
		addHook(file, 'afterEach', endTest);
		addHook(file, 'afterAll', endFile);
		addHook(file, 'afterAll', throwUnheard);
	});
	addHook(file, 'beforeEach', startTest);
});
