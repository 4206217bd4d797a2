import type { Editor } from './editor.ts';
import type { Instance } from './instance.ts';
import { manualTrigger, workflow } from './workflows.ts';

/** What people search n8n's list of nodes for when they want what this package does. */
export const WORDS = [
	...['research', 'deep research', 'web research', 'report', 'citations', 'fact check'],
	...['competitor', 'market research', 'lead generation', 'crawl', 'scrape', 'web scraping'],
	...['search', 'web search', 'map', 'pdf', 'html to markdown', 'structured data', 'extract'],
	...['screenshot', 'browser', 'agent', 'firecrawl', 'sitemap', 'website changed'],
	...['change detection', 'price monitoring', 'monitor', 'rss', 'document loader'],
];

/** What n8n's list calls the nodes of this package. */
export const OWN_NODES = [
	...['Web Data', 'Web Data Poll', 'Web Data Poll Trigger', 'Web Data Trigger'],
	...['Web Data Loader', 'Web Research', 'Web Research Tool'],
];

/** For each word the places of these nodes in what the search shows: `Web Data 1, Web Data Poll 2 of 4`. */
export async function measureRanks(n8n: Instance, editor: Editor, nodes: readonly string[]): Promise<string[]> {
	const { id } = await n8n.client.createWorkflow(workflow('Ranks', [manualTrigger]));
	await editor.openWorkflow(id);
	const ranks: string[] = [];
	for (const word of WORDS) {
		const found = await editor.searchNodes(word);
		const places = found.flatMap((name, index) => (nodes.includes(name) ? [`${name} ${index + 1}`] : []));
		ranks.push(places.length === 0 ? 'not found' : `${places.join(', ')} of ${found.length}`);
		console.log(`${word}: ${ranks.at(-1)}`);
	}
	return ranks;
}

/** A table in Markdown. */
export function table(heads: string[], rows: string[][]): string {
	const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
	return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The text with `written` between the two marks, in the place of what stands there. */
export function between(text: string, [begin, end]: [string, string], written: string): string {
	const [before = '', rest = ''] = text.split(begin);
	const [, after = ''] = rest.split(end);
	return `${before}${[begin, written, end].join('\n\n')}${after}`;
}
