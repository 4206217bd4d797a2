/** A page that was asked for, by whom, and how long it is. */
interface PageOnce<T> {
	page: Promise<T>;
	characters: number;
}

/** Most characters of all pages together: 20 MB, as two bytes each. */
const MOST_CHARACTERS = 10 * 1024 * 1024;

/**
 * Pages that several items of a run need, each asked for once: who asks while it is on its way waits for it. One that
 * fails is asked for again by the next. The oldest ones make room for others.
 */
export class PagesOnce<T> {
	private readonly pages = new Map<string, PageOnce<T>>();

	private characters = 0;

	/** `lengthOf`: characters that a page takes. */
	constructor(private readonly lengthOf: (page: T) => number) {}

	/** The page of this name, by `ask` where nobody has asked for it. `isShared`: somebody else has. */
	async get(name: string, ask: () => Promise<T>): Promise<{ page: T; isShared: boolean }> {
		const known = this.pages.get(name);
		if (known) {
			const page = await known.page.catch(() => undefined);
			if (page !== undefined) return { page, isShared: true };
		}
		const now = this.pages.get(name);
		// Of several that waited for one that has failed, the first asks again.
		if (now && now !== known) return await this.get(name, ask);
		const asked: PageOnce<T> = { page: ask(), characters: 0 };
		this.pages.set(name, asked);
		const page = await asked.page.catch((error: unknown) => {
			if (this.pages.get(name) === asked) this.pages.delete(name);
			throw error;
		});
		asked.characters = this.lengthOf(page);
		this.characters += asked.characters;
		this.makeRoom();
		return { page, isShared: false };
	}

	private makeRoom(): void {
		for (const [name, { characters }] of this.pages) {
			if (this.characters <= MOST_CHARACTERS) return;
			if (characters === 0) continue;
			this.pages.delete(name);
			this.characters -= characters;
		}
	}
}
