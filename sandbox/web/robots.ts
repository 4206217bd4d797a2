/** What a site's robots.txt says to this service. */
export interface Robots {
	allows(url: string): boolean;
	/** Addresses of sitemaps it names. */
	sitemaps: string[];
}

/** The name a site may address the service by; it obeys `*` where it is not named. */
export const DEFAULT_AGENT = 'FireCrawlAgent';

interface Rule {
	isAllowed: boolean;
	pattern: RegExp;
	length: number;
}

function ruleOf(path: string, isAllowed: boolean): Rule {
	const isWhole = path.endsWith('$');
	const body = (isWhole ? path.slice(0, -1) : path)
		.split('*')
		.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
		.join('.*');
	return { isAllowed, pattern: new RegExp(`^${body}${isWhole ? '$' : ''}`), length: path.length };
}

/** Reads a robots.txt (RFC 9309): groups by agent, `*` and `$`, the longest match decides. */
export function readRobots(text: string, agent: string = DEFAULT_AGENT): Robots {
	const groups = new Map<string, Rule[]>();
	const sitemaps: string[] = [];
	let current: string[] = [];
	let isReadingAgents = false;
	for (const line of text.split(/\r?\n/)) {
		const [, field = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? [];
		const name = field.toLowerCase();
		if (name === 'sitemap') sitemaps.push(value);
		if (name === 'user-agent') {
			if (!isReadingAgents) current = [];
			current.push(value.toLowerCase());
			isReadingAgents = true;
			continue;
		}
		if (name !== 'allow' && name !== 'disallow') continue;
		isReadingAgents = false;
		if (value === '') continue;
		for (const one of current) {
			groups.set(one, [...(groups.get(one) ?? []), ruleOf(value, name === 'allow')]);
		}
	}
	const own = agent.toLowerCase();
	const rules = groups.get(own) ?? groups.get('*') ?? [];
	return {
		sitemaps,
		allows(url) {
			const { pathname, search } = new URL(url);
			let best: Rule | undefined;
			for (const rule of rules) {
				if (!rule.pattern.test(pathname + search)) continue;
				const isLonger = rule.length > (best?.length ?? -1);
				if (isLonger || (rule.length === best?.length && rule.isAllowed)) best = rule;
			}
			return best?.isAllowed ?? true;
		},
	};
}
