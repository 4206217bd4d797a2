/**
 * Data that stands in a text itself (RFC 2397), such as a picture in base64: it says nothing to a reader, an embedding
 * or a model, and costs by the letter.
 */

/** `data:` with a media type and its parameters, up to the comma. */
const START = /(?<![\w-])data:([a-z]+\/[\w.+-]{1,100})((?:;[\w.+-]{1,100}(?:=[^\s,;"'()<>]{0,100})?){0,5}),/gi;

/** Letters of base64, also with their escapes in an address. */
const BASE64_END = /[^\w+/=%-]/g;

/** The sign that ends data that is no base64: the quotation that it stands in, the end of a link, a space. */
const ENDS: Readonly<Record<string, RegExp>> = { '"': /"/g, "'": /'/g };
const PLAIN_END = /[\s"')>\]]/g;
const SVG_END = '</svg>';

/** The text with `image/png, left out` in the place of each. Takes time in proportion to the text. */
export function withoutDataUris(text: string): string {
	if (!/data:/i.test(text)) return text;
	const parts: string[] = [];
	const lastSvgEnd = text.lastIndexOf(SVG_END);
	let from = 0;
	for (const match of text.matchAll(START)) {
		const [start, type = '', parameters = ''] = match;
		// Inside of one that was left out, as in an SVG picture.
		if (match.index < from) continue;
		const begin = match.index + start.length;
		let end: number;
		if (/;base64$/i.test(parameters)) end = placeOf(BASE64_END, text, begin);
		// A picture in SVG may hold quotations and spaces.
		else if (text.startsWith('<svg', begin) && begin < lastSvgEnd) {
			end = text.indexOf(SVG_END, begin) + SVG_END.length;
		} else end = placeOf(ENDS[text.charAt(match.index - 1)] ?? PLAIN_END, text, begin);
		parts.push(text.slice(from, match.index), `${type.toLowerCase()}, left out`);
		from = end;
	}
	return parts.join('') + text.slice(from);
}

function placeOf(end: RegExp, text: string, from: number): number {
	end.lastIndex = from;
	return end.exec(text)?.index ?? text.length;
}
