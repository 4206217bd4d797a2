import { setTimeout as pause } from 'node:timers/promises';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { BuiltPackage } from '../../engine/index.ts';
import { collectGarbage, cpuMs } from './statistics.ts';

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
