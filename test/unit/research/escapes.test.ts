import { fromMarkdown } from 'mdast-util-from-markdown';

import { fileForm, reportOf } from '../../../nodes/WebResearch/reportForms';
import { reportHtml } from '../../../nodes/text/report/reportHtml';
import { World } from './world.ts';

/** Statements of a page that look like something else, as a reader sees them. */
const SAID = [
	'Doses above 5 mg need a doctor, >5 mg is not sold freely.',
	'The law says a<b and c>d for all of them.',
	'The service runs on Node.js/Express behind a proxy.',
	'Rooms are sold on Booking.com since 2015.',
	'Write to sales@acme.example for an offer today.',
	'The manual stands at docs.acme.example/start for all.',
	'The file my_long_name and 2 * 3 * 4 are in the manual.',
	'The mark &lt; is written as an entity by Tom & Sons.',
];

/** How a page of Markdown has them. */
const inMarkdown = (said: string) => said.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('*', '\\*');

interface MarkdownNode {
	type: string;
	value?: string;
	children?: MarkdownNode[];
}

function textOf({ value = '', children = [] }: MarkdownNode): string {
	return value + children.map(textOf).join('');
}

/** What a browser shows of a page. */
function shownOf(html: string): string {
	return html
		.replace(/<style>.*?<\/style>/s, '')
		.replace(/<[^>]*>/g, '')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&amp;', '&');
}

it('each text is escaped once, for the place where it is shown', async () => {
	const world = new World({ 'https://a.example/': SAID.map(inMarkdown).join('\n\n') });
	world.script.read = () =>
		JSON.stringify({ claims: SAID.map((said) => ({ text: said, quote: inMarkdown(said), question: 1 })) });
	world.script.judge = ({ user }) =>
		JSON.stringify({
			verdicts: [...user.matchAll(/^(\d+)\. /gm)].map(([, pair]) => ({ pair: Number(pair), verdict: 'supported' })),
		});
	// A model writes Markdown, where an entity has to be written as one.
	const written = SAID.map((said) => said.slice(0, -1).replace('&lt;', '&amp;lt;'));
	world.script.write = () => written.map((said, at) => `- ${said} [${at + 1}].`).join('\n');
	const result = await world.run();
	const { finalAnalysis, claims } = result;
	const shown = {
		plain: claims.map(({ text }) => text).join('\n'),
		markdown: textOf(fromMarkdown(finalAnalysis)),
		file: textOf(fromMarkdown(fileForm(reportOf(result)))),
		html: shownOf(reportHtml({ title: 'a', body: finalAnalysis, footer: '' })),
	};
	for (const [place, text] of Object.entries(shown)) {
		expect([place, SAID.filter((said) => !text.includes(said.slice(0, -1)))]).toEqual([place, []]);
		expect([place, /&amp;|\\[.<_*]/.exec(text)]).toEqual([place, null]);
	}
});
