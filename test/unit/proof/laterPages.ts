import type { MadePage } from './madePages';

/** Pages by hand that were written after those of strangePages.ts had been mended for. */
export const LATER: MadePage[] = [
	{
		name: 'cars in Spanish',
		url: 'https://coches.example/segunda-mano',
		markdown: `# Coches de segunda mano en Valencia

1 - 3 de 248 anuncios

[![Seat Ibiza](https://img.coches.example/1.jpg)](https://coches.example/a/5501)

[Seat Ibiza 1.0 TSI Style](https://coches.example/a/5501)

2019 | 61.300 km | Gasolina | 95 CV

11.490 €

Financiado: 10.690 €

AutoTuria (Valencia)

[![Dacia Duster](https://img.coches.example/2.jpg)](https://coches.example/a/5522)

[Dacia Duster Prestige 4x4](https://coches.example/a/5522)

2021 | 48.950 km | Diésel | 115 CV

17.900 €

Financiado: 16.400 €

Motor Sagunto (Sagunto)

[![Toyota Yaris](https://img.coches.example/3.jpg)](https://coches.example/a/5530)

[Toyota Yaris Hybrid Active](https://coches.example/a/5530)

2020 | 39.780 km | Híbrido | 116 CV

15.750 €

Particular (Paterna)
`,
		json: {
			total: 248,
			cars: [
				{
					title: 'Seat Ibiza 1.0 TSI Style',
					year: 2019,
					mileageKm: 61_300,
					fuel: 'Gasolina',
					power: '95 CV',
					price: 11_490,
					financedPrice: 10_690,
					currency: 'EUR',
					seller: 'AutoTuria',
					city: 'Valencia',
					link: 'https://coches.example/a/5501',
				},
				{
					title: 'Dacia Duster Prestige 4x4',
					year: 2021,
					mileageKm: 48_950,
					fuel: 'Diésel',
					power: '115 CV',
					price: 17_900,
					financedPrice: 16_400,
					currency: 'EUR',
					seller: 'Motor Sagunto',
					city: 'Sagunto',
					link: 'https://coches.example/a/5522',
				},
				{
					title: 'Toyota Yaris Hybrid Active',
					year: 2020,
					mileageKm: 39_780,
					fuel: 'Híbrido',
					power: '116 CV',
					price: 15_750,
					financedPrice: null,
					currency: 'EUR',
					seller: 'Particular',
					city: 'Paterna',
					link: 'https://coches.example/a/5530',
				},
			],
		},
	},
	{
		name: 'a recipe in French',
		url: 'https://cuisine.example/tarte-aux-poireaux',
		markdown: `# Tarte aux poireaux et au chèvre

Par **Mireille Dufour** · Publié le 9 septembre 2025

4,6/5 (312 avis)

Préparation : 25 min · Cuisson : 40 min · Pour 6 personnes

## Ingrédients

- 1 pâte brisée
- 800 g de poireaux
- 150 g de fromage de chèvre frais
- 3 œufs
- 20 cl de crème liquide
- sel, poivre, noix de muscade

## Préparation

1. Préchauffez le four à 180 °C.
2. Lavez et émincez les poireaux, faites-les fondre 15 minutes à feu doux.
3. Battez les œufs avec la crème.

## Valeurs nutritionnelles (par portion)

| Énergie | 412 kcal |
| --- | --- |
| Lipides | 28 g |
| Protéines | 13,5 g |
`,
		json: {
			title: 'Tarte aux poireaux et au chèvre',
			author: 'Mireille Dufour',
			publishedDate: '2025-09-09',
			rating: 4.6,
			reviewCount: 312,
			prepTimeMinutes: 25,
			cookTimeMinutes: 40,
			servings: 6,
			ingredients: [
				'1 pâte brisée',
				'800 g de poireaux',
				'150 g de fromage de chèvre frais',
				'3 œufs',
				'20 cl de crème liquide',
			],
			ovenTemperature: 180,
			caloriesPerServing: 412,
			fatGrams: 28,
			proteinGrams: 13.5,
		},
	},
	{
		name: 'parameters of an interface',
		url: 'https://docs.example/api/search',
		markdown: `# Search

\`GET /v1/search\`

Rate limit: 120 requests per minute.

## Query parameters

| Name | Type | Default | Description |
| --- | --- | --- | --- |
| \`q\` | string | **required** | What to look for, up to 256 characters. |
| \`limit\` | integer | \`20\` | Results per page (1–100). |
| \`offset\` | integer | \`0\` | Where to start. |
| \`lang\` | string | \`en\` | Two letters, see [languages](/api/languages). |
| \`safe\` | boolean | \`true\` | Leaves out adult results. |

## Errors

\`400\` bad query · \`401\` no key · \`429\` too many requests
`,
		json: {
			method: 'GET',
			path: '/v1/search',
			rateLimitPerMinute: 120,
			parameters: [
				{ name: 'q', type: 'string', required: true, default: null },
				{ name: 'limit', type: 'integer', default: '20' },
				{ name: 'offset', type: 'integer', default: '0' },
				{ name: 'lang', type: 'string', default: 'en' },
				{ name: 'safe', type: 'boolean', default: 'true' },
			],
			errorCodes: [400, 401, 429],
		},
	},
	{
		name: 'a recruiting page in Japanese',
		url: 'https://saiyo.example/kyujin/204',
		markdown: `# フロントエンドエンジニア（京都）

株式会社あおばソフト

| 雇用形態 | 正社員 |
| --- | --- |
| 勤務地 | 京都府京都市中京区烏丸通三条上ル |
| 給与 | 月給 32万円～45万円 |
| 勤務時間 | 9:30～18:30（休憩60分） |
| 休日 | 年間休日125日 |
| 応募締切 | 2026年12月18日 |

## お問い合わせ

電話：075-222-3141
メール：saiyo@aoba.example
`,
		json: {
			title: 'フロントエンドエンジニア（京都）',
			company: '株式会社あおばソフト',
			employmentType: '正社員',
			location: '京都府京都市中京区烏丸通三条上ル',
			salaryMin: 320_000,
			salaryMax: 450_000,
			holidaysPerYear: 125,
			deadline: '2026-12-18',
			phone: '075-222-3141',
			email: 'saiyo@aoba.example',
		},
	},
	{
		name: 'a craftsman in German',
		url: 'https://tischlerei-lohse.example/kontakt',
		markdown: `## So erreichen Sie uns

Tischlerei Lohse GmbH & Co. KG  
Inh. Katrin Lohse  
Am Hafen 7a  
24376 Kappeln

Fon 04642 / 98 21 - 0  
Fax 04642 / 98 21 - 29  
mobil 0171 4455667

kontakt (at) tischlerei-lohse.example

**Öffnungszeiten**

Mo – Do 7.30 – 16.30 Uhr  
Fr 7.30 – 13.00 Uhr

Amtsgericht Flensburg HRA 5521 FL  
USt-IdNr. DE 134 567 890

Meisterbetrieb seit 1974, 18 Mitarbeiterinnen und Mitarbeiter.
`,
		json: {
			name: 'Tischlerei Lohse GmbH & Co. KG',
			owner: 'Katrin Lohse',
			street: 'Am Hafen 7a',
			zip: '24376',
			city: 'Kappeln',
			phone: '+49 4642 98210',
			fax: '+49 4642 982129',
			mobile: '+49 171 4455667',
			email: 'kontakt@tischlerei-lohse.example',
			court: 'Amtsgericht Flensburg',
			registerNumber: 'HRA 5521 FL',
			vatId: 'DE134567890',
			since: 1974,
			employees: 18,
		},
	},
	{
		name: 'funds with figures that go up and down',
		url: 'https://boerse.example/fonds',
		markdown: `| Fondo | ISIN | Valor | 1 mes | 1 año | Patrimonio |
| --- | --- | ---: | ---: | ---: | ---: |
| [Iberia Renta Fija](/f/es0111) | ES0111223344 | 12,48 € | −0,32 % | +4,10 % | 318,5 M€ |
| [Global Tecnología](/f/lu0998) | LU0998877665 | 214,07 $ | +2,75 % | +31,66 % | 1.942 M$ |
| [Mercados Emergentes](/f/ie00b4) | IE00B4556677 | 88,90 € | −1,08 % | −6,45 % | 97,2 M€ |
`,
		json: {
			funds: [
				{
					name: 'Iberia Renta Fija',
					isin: 'ES0111223344',
					nav: 12.48,
					currency: 'EUR',
					changeMonth: -0.32,
					changeYear: 4.1,
					assets: 318_500_000,
				},
				{
					name: 'Global Tecnología',
					isin: 'LU0998877665',
					nav: 214.07,
					currency: 'USD',
					changeMonth: 2.75,
					changeYear: 31.66,
					assets: 1_942_000_000,
				},
				{
					name: 'Mercados Emergentes',
					isin: 'IE00B4556677',
					nav: 88.9,
					currency: 'EUR',
					changeMonth: -1.08,
					changeYear: -6.45,
					assets: 97_200_000,
				},
			],
		},
	},
	{
		name: 'a team with roles and links',
		url: 'https://studio.example/about',
		markdown: `# About us

We are a studio of 14 people in Rotterdam and Porto, founded in the spring of 2011.

## People

![Portrait](/img/ines.jpg)

#### Inês Carvalho

Founder, creative director

[LinkedIn](https://www.linkedin.com/in/inescarvalho) · ines@studio.example

![Portrait](/img/bram.jpg)

#### Bram de Wit

Founder, engineering

[LinkedIn](https://www.linkedin.com/in/bramdewit) · bram@studio.example

![Portrait](/img/yuki.jpg)

#### Yuki Tanabe

Product designer

[LinkedIn](https://www.linkedin.com/in/yukitanabe)

## Clients

Museum Boijmans, RET, Câmara do Porto
`,
		json: {
			foundedYear: 2011,
			teamSize: 14,
			cities: ['Rotterdam', 'Porto'],
			people: [
				{
					name: 'Inês Carvalho',
					role: 'Founder, creative director',
					linkedin: 'https://www.linkedin.com/in/inescarvalho',
					email: 'ines@studio.example',
					photo: 'https://studio.example/img/ines.jpg',
				},
				{
					name: 'Bram de Wit',
					role: 'Founder, engineering',
					linkedin: 'https://www.linkedin.com/in/bramdewit',
					email: 'bram@studio.example',
					photo: 'https://studio.example/img/bram.jpg',
				},
				{
					name: 'Yuki Tanabe',
					role: 'Product designer',
					linkedin: 'https://www.linkedin.com/in/yukitanabe',
					email: null,
					photo: 'https://studio.example/img/yuki.jpg',
				},
			],
			clients: ['Museum Boijmans', 'RET', 'Câmara do Porto'],
		},
	},
	{
		name: 'plans with a price on request',
		url: 'https://mailer.example/pricing',
		markdown: `# Simple pricing

Monthly | Yearly –15%

**Starter**
€19/mo
For small teams
✓ 5,000 contacts
✓ 2 users
✗ Automations

**Growth** *Most popular*
€79/mo
For teams that send every day
✓ 50,000 contacts
✓ 10 users
✓ Automations

**Enterprise**
Let's talk
For banks and public bodies
✓ Unlimited contacts
✓ Unlimited users
✓ Dedicated IP

All prices exclude VAT. Setup fee of €250 for Growth is waived until 31 January 2027.
`,
		json: {
			plans: [
				{ name: 'Starter', monthlyPrice: 19, currency: 'EUR', contacts: 5000, users: 2 },
				{ name: 'Growth', monthlyPrice: 79, currency: 'EUR', contacts: 50_000, users: 10 },
				{ name: 'Enterprise', monthlyPrice: null, contacts: 'Unlimited', users: 'Unlimited' },
			],
			setupFee: 250,
			yearlyDiscountPercent: 15,
			offerEnds: '2027-01-31',
		},
	},
];
