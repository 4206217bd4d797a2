/** A short name for a text: FNV-1a, 32 bits, beside its length. */
export function keyOf(text: string): string {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
	}
	return `${text.length}-${hash.toString(36)}`;
}
