import type { MadePage } from './madePages';

/** Pages as sites write them, made by hand. Those behind `HELD_BACK` were not looked at while the code was made. */
export const WRITTEN: MadePage[] = [
	{
		name: 'prices with a switch between month and year',
		url: 'https://tool.example/pricing',
		markdown: `# Pricing

Billed monthly
Billed yearly (save 20%)

## Free

$0

For hobby projects

- 1 project
- 500 MB storage

[Start](/signup?plan=free)

## Pro

$24

per user / month

- Unlimited projects
- 50 GB storage
- Everything in Free

[Start trial](/signup?plan=pro)

## Business

$59

per user / month

- SSO and audit log
- 500 GB storage
- Everything in Pro

[Talk to us](/contact)

## FAQ

### Can I change from Pro to Business later?

Yes, at any time. You pay the difference of $35.
`,
		json: {
			plans: [
				{ name: 'Free', price: 0, currency: 'USD', storage: '500 MB', link: 'https://tool.example/signup?plan=free' },
				{ name: 'Pro', price: 24, currency: 'USD', storage: '50 GB', link: 'https://tool.example/signup?plan=pro' },
				{ name: 'Business', price: 59, currency: 'USD', storage: '500 GB', link: 'https://tool.example/contact' },
			],
		},
	},
	{
		name: 'a shop in German with old prices',
		url: 'https://laden.example/lampen',
		markdown: `[Zum Inhalt](#main) | [Warenkorb (2)](/warenkorb)

# Lampen

24 Artikel, Seite 1 von 3

[![Tischleuchte Mira](https://laden.example/bild/1041.jpg)](https://laden.example/mira)

[Tischleuchte Mira](https://laden.example/mira)

4,7 (128)

~~89,90 €~~ **69,90 €**

Lieferbar in 2–3 Tagen

[![Stehlampe Odin](https://laden.example/bild/2208.jpg)](https://laden.example/odin)

[Stehlampe Odin](https://laden.example/odin)

4,2 (31)

149,00 €

Nur noch 3 Stück

[![Wandlampe Fee](https://laden.example/bild/3377.jpg)](https://laden.example/fee)

[Wandlampe Fee](https://laden.example/fee)

3,9 (7)

54,50 €

Lieferbar in 5 Tagen

Alle Preise inkl. 19 % MwSt.
`,
		json: {
			products: [
				{
					title: 'Tischleuchte Mira',
					price: '69,90 €',
					rating: 4.7,
					reviews: 128,
					image: 'https://laden.example/bild/1041.jpg',
				},
				{
					title: 'Stehlampe Odin',
					price: '149,00 €',
					rating: 4.2,
					reviews: 31,
					image: 'https://laden.example/bild/2208.jpg',
				},
				{
					title: 'Wandlampe Fee',
					price: '54,50 €',
					rating: 3.9,
					reviews: 7,
					image: 'https://laden.example/bild/3377.jpg',
				},
			],
		},
	},
	{
		name: 'an imprint',
		url: 'https://firma.example/impressum',
		markdown: `# Impressum

**Nordlicht Werkzeuge GmbH**
Hafenstraße 12
24103 Kiel

Vertreten durch die Geschäftsführerin: Dr. Antje Petersen

Telefon: +49 431 5551234
Fax: +49 431 5551299
E-Mail: kontakt@nordlicht.example

Registergericht: Amtsgericht Kiel, HRB 48213
Umsatzsteuer-ID: DE 298 114 337
`,
		json: {
			company: 'Nordlicht Werkzeuge GmbH',
			address: 'Hafenstraße 12, 24103 Kiel',
			managing_director: 'Dr. Antje Petersen',
			phone: '+49 431 5551234',
			email: 'kontakt@nordlicht.example',
			register_number: 'HRB 48213',
		},
	},
	{
		name: 'a table of events in French',
		url: 'https://scene.example/agenda',
		markdown: `# Agenda

| Date | Concert | Salle | Tarif |
| --- | --- | --- | --- |
| 3 mars 2026 | Les Marées | Grande salle | 18 € |
| 14 mars 2026 | Trio Valmont | Petite salle | 12 € |
| 2 avril 2026 | Orchestre du Parc | Grande salle | 32 € |

Tarif réduit : 8 €. Billetterie : 02 40 55 12 34
`,
		json: {
			concerts: [
				{ title: 'Les Marées', date: '2026-03-03', hall: 'Grande salle', price: 18 },
				{ title: 'Trio Valmont', date: '2026-03-14', hall: 'Petite salle', price: 12 },
				{ title: 'Orchestre du Parc', date: '2026-04-02', hall: 'Grande salle', price: 32 },
			],
			phone: '02 40 55 12 34',
		},
	},
	{
		name: 'an article with a date and an author',
		url: 'https://blatt.example/2026/05/bridge',
		markdown: `# New bridge opens after six years

By [Rosa Lind](/authors/rosa-lind) · May 12, 2026 · 4 min read

The bridge over the Elm cost 312 million dollars, 48 million more than planned. It carries 27,000 cars a day.

Construction began in 2020. "We are proud," said engineer Tomas Weil.

## Read more

- [Old bridge closes](/2026/04/old) · April 2, 2026
`,
		json: {
			headline: 'New bridge opens after six years',
			author: 'Rosa Lind',
			published: '2026-05-12',
			cost: 312_000_000,
			carsPerDay: 27_000,
			startYear: 2020,
			engineer: 'Tomas Weil',
			summary: 'After six years of work the bridge over the Elm is open, at a higher cost than was planned before.',
		},
	},
	{
		name: 'specifications in a table of two columns',
		url: 'https://phones.example/z9',
		markdown: `# Zeta 9

**€749** incl. VAT

| Feature | Value |
| --- | --- |
| Display | 6.4 inch |
| Weight | 187 g |
| Battery | 4,900 mAh |
| Memory | 12 GB |
| Colours | Black, Sand, Blue |
| Release | 9 September 2025 |
`,
		json: {
			name: 'Zeta 9',
			price: 749,
			currency: 'EUR',
			display: '6.4 inch',
			weight: 187,
			battery: 4900,
			memory: '12 GB',
			colours: ['Black', 'Sand', 'Blue'],
			release: '2025-09-09',
		},
	},
];

