/** A queue that may grow while it is worked through. */
export interface WorkQueue<Item> {
	take(): Item | undefined;
}

/**
 * Works through the queue, so many at once. An item's work may add items; the end is reached when the
 * queue is empty and nothing is under way. Rejects as soon as one work rejects.
 */
export async function inParallel<Item>(
	queue: WorkQueue<Item>,
	most: number,
	work: (item: Item) => Promise<void>,
): Promise<void> {
	const underWay = new Set<Promise<void>>();
	for (;;) {
		for (let item = takeIf(underWay.size < most, queue); item !== undefined;) {
			const one: Promise<void> = work(item).finally(() => underWay.delete(one));
			underWay.add(one);
			item = takeIf(underWay.size < most, queue);
		}
		if (underWay.size === 0) return;
		await Promise.race(underWay);
	}
}

function takeIf<Item>(mayTake: boolean, queue: WorkQueue<Item>): Item | undefined {
	return mayTake ? queue.take() : undefined;
}
