import type { JsonObject } from '../../nodes/service/http/transport';
import { sameAddress } from '../../nodes/text/addresses';
import {
	MAX_CHARACTERS,
	MAX_PAGES,
	PageChanges,
	changesAsked,
	packPages,
	unpackPages,
} from '../../nodes/WebData/run/changes/pageChanges';
import type { ChangesAsked, ChangesBase } from '../../nodes/WebData/run/changes/pageChanges';

const HOME = 'https://site.example/';
const DAY_MS = 24 * 60 * 60 * 1000;
const YEARS = 3;

/** A seeded random number from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

/** What a day's crawl sees, and what of it is true of the site. */
interface Day {
	pages: JsonObject[];
	failures: string[];
	isWhole: boolean;
	limit: number;
}

/** A site that lives: pages come, change, move, go; and some days it is down, closed, walled, cut or spelled otherwise. */
class LivingSite {
	/** Text by the address of a page. */
	readonly pages = new Map<string, string>([[HOME, 'Home']]);

	/** Old addresses that redirect, and where to. */
	readonly moved = new Map<string, string>();

	private made = 0;

	private closedDays = 0;

	constructor(private readonly random: () => number) {
		for (let page = 0; page < 40; page++) this.add();
	}

	private add(): void {
		this.made += 1;
		this.pages.set(`${HOME}page/${this.made}`, `Text ${this.made}`);
	}

	private some(): string {
		const all = [...this.pages.keys()].slice(1);
		return all[Math.floor(this.random() * all.length)] ?? HOME;
	}

	/** One day of the site. */
	live(): void {
		if (this.random() < 0.3) this.add();
		if (this.random() < 0.3) this.pages.set(this.some(), `Text ${this.random()}`);
		if (this.random() < 0.3 && this.pages.size > 40) this.pages.delete(this.some());
		if (this.random() < 0.05) this.move(this.some());
	}

	private move(from: string): void {
		if (from === HOME) return;
		const text = this.pages.get(from) ?? '';
		this.pages.delete(from);
		this.made += 1;
		this.pages.set(`${HOME}page/${this.made}`, text);
		this.moved.set(from, `${HOME}page/${this.made}`);
	}

	/** What a crawl of the day comes to. */
	crawl(): Day {
		const kind = this.random();
		const whole = { failures: [], isWhole: true, limit: 1_000 };
		if (this.closedDays > 0 || kind < 0.02) {
			this.closedDays = this.closedDays > 0 ? this.closedDays - 1 : Math.floor(this.random() * 5);
			// A notice on the start page, without links; or a wall to which all addresses lead.
			return { ...whole, pages: [found(HOME, HOME, `Closed ${kind}`)] };
		}
		const all = [...this.pages].map(([url, text]) => found(this.spelled(url), this.spelled(url), text));
		const led = [...this.moved].slice(-10).flatMap(([from, to]) => {
			const text = this.pages.get(to);
			return text === undefined ? [] : [found(from, to, text)];
		});
		if (kind < 0.05) {
			const failures = [this.some(), this.some()];
			const lost = new Set(failures.map(sameAddress));
			const pages = all.filter((page) => !lost.has(sameAddress(String(page.url))));
			// What is linked on the failed pages is not found either.
			return { ...whole, pages: pages.slice(0, Math.floor(pages.length * 0.8)), failures };
		}
		if (kind < 0.07) return { ...whole, pages: [found(HOME, HOME, 'Down', 503)], failures: [] };
		if (kind < 0.1) return { ...whole, pages: all.slice(0, 20), limit: 20 };
		if (kind < 0.12) return { ...whole, pages: all.slice(0, 10), isWhole: false };
		// A banner on each page changes its text for a day.
		if (kind < 0.13)
			return {
				...whole,
				pages: [...this.pages].map(([url, text]) => found(url, url, `Sale! ${text}`)),
			};
		return { ...whole, pages: [...all, ...led] };
	}

	/** Some days the site links its pages in another spelling. */
	private spelled(url: string): string {
		if (url === HOME) return url;
		const kind = this.random();
		if (kind < 0.02) return url.replace('https://site', 'https://SITE');
		if (kind < 0.04) return url.replace('/page/', '/%70age/');
		return kind < 0.06 ? `${url}#top` : url;
	}
}

function found(source: string, url: string, text: string, statusCode = 200): JsonObject {
	return { url, markdown: text, metadata: { url, sourceURL: source, statusCode } };
}

/** A reader who does what the output says: what he has, by address. */
function apply(store: Map<string, string>, told: readonly JsonObject[]): string[] {
	const faults: string[] = [];
	for (const page of told) {
		const { url = '' } = page.metadata as { url?: string };
		if (page.change === 'new' && store.has(url)) faults.push(`new twice: ${url}`);
		if (page.change === 'gone' && !store.delete(url)) faults.push(`gone, but never put out: ${url}`);
		if (page.change === 'new' || page.change === 'changed') store.set(url, String(page.markdown));
	}
	return faults;
}

