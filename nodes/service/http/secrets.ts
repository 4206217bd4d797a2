const HIDDEN = '***';

/** A shorter key is no secret, and taking it out of results would leave holes in ordinary text. */
const SHORTEST_IN_ANSWERS = 8;

/**
 * Takes the key out of everything that a service says. It knows the key, and may repeat it anywhere: in
 * the reason of a failed job, in a state, an id, a page. All answers pass here whole, before they are
 * read, cut or stored (sendRequest), so that nothing behind it has to think of it.
 */
export class Secrets {
	private readonly key: string;

	private readonly spellings: string[];

	/** JSON writes the key in another way than it is, in which a search of raw text does not find it. */
	private readonly isQuoted: boolean;

	/** An empty key: there is nothing to hide. */
	constructor(key: string) {
		this.key = key.trim();
		this.spellings = this.key.length < SHORTEST_IN_ANSWERS ? [] : spellingsOf(this.key);
		this.isQuoted = quoted(this.key) !== this.key || this.key.includes('/');
	}

	/** For our own sentences, in which a key of any length is out of place. */
	inMessage(text: string): string {
		if (this.key === '') return text;
		return this.inText(text.replaceAll(this.key, HIDDEN));
	}

	/** The text with every spelling of the key hidden. */
	inText(text: string): string {
		return this.spellings.reduce((rest, spelling) => rest.replaceAll(spelling, HIDDEN), text);
	}

	/** Whether the raw text of an answer may hold the key, also where its JSON is written in escapes. */
	mayBeIn(text: string): boolean {
		// Escapes for what needs none: nobody looks for those, so the texts are looked at one by one.
		return (
			this.isQuoted ||
			/\\u00[2-7]/.test(text) ||
			this.spellings.some((spelling) => text.includes(spelling))
		);
	}

	/** A JSON value with the key hidden in all of its texts and names. At most as deep as MAX_NESTING. */
	inJson(value: unknown): unknown {
		if (typeof value === 'string') return this.inText(value);
		if (Array.isArray(value)) return value.map((part) => this.inJson(part));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, part]) => [this.inText(name), this.inJson(part)]),
		);
	}
}

/**
 * How a key may stand in a text: as it is, encoded for an address, as JSON within JSON, and in base64,
 * whose letters depend on where in a text it begins (a Basic header with the key as its password).
 */
function spellingsOf(key: string): string[] {
	const encoded = encodeURIComponent(key.replace(/\p{Surrogate}/gu, '\ufffd'));
	const base64 = [0, 1, 2].flatMap((offset) => base64At(key, offset));
	const all = [key, encoded, encoded.toLowerCase(), quoted(key), ...base64];
	// The longest first, so that none leaves the rest of another behind.
	return [...new Set(all)].sort((left, right) => right.length - left.length);
}

/** The letters of base64 that depend on the key alone when so many bytes stand before it. */
function base64At(key: string, offset: number): string[] {
	const bytes = Buffer.from(`${'\0'.repeat(offset)}${key}`);
	const first = Math.ceil((offset * 8) / 6);
	const last = Math.floor((bytes.length * 8) / 6);
	const letters = bytes.toString('base64').slice(first, last);
	return [letters, letters.replaceAll('+', '-').replaceAll('/', '_')];
}

function quoted(key: string): string {
	return JSON.stringify(key).slice(1, -1);
}
