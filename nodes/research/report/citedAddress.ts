import { linkAddress } from './cleanReport';

/** Places that one link names. */
const MAX_JUMPS = 4;

/**
 * The address of a page, for a link that jumps to these places (textJump.ts) and marks them; of a PDF file, whose readers
 * know no such links, the address alone. Undefined where it is no address of a web page.
 */
export function citedAddress(url: string, jumps: readonly string[]): string | undefined {
	const address = linkAddress(url);
	if (address === undefined || jumps.length === 0 || /\.pdf$/i.test(new URL(address).pathname)) return address;
	const directives = [...new Set(jumps)].slice(0, MAX_JUMPS).map((jump) => `text=${jump}`);
	return `${address}${address.includes('#') ? '' : '#'}:~:${directives.join('&')}`;
}
