/**
 * n8n stores and serves the data of an execution as a flat list in which every object, array and
 * string is an entry of its own and is referred to by its place, written as a string of digits.
 * This puts such a text together again.
 */
export function parseFlatted(text: string): unknown {
	const entries: unknown = JSON.parse(text);
	if (!Array.isArray(entries))
		throw new Error('Not the flat list that n8n stores execution data as.');
	const list: unknown[] = entries;
	const built = new Map<number, unknown>();

	/** A string inside an entry is the place of another entry; anything else is itself. */
	const resolve = (value: unknown): unknown =>
		typeof value === 'string' ? build(Number(value)) : value;

	const build = (place: number): unknown => {
		if (built.has(place)) return built.get(place);
		const entry = list[place];
		if (typeof entry !== 'object' || entry === null) {
			built.set(place, entry);
			return entry;
		}
		// Entered before it is filled: entries may refer back to it.
		const target: unknown[] | Record<string, unknown> = Array.isArray(entry) ? [] : {};
		built.set(place, target);
		for (const [key, value] of Object.entries(entry))
			Object.assign(target, { [key]: resolve(value) });
		return target;
	};

	return build(0);
}
