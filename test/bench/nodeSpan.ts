import { setTimeout as pause } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { BuiltPackage } from '../../engine/index.ts';
import { collectGarbage, collectNewGarbage, cpuMs } from './statistics.ts';

const SAMPLE_EVERY_MS = 2;

/** Bytes in use when nothing is going on. */
export async function quietBytes(): Promise<number> {
	await pause(100);
	collectGarbage();
	return bytesInUse();
}

function bytesInUse(): number {
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

/** Often enough to see a file of 50 MB pass, and seldom enough not to stop it. */
const LOOK_EVERY_MS = 10;

/**
 * The most bytes that are held while something is done, without garbage: what is new is collected at each
 * look. All of it would take longer than the work.
 */
export async function mostHeld(work: () => Promise<void>): Promise<number> {
	let mostBytes = 0;
	const look = (): void => {
		collectNewGarbage();
		mostBytes = Math.max(mostBytes, bytesInUse());
	};
	const sampler = setInterval(look, LOOK_EVERY_MS);
	try {
		await work();
	} finally {
		look();
		clearInterval(sampler);
	}
	return mostBytes;
}

/** Measures from the call of the node's `execute` to its end. */
export function watchNode(builtPackage: BuiltPackage) {
	const type = builtPackage.nodeTypes.get(`${builtPackage.name}.webData`);
	if (!type || !('execute' in type) || !type.execute) throw new Error('There is no node webData.');
	const { execute } = type;
	let spentMs = 0;
	let peakBytes = 0;
	const look = (): void => {
		peakBytes = Math.max(peakBytes, bytesInUse());
	};
	type.execute = async function (this: IExecuteFunctions) {
		const startedMs = cpuMs();
		const sampler = setInterval(look, SAMPLE_EVERY_MS);
		try {
			return await execute.call(this);
		} finally {
			look();
			clearInterval(sampler);
			spentMs = cpuMs() - startedMs;
		}
	};
	return {
		span: () => ({ cpuMs: spentMs, peakBytes }),
		end: () => {
			type.execute = execute;
		},
	};
}
