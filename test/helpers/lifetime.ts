/**
 * What a test has started ends with the test, and what its file has started (in `beforeAll`) ends with the file: no
 * test stops a server itself, unless stopping is what it is about. A sandbox of the file is as new for each test.
 */
import type { Sandbox } from '../../sandbox/server.ts';

interface Started {
	stop(): unknown;
}

const started = { file: [] as Started[], test: [] as Started[] };
let scope: keyof typeof started = 'file';

/** Sees to it that this is stopped. Stopping it before is no fault. */
export function endsLater<T extends Started>(one: T): T {
	started[scope].push(one);
	return one;
}

const isSandbox = (one: Started): one is Sandbox => 'faults' in one && 'reset' in one;

async function stopAll(): Promise<void> {
	for (const one of started[scope].splice(0).reverse()) await one.stop();
}

/** Before each test: what is started from here on is the test's. */
export function startTest(): void {
	scope = 'test';
}

/** After each test. */
export async function endTest(): Promise<void> {
	jest.restoreAllMocks();
	await stopAll();
	scope = 'file';
	for (const sandbox of started.file.filter(isSandbox)) {
		sandbox.faults.clear();
		sandbox.reset();
	}
}

/** After the last test of a file. */
export const endFile = stopAll;
