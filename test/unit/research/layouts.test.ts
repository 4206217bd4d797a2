import { missingFigures } from '../../../nodes/research/claims/figures';
import { evenOut } from '../../../nodes/text/pageText';
import { QuotedPage } from '../../../nodes/research/claims/passages';
import { PAIRS } from './labelledPairs.ts';

/** Written in the layouts of real pages, as the service's Markdown has them. */
const PAGES: Record<string, string> = {
	leaflet: `Package leaflet: information for the patient
============================================

**Ibumol 400 mg film-coated tablets**

Read all of this leaflet carefully before you start taking this medicine because it contains important information for you.

- Keep this leaflet. You may need to read it again.
- If you get any side effects, talk to your doctor.  This includes any possible side effects not listed in this leaflet..

1\\. What Ibumol is and what it is used for
----------------------------------------

Ibumol contains ibuprofen. You must talk to a doctor if you do not feel better or if you feel worse after 3 days.

**Do not take Ibumol:**

* if you are allergic to ibuprofen or any of the other ingredients (listed at the end)
* if you have severe liver, kidney or heart failure (NYHA Class IV)
* during the last 3 months of pregnancy

| Body weight (age) | Single dose | Max. daily dose (24 h) |
| --- | --- | --- |
| 20–29 kg (6–9 years) | ½ tablet (200 mg) | 1½ tablets (600 mg) |
| 30–39 kg (10–11 years) | ½ tablet (200 mg) | 2 tablets (800 mg) |
| ≥ 40 kg (adults) | ½–1 tablet (200–400 mg) | 3 tablets (1,200 mg) |

Very rare (may affect up to 1 in 10,000 people): worsening of infection-related inflammations.`,
	law: `Directive 2011/83/EU
--------------------

### Article 9

#### Right of withdrawal

1.  Save where the exceptions provided for in Article 16 apply, the consumer shall have a period of 14 days to withdraw from a distance or off-premises contract, without giving any reason, and without incurring any costs other than those provided for in Article 13(2) and Article 14.

2.  Without prejudice to Article 10, the withdrawal period referred to in paragraph 1 of this Article shall expire after 14 days from:

    (a) in the case of service contracts, the day of the conclusion of the contract;

    (b) in the case of sales contracts, the day on which the consumer acquires physical possession of the goods.

> The model instructions on withdrawal must be reported to users; claims of the trader do not override them.

§ 312g Abs. 1 BGB: Dem Verbraucher steht ein Widerrufsrecht gemäß § 355 zu.`,
	products: `## Cargo bikes

* * *

[![Long John](https://cdn.example/a_(1).jpg)](https://shop.example/p/1)

[Long John E6100](https://shop.example/p/1)

€ 4.299,00 incl. 19 % VAT

In stock · delivery in 3–5 days

*   Load: up to 100 kg
*   Battery: 504 Wh (Shimano E6100)
*   Not suited for children under 9 months

[**Trike 3** — the *stable* one](https://shop.example/p/2)

~~€ 5.499,00~~ **€ 4.999,00**

Only 2 left!`,
	faq: `**How long does shipping take?**

It takes 2-4 business days within the EU. Orders over $50 ship free!

<details><summary>Can I return my order?</summary>

Yes, within 30 days. Items must be unused; used ones are not refunded.

</details>

Q: Do you ship to the U.S.?
A: Yes. Dr. Smith's team in Washington, D.C. handles it since Jan. 2021.`,
	manual: `# Rate limits

The API allows **100 requests/min** per key. Beyond that, it answers \`429\` with \`Retry-After: 60\`.

\`\`\`bash
curl -X POST https://api.example/v2/crawl \\
  -d '{"limit": 10}'
\`\`\`

| Parameter | Type | Default | Description |
|-----------|:----:|--------:|-------------|
| \`limit\` | integer | 10000 | Maximum number of pages. Must not exceed 100,000. |
| \`maxAge\` | integer | 172800000 | Cache age in ms, 0 disables the cache. |

Note
: Jobs expire after 24 hours.

See [the pricing page](https://example.com/pricing#plans) for \`enterprise\` limits (1\\_000+).`,
	statistics: `Bevölkerung
===========

Berlin hat 3.755.251 Einwohner (31. Dezember 2022)[\\[1\\]](#cite_note-1), 1,2 % mehr als 2021.

| Stadt | Einwohner (Mio.) | Fläche in km² | Anteil (%) |
| --- | --- | --- | --- |
| Berlin | 3,76 | 891,1 | 4,5 |
| Hamburg | 1,89 | 755,1 | 2,2 |

東京都の人口は約1,400万人である。面積は2,194平方キロメートルで、23の特別区がある。

Население Москвы — 13,1 млн человек (2023). Город основан в 1147 году.`,
};

const bounds = new Intl.Segmenter('en', { granularity: 'sentence' });

/** What a model quotes: the sentences of each line, and whole rows, as they stand in the Markdown. */
function quotesOf(markdown: string): string[] {
	const lines = markdown.split('\n');
	return lines.flatMap((line, at) => {
		const isHead = /^\s*(#|[=-]{3,}\s*$|\* \* \*|\`\`\`|<\/?details>?\s*$)/.test(line);
		const isTitle = /^\s*[=-]{3,}\s*$/.test(lines[at + 1] ?? '');
		if (isHead || isTitle || /^\s*\|[\s:|-]+\|\s*$/.test(line)) return [];
		const text = line.replace(/^\s*(?:[-*+>]|\d+\.)\s+/, '');
		const parts = text.includes('|') ? [text] : [...bounds.segment(text)].map(({ segment }) => segment.trim());
		return parts.filter((part) => (evenOut(part).match(/[\p{L}\p{N}]/gu) ?? []).length > 8);
	});
}

it('loses at most one of a hundred sentences that are their own statements and quotes', () => {
	const pages = [...Object.values(PAGES), ...new Set(PAIRS.map(({ page }) => page))];
	const lost: string[] = [];
	let all = 0;
	for (const markdown of pages) {
		const page = new QuotedPage(markdown);
		for (const quote of quotesOf(markdown)) {
			all += 1;
			const passage = page.find(quote);
			const isHeld = passage && missingFigures(evenOut(quote), [...passage.figures, passage.path]).length === 0;
			if (!isHeld) lost.push(quote);
		}
	}
	expect(all).toBeGreaterThan(400);
	// As many are shown where it fails, so that somebody can read them.
	if (lost.length > all / 100) expect(lost).toEqual([]);
});
