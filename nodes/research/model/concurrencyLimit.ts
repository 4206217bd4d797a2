/** Lets so many pieces of work run at once, in the order in which they came. */
export class Turns {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly most: number) {}

	/** Does the work when it is its turn; what is `urgent` comes before all that wait. */
	async run<T>(work: () => Promise<T>, isUrgent = false): Promise<T> {
		if (this.running < this.most) this.running += 1;
		// Whoever ends hands its place on, so that nobody who comes later takes it.
		else {
			await new Promise<void>((resolve) => {
				if (isUrgent) this.waiting.unshift(resolve);
				else this.waiting.push(resolve);
			});
		}
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.running -= 1;
		}
	}
}