export const HELD_BACK: MadePage[] = [
	{
		name: 'jobs as links of several lines',
		url: 'https://work.example/jobs',
		markdown: `# Open positions

3 jobs

[Backend Engineer\\
\\
Berlin, Germany\\
\\
Full-time\\
\\
Posted 2026-06-01](https://work.example/jobs/811)

[Data Analyst\\
\\
Remote\\
\\
Part-time\\
\\
Posted 2026-06-14](https://work.example/jobs/822)

[Office Manager\\
\\
Vienna, Austria\\
\\
Full-time\\
\\
Posted 2026-05-20](https://work.example/jobs/799)
`,
		json: {
			jobs: [
				{
					title: 'Backend Engineer',
					location: 'Berlin, Germany',
					type: 'Full-time',
					posted: '2026-06-01',
					url: 'https://work.example/jobs/811',
				},
				{
					title: 'Data Analyst',
					location: 'Remote',
					type: 'Part-time',
					posted: '2026-06-14',
					url: 'https://work.example/jobs/822',
				},
				{
					title: 'Office Manager',
					location: 'Vienna, Austria',
					type: 'Full-time',
					posted: '2026-05-20',
					url: 'https://work.example/jobs/799',
				},
			],
		},
	},
	{
		name: 'a comparison with plans as columns',
		url: 'https://host.example/compare',
		markdown: `# Compare plans

|  | Small | Medium | Large |
| --- | --- | --- | --- |
| Price | £6.50 | £14 | £29 |
| CPU | 1 core | 2 cores | 4 cores |
| RAM | 2 GB | 4 GB | 16 GB |
| Traffic | 1 TB | 3 TB | Unlimited |
| Backups | – | weekly | daily |
`,
		json: {
			plans: [
				{ name: 'Small', price: 6.5, currency: 'GBP', ram: '2 GB', traffic: '1 TB' },
				{ name: 'Medium', price: 14, currency: 'GBP', ram: '4 GB', traffic: '3 TB' },
				{ name: 'Large', price: 29, currency: 'GBP', ram: '16 GB', traffic: 'Unlimited' },
			],
		},
	},
	{
		name: 'a company in Japanese',
		url: 'https://kaisha.example/company',
		markdown: `# 会社概要

| 項目 | 内容 |
| --- | --- |
| 会社名 | 株式会社みずほ製作所 |
| 設立 | 1987年4月1日 |
| 資本金 | 3億2,000万円 |
| 従業員数 | 412名（2025年3月現在） |
| 本社 | 大阪府大阪市北区梅田2-4-9 |
| 電話 | 06-6345-1234 |
`,
		json: {
			company: '株式会社みずほ製作所',
			founded: '1987-04-01',
			capital: 320_000_000,
			employees: 412,
			address: '大阪府大阪市北区梅田2-4-9',
			phone: '06-6345-1234',
		},
	},
	{
		name: 'flats with the price above the street',
		url: 'https://homes.example/rent',
		markdown: `# Flats to rent

Sorted by price. 3 of 118 results.

![](https://homes.example/p/a1.jpg)

**1.150 €** warm

Lindenweg 4, 50674 Köln

62 m² · 2 Zimmer · frei ab 01.08.2026

![](https://homes.example/p/b7.jpg)

**1.480 €** warm

Am Park 19, 50931 Köln

84 m² · 3 Zimmer · frei ab 15.09.2026

![](https://homes.example/p/c3.jpg)

**2.020 €** warm

Rheinufer 7, 50668 Köln

103 m² · 4 Zimmer · frei ab 01.07.2026

Anbieter: Musterhaus GmbH, Tel. 0221 998877
`,
		json: {
			flats: [
				{
					address: 'Lindenweg 4, 50674 Köln',
					rent: 1150,
					area: '62 m²',
					rooms: 2,
					image: 'https://homes.example/p/a1.jpg',
				},
				{
					address: 'Am Park 19, 50931 Köln',
					rent: 1480,
					area: '84 m²',
					rooms: 3,
					image: 'https://homes.example/p/b7.jpg',
				},
				{
					address: 'Rheinufer 7, 50668 Köln',
					rent: 2020,
					area: '103 m²',
					rooms: 4,
					image: 'https://homes.example/p/c3.jpg',
				},
			],
		},
	},
];

