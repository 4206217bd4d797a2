import { markdownHtml, reportHtml } from '../../../nodes/text/report/reportHtml';
import { expectLinear } from '../../helpers/growth';

describe('a report as HTML', () => {
	it.each([
		['# A', '<h2>A</h2>'],
		['A **b** *c* ~~d~~ `e < f`', '<p>A <strong>b</strong> <em>c</em> <del>d</del> <code>e &lt; f</code></p>'],
		['[1](https://a.example/?b=1&c=2)', '<p><a href="https://a.example/?b=1&amp;c=2">1</a></p>'],
		['See <https://a.example/>', '<p>See <a href="https://a.example/">https://a.example/</a></p>'],
		['- a\n- b\n  - c', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
		['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
		[
			'| A | B |\n| --- | --- |\n| 1 | 2 |',
			'<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
		],
		['> a\n> b', '<blockquote><p>a\nb</p></blockquote>'],
		['a\n\n---\n\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
		['```js\n<b>\n```', '<pre>&lt;b&gt;</pre>'],
		['\\*a\\* &lt;b> 2 * 3 * 4', '<p>*a* &lt;b&gt; 2 * 3 * 4</p>'],
	])('%j', (markdown, html) => {
		expect(markdownHtml(markdown)).toBe(html);
	});

	it.each([
		'<script>alert(1)</script>',
		'[x](javascript:alert(1))',
		'![x](https://a.example/p.png)',
		'<img src=x onerror=alert(1)>',
		'[x](https://a.example/" onclick="alert(1))',
	])('shows %j as text', (text) => {
		const html = reportHtml({ title: text, body: text, footer: text });
		expect(
			html.replace(
				/<\/?(?:!DOCTYPE html|html|head|meta[^>]*|title|style|body|h1|p|footer|a href="https:[^"]*"|a)>/g,
				'',
			),
		).not.toMatch(/<(?!\/?style)/);
	});

	it('takes time in proportion to the text', async () => {
		for (const piece of ['*a ', '[a](https://', '**', '`', '> ', '- ', '|', '\\', '<https://a ', '#', '  - a\n']) {
			await expectLinear(10_000, (n) => markdownHtml(piece.repeat(n)));
		}
	});
});
