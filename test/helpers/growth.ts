/** How much more work larger input may cost: for hangs, whose time says nothing, but whose growth does. */

/** Four times the input may take so many times the work: linear takes 4, quadratic 16. */
const MAX_RATIO = 8;

/** Work below this is too little to be compared, in milliseconds of this thread's processor time. */
const FLOOR_MS = 100;

/** The least of so many tries counts: whatever else happens only adds. */
const TRIES = 6;

function processorMs(): number {
	// Node.js before 23.9 knows the time of the whole process only.
	const { threadCpuUsage = process.cpuUsage } = process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>;
	const { user, system } = threadCpuUsage.call(process);
	return (user + system) / 1000;
}

/** Ends early with one that is little enough. */
async function leastMs(work: (size: number) => unknown, size: number, enoughMs: number): Promise<number> {
	let least = Infinity;
	for (let tries = 0; tries < TRIES; tries++) {
		const before = processorMs();
		await work(size);
		least = Math.min(least, processorMs() - before);
		if (least <= enoughMs) break;
	}
	return least;
}

/**
 * Expects that four times the input takes not much more than four times the work. `size` is the number that the work
 * is done for first; its amount for four times that should be what a hostile page or server can send.
 */
export async function expectLinear(size: number, work: (size: number) => unknown): Promise<void> {
	// All tries of it: the first is slower than what is compared with it, since nothing is compiled yet.
	const small = await leastMs(work, size, 0);
	const most = Math.max(FLOOR_MS, MAX_RATIO * small);
	const large = await leastMs(work, 4 * size, most);
	if (large > most) {
		throw new Error(
			`The work for ${4 * size} took ${Math.round(large)} ms, for ${size} ${Math.round(small)} ms: it grows faster than its input`,
		);
	}
}
