/**
 * Whether a host is one of the public internet as far as its name tells: not this machine, a local
 * network, a provider's inside (CGNAT), or an address for special use (IANA registries of 2026). What a
 * name resolves to is not known here. `hostname` is that of a URL, so numbers are in their usual form.
 */
export function isPublicHost(hostname: string): boolean {
	const host = hostname.toLowerCase().replace(/\.$/, '');
	if (host.startsWith('[')) return isPublicIpv6(host.slice(1, -1));
	if (/^\d+(\.\d+){3}$/.test(host)) return isPublicIpv4(host.split('.').map(Number));
	// A name without a dot is one of the local network.
	return host.includes('.') && !/\.(localhost|local|internal|lan|home|corp|home\.arpa)$/.test(host);
}

function isPublicIpv4([a = 0, b = 0, c = 0]: number[]): boolean {
	if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
	if (a === 100) return b < 64 || b > 127;
	if (a === 169) return b !== 254;
	if (a === 172) return b < 16 || b > 31;
	if (a === 192) return b !== 168 && !(b === 0 && (c === 0 || c === 2));
	if (a === 198) return b !== 18 && b !== 19 && !(b === 51 && c === 100);
	return !(a === 203 && b === 0 && c === 113);
}

function isPublicIpv6(address: string): boolean {
	const groups = groupsOf(address);
	const [first = 0, second = 0] = groups;
	const start = groups.slice(0, 6);
	const isZero = (some: number[]) => some.every((group) => group === 0);
	const [high = 0, low = 0] = groups.slice(6);
	const embedded = [high >> 8, high & 255, low >> 8, low & 255];
	// Mapped, translated (NAT64) and compatible addresses are those of IPv4.
	if (isZero(start.slice(0, 5)) && (start[5] === 0xffff || start[5] === 0)) {
		return start[5] === 0xffff && isPublicIpv4(embedded);
	}
	if (first === 0x64 && second === 0xff9b) return isPublicIpv4(embedded);
	if (first === 0x2002) {
		const [, third = 0, fourth = 0] = groups;
		return isPublicIpv4([third >> 8, third & 255, fourth >> 8]);
	}
	if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
	// Public addresses begin with the bits 001.
	return first >> 13 === 1;
}

/** The eight groups of an IPv6 address as a URL writes it: hexadecimal, one `::` at most. */
function groupsOf(address: string): number[] {
	const [left = '', right = ''] = address.split('::');
	const numbers = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
	const [before, after] = [numbers(left), numbers(right)];
	return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
