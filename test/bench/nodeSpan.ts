import { setTimeout as pause } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { BuiltPackage } from '../../tools/n8n-engine/index.ts';
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

/** How often memory is checked, and what is collected before. */
interface Looks {
	everyMs: number;
	collect: () => void;
}

/**
 * Often enough to see a file of 50 MB pass, and seldom enough not to stop it. All that is garbage would take
 * longer to collect than that takes, so some of it is counted.
 */
const OFTEN: Looks = { everyMs: 10, collect: collectNewGarbage };

/** For work of many seconds: nothing is counted but what is held. */
export const WITHOUT_GARBAGE: Looks = { everyMs: 250, collect: collectGarbage };

/** The most bytes that are held while something is done. */
export async function mostHeld(work: () => Promise<void>, { everyMs, collect }: Looks = OFTEN): Promise<number> {
	let mostBytes = 0;
	const look = (): void => {
		collect();
		mostBytes = Math.max(mostBytes, bytesInUse());
	};
	const sampler = setInterval(look, everyMs);
	try {
		await work();
	} finally {
		look();
		clearInterval(sampler);
	}
	return mostBytes;
}

/** Measures from the call of the node's `execute` to its end. */
export function watchNode(builtPackage: BuiltPackage, nodeName = 'webData') {
	const type = builtPackage.nodeTypes.get(`${builtPackage.name}.${nodeName}`);
	if (!type || !('execute' in type) || !type.execute) {
		throw new Error(`There is no node ${nodeName}.`);
	}
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