/** Written after the rules were made, and looked at once. */
export const LAST: MadePage[] = [
	{
		name: 'a team page with pictures and titles in one line',
		url: 'https://praxis.example/team',
		markdown: `## Unser Team

![](https://praxis.example/t/1.webp)

#### Dr. med. Lena Hartwig
Fachärztin für Innere Medizin
Sprechstunde: Mo, Mi 8–12 Uhr
Tel. 030 4455 6601

![](https://praxis.example/t/2.webp)

#### Dr. med. Paul Sommer
Facharzt für Kardiologie
Sprechstunde: Di, Do 14–18 Uhr
Tel. 030 4455 6602

![](https://praxis.example/t/3.webp)

#### Miriam Vogt
Medizinische Fachangestellte
Tel. 030 4455 6600
`,
		json: {
			team: [
				{
					name: 'Dr. med. Lena Hartwig',
					role: 'Fachärztin für Innere Medizin',
					phone: '030 4455 6601',
					photo: 'https://praxis.example/t/1.webp',
				},
				{
					name: 'Dr. med. Paul Sommer',
					role: 'Facharzt für Kardiologie',
					phone: '030 4455 6602',
					photo: 'https://praxis.example/t/2.webp',
				},
				{
					name: 'Miriam Vogt',
					role: 'Medizinische Fachangestellte',
					phone: '030 4455 6600',
					photo: 'https://praxis.example/t/3.webp',
				},
			],
		},
	},
	{
		name: 'a recipe',
		url: 'https://kitchen.example/lentil-soup',
		markdown: `# Red Lentil Soup

**4.6** from 312 votes

Prep Time: 10 mins
Cook Time: 25 mins
Servings: 4
Calories: 286 kcal

### Ingredients

- 200 g red lentils
- 1 onion, chopped
- 2 carrots
- 900 ml vegetable stock

### Instructions

1. Fry the onion in 2 tbsp oil.
2. Add everything else and cook for 20 minutes.

By Hanna Birch | Updated: Feb 9, 2026
`,
		json: {
			title: 'Red Lentil Soup',
			rating: 4.6,
			votes: 312,
			prep_time: 10,
			cook_time: 25,
			servings: 4,
			calories: 286,
			ingredients: ['200 g red lentils', '1 onion, chopped', '2 carrots', '900 ml vegetable stock'],
			author: 'Hanna Birch',
			updated: '2026-02-09',
		},
	},
	{
		name: 'results of a league',
		url: 'https://liga.example/table',
		markdown: `# Tabelle

Stand: 14.11.2025

| # | Verein | Sp | S | U | N | Tore | Pkt |
|---|---|---|---|---|---|---|---|
| 1 | SV Blauheim | 12 | 9 | 2 | 1 | 28:9 | 29 |
| 2 | TuS Lohtal | 12 | 8 | 3 | 1 | 25:11 | 27 |
| 3 | FC Ostermark | 12 | 7 | 1 | 4 | 21:17 | 22 |
| 4 | Rot-Weiß Arnau | 12 | 5 | 4 | 3 | 19:15 | 19 |
`,
		json: {
			date: '2025-11-14',
			teams: [
				{ rank: 1, club: 'SV Blauheim', played: 12, won: 9, goals: '28:9', points: 29 },
				{ rank: 2, club: 'TuS Lohtal', played: 12, won: 8, goals: '25:11', points: 27 },
				{ rank: 3, club: 'FC Ostermark', played: 12, won: 7, goals: '21:17', points: 22 },
				{ rank: 4, club: 'Rot-Weiß Arnau', played: 12, won: 5, goals: '19:15', points: 19 },
			],
		},
	},
];
