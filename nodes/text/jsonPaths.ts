/** Paths of values in a JSON are as in n8n's Split Out: `plans[3].price`. */

/** The path of a field of the object at a path; an empty one is that of the whole. */
export function pathOfField(path: string, name: string): string {
	return path === '' ? name : `${path}.${name}`;
}

/** The name of the field of a path: `price` of `plans[0].price`, `tags` of `tags[2]`. */
export function fieldOf(path: string): string {
	const last = path.slice(path.lastIndexOf('.') + 1);
	const list = last.indexOf('[');
	return list > 0 ? last.slice(0, list) : last;
}

/** The name of a field as words: `free trial` of `freeTrial` and `free_trial`. */
export function spacedName(name: string): string {
	return name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/[_-]+/g, ' ');
}

/** The path of a value without the places in its lists: `plans[].price` of `plans[3].price`. */
export function withoutPlaces(path: string): string {
	return path.replace(/\[\d+\]/g, '[]');
}
