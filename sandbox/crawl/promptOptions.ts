/** Crawl options in the words of the contract (shape crawlParamsPreview). */
export interface PromptOptions {
	includePaths?: string[];
	excludePaths?: string[];
	limit?: number;
	maxDiscoveryDepth?: number;
	crawlEntireDomain?: boolean;
	allowSubdomains?: boolean;
	allowExternalLinks?: boolean;
	sitemap?: 'skip' | 'include';
	delay?: number;
}

const FILLER = /^(?:the|a|an|any|all|its|their|pages?|posts?|section|site|of|from|about|under)$/i;

/** The places named after one of the words, such as "blog" in "only the blog". */
function namedAfter(words: string, prompt: string): string[] {
	const found = prompt.matchAll(
		new RegExp(`\\b(?:${words})\\s+((?:[\\w/-]+\\s*(?:,|and|or)?\\s*){1,5})`, 'gi'),
	);
	const named = [...found].flatMap(([, list = '']) => {
		const [first] = list.split(/[\s,]+/).filter((word) => word !== '' && !FILLER.test(word));
		return first === undefined ? [] : [first.replace(/^\/+|\/+$/g, '')];
	});
	return [...new Set(named)].filter((word) => /^[\w/-]+$/.test(word));
}

function numberIn(pattern: RegExp, prompt: string): number | undefined {
	const [, digits] = pattern.exec(prompt) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/**
 * The options that a wish in plain language asks for. The service asks a language model; the sandbox
 * looks for plain words: "only the blog", "without /shop", "at most 20 pages", "2 levels deep".
 */
export function promptOptions(prompt: string): PromptOptions {
	const includes = namedAfter('only|just|under|inside', prompt);
	const excludes = namedAfter('without|except|exclude|excluding|skip|skipping|not', prompt).filter(
		(word) => word !== 'sitemap',
	);
	const limit = numberIn(/\b(\d+)\s+(?:\w+\s+)?pages?\b/i, prompt);
	const depth =
		numberIn(/\b(\d+)\s+(?:levels?|hops?|clicks?|links?)\b/i, prompt) ??
		numberIn(/\bdepth\s+(?:of\s+)?(\d+)/i, prompt);
	const seconds = numberIn(/\b(\d+)\s+seconds?\b/i, prompt);
	return {
		...(includes.length > 0 && { includePaths: includes.map((word) => `${word}(?:/.*)?$`) }),
		...(excludes.length > 0 && { excludePaths: excludes.map((word) => `${word}(?:/.*)?$`) }),
		...(limit !== undefined && limit > 0 && { limit }),
		...(depth !== undefined && { maxDiscoveryDepth: depth }),
		...(/\b(?:whole|entire|everything|complete)\b/i.test(prompt) && { crawlEntireDomain: true }),
		...(/\bsubdomains?\b/i.test(prompt) && { allowSubdomains: true }),
		...(/\bexternal\b/i.test(prompt) && { allowExternalLinks: true }),
		...(/\b(?:without|skip|ignore|no)\s+(?:the\s+)?sitemap\b/i.test(prompt) && {
			sitemap: 'skip' as const,
		}),
		...(seconds !== undefined && seconds > 0 && { delay: seconds }),
	};
}
