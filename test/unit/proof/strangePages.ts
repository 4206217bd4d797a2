import type { MadePage } from './madePages';

/** Pages by hand that were written when the look-up was done, with values as a language model fills them in. */
export const STRANGE: MadePage[] = [
	{
		name: 'hotels in Italian',
		url: 'https://alberghi.example/firenze',
		markdown: `# Hotel a Firenze

127 strutture trovate

[**Hotel Bellavista** ★★★★](https://alberghi.example/firenze/bellavista)
Via dei Serragli 12, Oltrarno — 900 m dal centro
8,7 Favoloso · 1.243 recensioni
Camera doppia standard, colazione inclusa
~~€ 189~~ **€ 142** a notte

[**Pensione Sorelle Bandini** ★★](https://alberghi.example/firenze/bandini)
Piazza Santo Spirito 9 — 1,1 km dal centro
7,9 Buono · 388 recensioni
Camera singola, bagno in comune
**€ 64** a notte

[**Residenza d'Epoca Verdi** ★★★](https://alberghi.example/firenze/verdi)
Via Verdi 5, Santa Croce — 650 m dal centro
9,1 Eccezionale · 2.017 recensioni
Suite junior
~~€ 240~~ **€ 218** a notte
`,
		json: {
			city: 'Firenze',
			totalResults: 127,
			hotels: [
				{
					name: 'Hotel Bellavista',
					address: 'Via dei Serragli 12',
					rating: 8.7,
					reviews: 1243,
					pricePerNight: 142,
					originalPrice: 189,
					currency: 'EUR',
					url: 'https://alberghi.example/firenze/bellavista',
				},
				{
					name: 'Pensione Sorelle Bandini',
					address: 'Piazza Santo Spirito 9',
					rating: 7.9,
					reviews: 388,
					pricePerNight: 64,
					originalPrice: null,
					currency: 'EUR',
					url: 'https://alberghi.example/firenze/bandini',
				},
				{
					name: "Residenza d'Epoca Verdi",
					address: 'Via Verdi 5, Santa Croce',
					rating: 9.1,
					reviews: 2017,
					pricePerNight: 218,
					originalPrice: 240,
					currency: 'EUR',
					url: 'https://alberghi.example/firenze/verdi',
				},
			],
		},
	},
	{
		name: 'an agenda in Spanish',
		url: 'https://teatro.example/agenda',
		markdown: `# Agenda de primavera

## Sábado, 14 de marzo de 2026

### La casa de Bernarda Alba

19:30 h · Sala Principal · Entradas: 18 € / 24 € (platea)

### Taller de títeres para familias

11:00 h · Sala Pequeña · Entrada libre hasta completar aforo

## Domingo, 15 de marzo de 2026

### Concierto de la Banda Municipal

12:00 h · Plaza Mayor · Gratis

## Viernes, 3 de abril de 2026

### Noche de flamenco con Lucía Ortega

21:00 h · Sala Principal · Entradas: 22 €
`,
		json: {
			events: [
				{ title: 'La casa de Bernarda Alba', date: '2026-03-14', time: '19:30', venue: 'Sala Principal' },
				{ title: 'Taller de títeres para familias', date: '2026-03-14', time: '11:00', venue: 'Sala Pequeña' },
				{ title: 'Concierto de la Banda Municipal', date: '2026-03-15', time: '12:00', venue: 'Plaza Mayor' },
				{
					title: 'Noche de flamenco con Lucía Ortega',
					date: '2026-04-03',
					time: '21:00',
					venue: 'Sala Principal',
					price: 22,
				},
			],
		},
	},
	{
		name: 'jobs with salaries in French',
		url: 'https://emplois.example/paris',
		markdown: `# Offres d'emploi

## Développeur backend (H/F)

**Entreprise :** Néobanque SAS
**Lieu :** Paris 11e (75011)
**Contrat :** CDI
**Salaire :** 45 000 € – 55 000 € brut par an
Publiée le 02/11/2026

## Chargée de communication

**Entreprise :** Fondation Lumière
**Lieu :** Lyon
**Contrat :** CDD de 12 mois
**Salaire :** à partir de 31 000 € brut par an
Publiée le 28/10/2026

## Boulanger

**Entreprise :** Au Bon Levain
**Lieu :** Nantes
**Contrat :** CDI
**Salaire :** 2 050 € brut par mois
Publiée le 15/10/2026
`,
		json: {
			jobs: [
				{
					title: 'Développeur backend (H/F)',
					company: 'Néobanque SAS',
					location: 'Paris 11e (75011)',
					contract: 'CDI',
					salaryMin: 45_000,
					salaryMax: 55_000,
					currency: 'EUR',
					publishedAt: '2026-11-02',
				},
				{
					title: 'Chargée de communication',
					company: 'Fondation Lumière',
					location: 'Lyon',
					contract: 'CDD de 12 mois',
					salaryMin: 31_000,
					salaryMax: null,
					currency: 'EUR',
					publishedAt: '2026-10-28',
				},
				{
					title: 'Boulanger',
					company: 'Au Bon Levain',
					location: 'Nantes',
					contract: 'CDI',
					salaryMin: 2050,
					salaryMax: null,
					currency: 'EUR',
					publishedAt: '2026-10-15',
				},
			],
		},
	},
	{
		name: 'cards of a shop in Polish',
		url: 'https://sklep.example/rowery',
		markdown: `Rowery miejskie (3)

![Rower Wisła 28](https://cdn.sklep.example/wisla.jpg)

Rower Wisła 28

Cena: **1 299,00 zł**
Najniższa cena z 30 dni: 1 499,00 zł
Dostępność: 12 szt.
Kod: WIS-28-ZL

![Rower Odra Lite](https://cdn.sklep.example/odra.jpg)

Rower Odra Lite

Cena: **2 150,50 zł**
Dostępność: ostatnie 2 szt.
Kod: ODR-LT-CZ

![Rower Bug Junior](https://cdn.sklep.example/bug.jpg)

Rower Bug Junior

Cena: **799,99 zł**
Dostępność: na zamówienie
Kod: BUG-JR-NI
`,
		json: {
			products: [
				{
					name: 'Rower Wisła 28',
					price: 1299,
					lowestPrice30Days: 1499,
					currency: 'PLN',
					stock: 12,
					sku: 'WIS-28-ZL',
					image: 'https://cdn.sklep.example/wisla.jpg',
				},
				{
					name: 'Rower Odra Lite',
					price: 2150.5,
					currency: 'PLN',
					stock: 2,
					sku: 'ODR-LT-CZ',
					image: 'https://cdn.sklep.example/odra.jpg',
				},
				{
					name: 'Rower Bug Junior',
					price: 799.99,
					currency: 'PLN',
					stock: null,
					sku: 'BUG-JR-NI',
					image: 'https://cdn.sklep.example/bug.jpg',
				},
			],
		},
	},
	{
		name: 'an imprint in Dutch',
		url: 'https://molen.example/contact',
		markdown: `# Contact

**Molenaar & Zonen B.V.**
Keizersgracht 214-II
1016 DX Amsterdam
Nederland

Tel: 020 – 555 01 23
E-mail: [info@molen.example](mailto:info@molen.example)

KvK-nummer 34123456 · BTW NL001234567B01
IBAN: NL91 ABNA 0417 1643 00

Openingstijden: ma–vr 08.30–17.00 uur
Opgericht in 1998 door Pieter Molenaar. Ons team telt 46 medewerkers.
`,
		json: {
			companyName: 'Molenaar & Zonen B.V.',
			street: 'Keizersgracht 214-II',
			postalCode: '1016 DX',
			city: 'Amsterdam',
			phone: '+31 20 5550123',
			email: 'info@molen.example',
			registrationNumber: '34123456',
			vatId: 'NL001234567B01',
			iban: 'NL91ABNA0417164300',
			foundedYear: 1998,
			founder: 'Pieter Molenaar',
			employees: 46,
		},
	},
	{
		name: 'flats in Portuguese',
		url: 'https://casas.example/lisboa',
		markdown: `## Apartamentos para venda

[Apartamento T3, Alvalade](https://casas.example/i/90211)

345 000 €

T3 · 118 m² área bruta · 4.º andar com elevador

Remodelado em 2021, cozinha equipada, perto do metro.

[Apartamento T1, Graça](https://casas.example/i/90377)

219 500 €

T1 · 52 m² área bruta · R/C

Vista para o rio. Certificado energético C.

[Apartamento T2 duplex, Campo de Ourique](https://casas.example/i/90402)

498 000 €

T2 · 96 m² área bruta · 5.º andar sem elevador

Terraço de 20 m².
`,
		json: {
			listings: [
				{ title: 'Apartamento T3, Alvalade', price: 345_000, currency: 'EUR', rooms: 'T3', area: 118, floor: 4 },
				{ title: 'Apartamento T1, Graça', price: 219_500, currency: 'EUR', rooms: 'T1', area: 52, floor: 0 },
				{
					title: 'Apartamento T2 duplex, Campo de Ourique',
					price: 498_000,
					currency: 'EUR',
					rooms: 'T2',
					area: 96,
					floor: 5,
				},
			],
		},
	},
	{
		name: 'phones in Chinese',
		url: 'https://shouji.example/duibi',
		markdown: `# 手机对比

| 型号 | 上市时间 | 价格 | 电池容量 | 重量 |
| --- | --- | --- | --- | --- |
| 星河 12 | 2025年3月 | ¥2,999 | 5000 mAh | 189 g |
| 星河 12 Pro | 2025年3月 | ¥4,199 | 5200 mAh | 206 g |
| 云帆 X | 2024年11月 | ¥1,899 | 4800 mAh | 178 g |
`,
		json: {
			phones: [
				{ model: '星河 12', released: '2025-03', price: 2999, currency: 'CNY', batteryMah: 5000, weightG: 189 },
				{ model: '星河 12 Pro', released: '2025-03', price: 4199, currency: 'CNY', batteryMah: 5200, weightG: 206 },
				{ model: '云帆 X', released: '2024-11', price: 1899, currency: 'CNY', batteryMah: 4800, weightG: 178 },
			],
		},
	},
	{
		name: 'a menu without currencies',
		url: 'https://bistro.example/menu',
		markdown: `# Dinner

*Served Tuesday to Saturday, 5.30 pm – 10 pm*

### To start

Beetroot carpaccio, goat curd, walnut (V) ... 9.5

Cured trout, buttermilk, dill ... 12

### Mains

Lamb shoulder for two, anchovy, rosemary ... 48

Wild mushroom risotto (V) ... 19.5

Hake, brown shrimp, seaweed butter ... 26

### Sweet

Burnt cheesecake ... 8

*A discretionary 12.5% service charge is added to your bill.*
`,
		json: {
			dishes: [
				{ name: 'Beetroot carpaccio, goat curd, walnut', section: 'To start', price: 9.5, vegetarian: true },
				{ name: 'Cured trout, buttermilk, dill', section: 'To start', price: 12, vegetarian: false },
				{ name: 'Lamb shoulder for two, anchovy, rosemary', section: 'Mains', price: 48, vegetarian: false },
				{ name: 'Wild mushroom risotto', section: 'Mains', price: 19.5, vegetarian: true },
				{ name: 'Hake, brown shrimp, seaweed butter', section: 'Mains', price: 26, vegetarian: false },
				{ name: 'Burnt cheesecake', section: 'Sweet', price: 8, vegetarian: false },
			],
			serviceChargePercent: 12.5,
		},
	},
	{
		name: 'repositories with short numbers',
		url: 'https://code.example/search?q=queue',
		markdown: `312 repository results

[taskforce/bull-next](https://code.example/taskforce/bull-next)

Premium queue package for handling distributed jobs

TypeScript · ★ 12.4k · MIT · Updated 2 days ago

[rapidq/rapidq](https://code.example/rapidq/rapidq)

A tiny in-memory queue

Go · ★ 873 · Apache-2.0 · Updated on Oct 3, 2026

[old-labs/jobber](https://code.example/old-labs/jobber)

An alternative to cron

Go · ★ 1.3k · MIT · Updated on Jan 19, 2025
`,
		json: {
			resultCount: 312,
			repositories: [
				{ name: 'taskforce/bull-next', language: 'TypeScript', stars: 12_400, license: 'MIT' },
				{ name: 'rapidq/rapidq', language: 'Go', stars: 873, license: 'Apache-2.0', updatedAt: '2026-10-03' },
				{ name: 'old-labs/jobber', language: 'Go', stars: 1300, license: 'MIT', updatedAt: '2025-01-19' },
			],
		},
	},
	{
		name: 'a league table in German',
		url: 'https://liga.example/tabelle',
		markdown: `# Tabelle, 12. Spieltag

| Pl. | Verein | Sp. | S | U | N | Tore | Diff. | Pkt. |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 1. | SV Nordstadt | 12 | 9 | 2 | 1 | 28:11 | +17 | 29 |
| 2. | FC Hafen | 12 | 8 | 3 | 1 | 24:9 | +15 | 27 |
| 3. | TuS Moorbach | 12 | 7 | 1 | 4 | 22:18 | +4 | 22 |
| 4. | VfL Altenau | 12 | 5 | 4 | 3 | 19:17 | +2 | 19 |
| 5. | 1. FC Rehberg | 12 | 2 | 3 | 7 | 12:24 | −12 | 9 |
`,
		json: {
			matchday: 12,
			teams: [
				{ rank: 1, club: 'SV Nordstadt', played: 12, won: 9, drawn: 2, lost: 1, goalDifference: 17, points: 29 },
				{ rank: 2, club: 'FC Hafen', played: 12, won: 8, drawn: 3, lost: 1, goalDifference: 15, points: 27 },
				{ rank: 3, club: 'TuS Moorbach', played: 12, won: 7, drawn: 1, lost: 4, goalDifference: 4, points: 22 },
				{ rank: 4, club: 'VfL Altenau', played: 12, won: 5, drawn: 4, lost: 3, goalDifference: 2, points: 19 },
				{ rank: 5, club: '1. FC Rehberg', played: 12, won: 2, drawn: 3, lost: 7, goalDifference: -12, points: 9 },
			],
		},
	},
	{
		name: 'a life in an encyclopaedia',
		url: 'https://wiki.example/Edda_Lindqvist',
		markdown: `# Edda Lindqvist

From the free encyclopaedia

| | |
| --- | --- |
| Born | Edda Maria Lindqvist <br>January 5, 1932 <br>Uppsala, Sweden |
| Died | June 30, 2016 (aged 84) <br>Bergen, Norway |
| Nationality | Swedish |
| Alma mater | Uppsala University |
| Known for | Deep-sea corals |
| Spouse | Olav Berg (m. 1958; died 1999) |
| Children | 3 |

**Edda Maria Lindqvist** (5 January 1932 – 30 June 2016) was a Swedish marine biologist. She published 141 papers and described 27 species.[4]
`,
		json: {
			name: 'Edda Maria Lindqvist',
			born: '1932-01-05',
			birthPlace: 'Uppsala, Sweden',
			died: '2016-06-30',
			deathPlace: 'Bergen, Norway',
			nationality: 'Swedish',
			almaMater: 'Uppsala University',
			knownFor: 'Deep-sea corals',
			spouse: 'Olav Berg',
			children: 3,
			papers: 141,
			speciesDescribed: 27,
		},
	},
	{
		name: 'a feed of news cards with times',
		url: 'https://news.example/',
		markdown: `[Business](https://news.example/business)

[Port strike enters second week](https://news.example/a/771)

By Ana Ruiz · 28 Nov 2026 · 6 min read

Dock workers in three cities rejected an offer of 4.5% on Thursday.

[Culture](https://news.example/culture)

[The museum that lends its paintings](https://news.example/a/768)

By Tom Okafor and Lin Wei · 27 Nov 2026 · 9 min read

More than 1,200 households have taken part since 2022.

[Business](https://news.example/business)

[Central bank holds rates at 3.25%](https://news.example/a/765)

By Ana Ruiz · 27 Nov 2026 · 3 min read
`,
		json: {
			articles: [
				{
					title: 'Port strike enters second week',
					url: 'https://news.example/a/771',
					author: 'Ana Ruiz',
					date: '2026-11-28',
					readingMinutes: 6,
					category: 'Business',
				},
				{
					title: 'The museum that lends its paintings',
					url: 'https://news.example/a/768',
					author: 'Tom Okafor and Lin Wei',
					date: '2026-11-27',
					readingMinutes: 9,
					category: 'Culture',
				},
				{
					title: 'Central bank holds rates at 3.25%',
					url: 'https://news.example/a/765',
					author: 'Ana Ruiz',
					date: '2026-11-27',
					readingMinutes: 3,
					category: 'Business',
				},
			],
		},
	},
];
