/** Pieces of Markdown as pages have them, with what goes wrong in real ones. */
export const PIECES: Readonly<Record<string, string>> = {
	'paragraphs and headings':
		'# One\n\nFirst line\nsecond line.\n\n## Two ##\n\nText of two. More of it.\n\nThree\n===\n\nFour\n---\n\nLast.',
	'a list':
		'Plans:\n\n- Free\n- Pro, 39 euros\n  - with support\n\n  second paragraph of it\n- Team\n\n1. one\n2) two\n\n* star\n+ plus\n• dot',
	'a list that a line leads to': 'What it costs:\n- 5 euros a day\n- 30 euros a week\n\nWhat is free:\n\n- walking',
	'a table': '| Plan | Price (EUR) | Seats |\n|---|:---:|--:|\n| Free | 0 | 1 |\n| Pro | 39 | 5 |\n\nBelow.',
	'a table without edges': 'Plan | Price\n--- | ---\nFree | 0\nPro \\| Max | 39\n',
	'a table without a head': '| a | b |\n| c | d |\n\ntext',
	'rows of other lengths': '| A | B |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n|  |  |\n',
	'a table in HTML':
		'<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Free</td><td>0</td></tr><tr><td>Pro</td><td>39 euros</td></tr></table>\n\nBelow.',
	code: 'Before.\n\n```js\nconst a = "# no heading";\n- no item\n```\n\n    indented code\n\n~~~\nopen to the end\n# no heading',
	'code in a line': 'Use `a | b` and ``c ` d``, or `<script>`.',
	'a quotation': '> First of it\n> second of it\n>\n> - an item\n\nAfter it.\n> again\nlazy line',
	'links and images':
		'See [the page](https://a.example/x_(y)) and ![a picture](https://a.example/p.png "Title"), <https://b.example>, [ref][1] and [a [b] c](d).\n\n[1]: https://c.example "Ref"',
	'a picture that is a link': '[![Alt](https://a.example/p.png)](https://a.example)\n\nText ![](x.png) here.',
	'marks of words':
		'This is **bold**, *it*, ***both***, __under__, _it_, ~~gone~~, snake_case_name, 2*3*4 and \\*no\\* mark.',
	entities: 'Tom &amp; Jerry &lt;b&gt; &nbsp;&euro;5 &#8211; &#x27; &unknown; &copy;2024',
	breaks: 'one  \ntwo\\\nthree<br>four<br/>five\u00adsix\u200bseven',
	'raw HTML':
		'<div>\n\nInside **bold**.\n\n</div>\n\n<p>In a paragraph</p> after it.\n<span title="a > b">span</span> a<b and c>d, 5 < 6.',
	'hidden HTML':
		'Seen.\n\n<script>\nvar a = "hidden";\n</script>\n\n<style>p { }</style>\n\n<!-- a comment\n\nover lines -->\n\nSeen too.\n\n<template>hidden</template> end.',
	'a comment that never ends': 'Before.\n\n<!-- open\n\nAll of this is seen.\n\n- item',
	'a script that never ends': 'Before.\n\n<script>\nvar a = 1;\n\nNot seen?\n\n# Heading',
	'hidden in code':
		'Text `<script>` stays.\n\n```html\n<script>alert(1)</script>\n<!-- a -->\n```\n\nEnd \\<script> too.',
	'hidden in a list':
		'- one <!-- a\n- two\n\n  <script>b</script>\n\n- three -->\n\n> quoted <style>c\n\nOutside </style> end',
	'a details element': '<details><summary>More</summary>\n\nInside it.\n\n</details>\n\nAfter.',
	footnotes: 'It has 15 million users[^1] and more[^note].\n\n[^1]: A footnote.\n[^note]: Another.',
	'raised and lowered': 'H<sub>2</sub>O, 10<sup>6</sup> m<sup>2</sup>, see<sup>3</sup> ² ³ ¹.',
	Chinese: '# 标题\n\n公司成立于1990年。有三百名员工！价格是“39元”吗？是的。\n\n- 第一，\n- 第二。',
	'Japanese and Korean':
		'会社は1990年に設立されました。\n社員は300人です。\n\n회사는 1990년에 설립되었습니다. 직원은 300명입니다.',
	'Arabic and Hebrew': 'تأسست الشركة عام 1990. لديها 300 موظف؟ نعم!\n\nהחברה נוסדה ב-1990. יש בה 300 עובדים.',
	'Thai and Hindi': 'บริษัทก่อตั้งในปี 1990 มีพนักงาน 300 คน\n\nकंपनी 1990 में स्थापित हुई। इसमें 300 कर्मचारी हैं।',
	'German with dates and shortened words':
		'Am 5. Mai 2027 öffnet die Brücke. Sie kostet ca. 12 Mio. Euro, inkl. MwSt. In der 4. Klasse sind es 30. Dr. Meier sagt ja.',
	'English with shortened words':
		'Smith et al. (2023) say so. It costs approx. 5 dollars, e.g. in the U.S. today. On Jan. 5 it ended. No. 5 is alive.',
	typography: '“Nobody,” she said — ‘no one’ – knows… 1 000 000 or 1 000 000. It’s 5′ 6″ and 20 °C.',
	'rules and blank lines': 'One\n\n---\n\n***\n\n\n\nTwo\r\n\r\nThree\rFour\n\n- - -\n\nFive',
	'definition and task lists': 'Term\n: its meaning\n\n- [ ] open\n- [x] done',
	'a long line': `${'word '.repeat(120).trim()}. ${'other '.repeat(60).trim()}.`,
	'deep headings':
		'# A\n\ntext a\n\n## B\n\ntext b\n\n### C\n\ntext c\n\n## D\n\ntext d\n\n# E\n\n#### F\n\ntext f\n\n#no heading\n\n####### seven',
	'front matter': '---\ntitle: A page\n---\n\nText.',
	'data and addresses':
		'![x](data:image/png;base64,AAAA) text https://a.example/very/long?q=1&b=2#c and mail@a.example, www.b.example.',
};
