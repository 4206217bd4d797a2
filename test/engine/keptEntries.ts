/**
 * How many entries an object holds in all maps, sets and lists below it, private ones too; each object is
 * counted once. What grows with uptime grows here.
 */
export function keptEntries(root: object): number {
	const seen = new Set<object>();
	const count = (value: unknown): number => {
		if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
		seen.add(value);
		const parts =
			value instanceof Map
				? [...value].flat()
				: value instanceof Set || Array.isArray(value)
					? [...(value as Iterable<unknown>)]
					: undefined;
		const own = value instanceof Map ? value.size : (parts?.length ?? 0);
		return (parts ?? Object.values(value)).reduce<number>((sum, part) => sum + count(part), own);
	};
	return count(root);
}
