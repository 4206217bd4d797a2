import type { JsonObject } from '../../../service/http/transport';

const FIELDS = [
	{ property: 'includePaths', label: 'Include Paths' },
	{ property: 'excludePaths', label: 'Exclude Paths' },
];

/**
 * What is wrong with the path patterns of a crawl: one is no regular expression, as people write them who know
 * the patterns of shells, or begins with a host, which no path does. Shows the pattern that was meant.
 */
export function pathPatternFault(body: JsonObject): string | undefined {
	for (const { property, label } of FIELDS) {
		const patterns = body[property];
		if (!Array.isArray(patterns)) continue;
		for (const pattern of patterns.map(String)) {
			const fault = faultOf(pattern, body.regexOnFullURL === true);
			if (fault !== undefined) return `"${label}" ${fault}, but one is "${pattern.slice(0, 80)}".`;
		}
	}
	return undefined;
}

function faultOf(pattern: string, isForAddress: boolean): string | undefined {
	const [, host, path = ''] = /^(\^?https?:\/\/[^/]*)(.*)$/i.exec(pattern) ?? [];
	if (host !== undefined && !isForAddress) {
		return `is made of regular expressions for paths, without the host: write ${patternOf(path)}, or add Match Paths on Full URL`;
	}
	try {
		new RegExp(pattern);
		return undefined;
	} catch {
		return `is made of regular expressions, in which .* stands for any text: write ${patternOf(pattern)}`;
	}
}

/** The regular expression for a shell's pattern: each row of stars becomes `.*`, everything else stands for itself. */
function patternOf(glob: string): string {
	const pattern = glob
		.replace(/\.\*/g, '*')
		.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
		.replace(/\*+/g, '.*');
	return pattern === '' ? '/.*' : pattern;
}
