/**
 * Does the work for each, so many at a time, and gives the results in the order of `all`. After the first
 * failure nothing more is begun, and it is thrown.
 */
export async function mapConcurrently<T, R>(
	most: number,
	all: readonly T[],
	work: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	let hasFailed = false;
	const left = all.entries();
	const worker = async () => {
		for (const [index, one] of left) {
			if (hasFailed) return;
			const result = work(one, index);
			result.catch(() => {
				hasFailed = true;
			});
			results[index] = await result;
		}
	};
	await Promise.all(Array.from({ length: Math.min(most, all.length) }, worker));
	return results;
}
