/** Entries by the moment they are due. */
export interface DueQueue<Entry> {
	add(dueAtMs: number, entry: Entry): void;
	/** Takes out and returns the earliest entry that is due by now, if there is one. */
	takeDue(nowMs: number): { dueAtMs: number; entry: Entry } | undefined;
	clear(): void;
}

/**
 * A binary heap: with ten thousand jobs running, a check which have ended must not walk them all,
 * and ten thousand timers would not follow a clock that a test moves.
 */
export function dueQueue<Entry>(): DueQueue<Entry> {
	const heap: Array<{ dueAtMs: number; entry: Entry }> = [];
	const dueAt = (index: number): number => heap[index]?.dueAtMs ?? Infinity;

	const swap = (left: number, right: number): void => {
		const first = heap[left];
		const second = heap[right];
		if (!first || !second) return;
		heap[left] = second;
		heap[right] = first;
	};

	const sink = (start: number): void => {
		let index = start;
		for (;;) {
			const left = 2 * index + 1;
			const smaller = dueAt(left + 1) < dueAt(left) ? left + 1 : left;
			if (dueAt(smaller) >= dueAt(index)) return;
			swap(index, smaller);
			index = smaller;
		}
	};

	return {
		add(dueAtMs, entry) {
			heap.push({ dueAtMs, entry });
			let index = heap.length - 1;
			while (index > 0) {
				const parent = (index - 1) >> 1;
				if (dueAt(parent) <= dueAt(index)) return;
				swap(parent, index);
				index = parent;
			}
		},
		takeDue(nowMs) {
			if (dueAt(0) > nowMs) return undefined;
			swap(0, heap.length - 1);
			const first = heap.pop();
			sink(0);
			return first;
		},
		clear: () => void heap.splice(0),
	};
}