/** The run of a day, beside what is remembered. */
function changesOf(asks: ChangesAsked, base: ChangesBase | undefined, day: number): PageChanges {
	const room = { pages: MAX_PAGES, characters: MAX_CHARACTERS };
	const pause = async () => await Promise.resolve();
	return new PageChanges(asks, base, room, pause, () => day * DAY_MS);
}

async function years(seed: number) {
	const site = new LivingSite(randomFrom(seed));
	const asks = changesAsked('crawl', { onlyChanged: true }, { url: HOME, limit: 1_000 });
	if (!asks) throw new Error('Nothing is asked for.');
	const store = new Map<string, string>();
	const faults: string[] = [];
	/** Complete and plausible runs since a page left the site. */
	const late = new Map<string, number>();
	let base: ChangesBase | undefined;
	let gone = 0;
	for (let day = 0; day < YEARS * 365; day++) {
		site.live();
		const { pages, failures, isWhole, limit } = site.crawl();
		const stored = base && { ...base, pages: unpackPages(packPages(base.pages)) };
		const changes = changesOf({ ...asks, limit }, stored, day);
		const told = (await changes.judge(pages)).filter(({ change }) => change !== 'unchanged' && change !== 'failed');
		const errors = failures.map((url) => ({
			url,
			cause: 'failed' as const,
			code: '',
			message: '',
			timestamp: null,
			id: null,
		}));
		const read = {
			isWhole,
			pages: pages.length,
			failures: errors,
			mayBeCut: async () => await Promise.resolve(false),
		};
		const absent = await changes.absent(read);
		const there = new Set([...site.pages.keys()].map(sameAddress));
		for (const page of absent) {
			const { url = '' } = page.metadata as { url?: string };
			gone += 1;
			if (there.has(sameAddress(url))) faults.push(`day ${day}, wrongly gone: ${url}`);
		}
		faults.push(...apply(store, [...told, ...absent]).map((fault) => `day ${day}, ${fault}`));
		if (changes.noProof === undefined && isWhole && pages.length > 30) {
			for (const url of store.keys()) {
				const runs = there.has(sameAddress(url)) ? 0 : (late.get(url) ?? 0) + 1;
				late.set(url, runs);
				if (runs > 2) faults.push(`day ${day}, not told gone for ${runs} runs: ${url}`);
			}
		}
		base = changes.after();
	}
	return { faults, gone, store, site };
}

it.each([1, 2, 3])(
	'three years of a site with moves, outages, notices, banners, limits and spellings (seed %i)',
	async (seed) => {
		const { faults, gone, store } = await years(seed);
		expect(faults).toEqual([]);
		expect(gone).toBeGreaterThan(100);
		expect(store.size).toBeGreaterThan(30);
	},
);

it('a batch of 200 new addresses a day works for a year, and tells each once', async () => {
	const asks = changesAsked('batch scrape', { onlyChanged: true }, { urls: [] });
	if (!asks) throw new Error('Nothing is asked for.');
	let base: ChangesBase | undefined;
	for (let day = 0; day < 365; day++) {
		const changes = changesOf(asks, base, day);
		const urls = Array.from({ length: 200 }, (_unused, at) => `${HOME}${day * 200 + at}`);
		const judged = await changes.judge(urls.map((url) => found(url, url, url)));
		expect(judged.every(({ change }) => change === 'new')).toBe(true);
		base = changes.after();
		expect(base.pages.size).toBeLessThanOrEqual(MAX_PAGES);
	}
}, 60_000);

it('what has no room is unknown, never new, however long the addresses are', async () => {
	const asks = changesAsked('crawl', { onlyChanged: true }, { url: HOME, limit: 20_000 });
	if (!asks) throw new Error('Nothing is asked for.');
	const urls = Array.from({ length: 9_000 }, (_unused, at) => `https://${at}.example/${'x'.repeat(150)}`);
	let base: ChangesBase | undefined;
	const counts: Array<Record<string, number>> = [];
	for (let run = 0; run < 2; run++) {
		const changes = changesOf(asks, base, run);
		await changes.judge(urls.map((url) => found(url, url, url)));
		counts.push({ ...changes.counts });
		base = changes.after();
		expect(Buffer.byteLength(packPages(base.pages))).toBeLessThan(1_000_000);
	}
	expect(counts[0]?.new).toBeGreaterThan(4_000);
	expect(counts[1]).toMatchObject({
		new: 0,
		unchanged: counts[0]?.new,
		unknown: counts[0]?.unknown,
	});
}, 60_000);
