import { seededRandom } from '../../../sandbox/runtime/runtime.ts';

/** A page, what a model that reads well makes of it, and how it came about. */
export interface MadePage {
	name: string;
	markdown: string;
	url: string;
	json: unknown;
	schema?: unknown;
}

interface Language {
	code: string;
	/** The words of labels and of sentences around facts. */
	words: Record<string, string>;
	currency: [code: string, written: (amount: string) => string];
}

const LANGUAGES: Language[] = [
	{
		code: 'en-US',
		words: {
			founded: 'Founded',
			employees: 'Employees',
			headquarters: 'Headquarters',
			ceo: 'CEO',
			phone: 'Phone',
			email: 'Email',
			revenue: 'Revenue',
			users: 'users',
			price: 'Price',
			date: 'Date',
			city: 'City',
			about: 'About us',
		},
		currency: ['USD', (amount) => `$${amount}`],
	},
	{
		code: 'en-GB',
		words: {
			founded: 'Established',
			employees: 'Staff',
			headquarters: 'Head office',
			ceo: 'Chief executive',
			phone: 'Call us',
			email: 'Write to',
			revenue: 'Turnover',
			users: 'seats',
			price: 'Cost',
			date: 'When',
			city: 'Where',
			about: 'Our story',
		},
		currency: ['GBP', (amount) => `£${amount}`],
	},
	{
		code: 'de-DE',
		words: {
			founded: 'Gegründet',
			employees: 'Mitarbeiter',
			headquarters: 'Sitz',
			ceo: 'Geschäftsführer',
			phone: 'Telefon',
			email: 'E-Mail',
			revenue: 'Umsatz',
			users: 'Nutzer',
			price: 'Preis',
			date: 'Datum',
			city: 'Ort',
			about: 'Über uns',
		},
		currency: ['EUR', (amount) => `${amount} €`],
	},
	{
		code: 'fr-FR',
		words: {
			founded: 'Création',
			employees: 'Salariés',
			headquarters: 'Siège',
			ceo: 'Directrice',
			phone: 'Téléphone',
			email: 'Courriel',
			revenue: "Chiffre d'affaires",
			users: 'utilisateurs',
			price: 'Prix',
			date: 'Date',
			city: 'Lieu',
			about: 'Qui sommes-nous',
		},
		currency: ['EUR', (amount) => `${amount} €`],
	},
	{
		code: 'es-ES',
		words: {
			founded: 'Fundada',
			employees: 'Empleados',
			headquarters: 'Sede',
			ceo: 'Directora',
			phone: 'Teléfono',
			email: 'Correo',
			revenue: 'Facturación',
			users: 'usuarios',
			price: 'Precio',
			date: 'Fecha',
			city: 'Ciudad',
			about: 'Quiénes somos',
		},
		currency: ['EUR', (amount) => `${amount} €`],
	},
	{
		code: 'pl-PL',
		words: {
			founded: 'Założono',
			employees: 'Pracownicy',
			headquarters: 'Siedziba',
			ceo: 'Prezes',
			phone: 'Telefon',
			email: 'Poczta',
			revenue: 'Przychody',
			users: 'użytkowników',
			price: 'Cena',
			date: 'Data',
			city: 'Miasto',
			about: 'O nas',
		},
		currency: ['PLN', (amount) => `${amount} zł`],
	},
	{
		code: 'ja-JP',
		words: {
			founded: '設立',
			employees: '従業員',
			headquarters: '本社',
			ceo: '代表',
			phone: '電話',
			email: 'メール',
			revenue: '売上',
			users: '名',
			price: '価格',
			date: '日付',
			city: '会場',
			about: '会社概要',
		},
		currency: ['JPY', (amount) => `${amount}円`],
	},
	{
		code: 'ru-RU',
		words: {
			founded: 'Основана',
			employees: 'Сотрудники',
			headquarters: 'Офис',
			ceo: 'Директор',
			phone: 'Телефон',
			email: 'Почта',
			revenue: 'Выручка',
			users: 'пользователей',
			price: 'Цена',
			date: 'Дата',
			city: 'Город',
			about: 'О компании',
		},
		currency: ['RUB', (amount) => `${amount} ₽`],
	},
];

const FIRST = [
	'Ada',
	'Bruno',
	'Clara',
	'Dario',
	'Elif',
	'Farid',
	'Greta',
	'Hugo',
	'Ines',
	'Jonas',
	'Katja',
	'Liam',
	'Mira',
	'Nils',
	'Olga',
];
const LAST = [
	'Albers',
	'Brandt',
	'Costa',
	'Dumont',
	'Eriksen',
	'Fischer',
	'Gallo',
	'Haas',
	'Ivanov',
	'Jansen',
	'Kowalski',
	'Lindner',
	'Moreau',
	'Novak',
	'Olsen',
];
const CITIES = [
	'Bergen',
	'Lyon',
	'Porto',
	'Graz',
	'Leeds',
	'Turku',
	'Gdańsk',
	'Sevilla',
	'Bologna',
	'Antwerpen',
	'Malmö',
	'Brno',
];
const THINGS = [
	'Lamp',
	'Chair',
	'Kettle',
	'Desk',
	'Scale',
	'Mixer',
	'Drill',
	'Tent',
	'Clock',
	'Radio',
	'Stove',
	'Bench',
];
const KINDS = ['Nova', 'Orion', 'Delta', 'Fjord', 'Alba', 'Terra', 'Luna', 'Vento', 'Quarz', 'Cobalt', 'Ember', 'Pico'];
const PLANS = ['Starter', 'Basic', 'Team', 'Business', 'Scale', 'Enterprise'];
const ROLES = [
	'Head of Sales',
	'Engineer',
	'Designer',
	'Support Lead',
	'Accountant',
	'Product Manager',
	'Chief of Staff',
];

/** Made things: of each draw another one. */
class Draw {
	constructor(readonly random: () => number) {}

	int = (least: number, most: number) => least + Math.floor(this.random() * (most - least + 1));

	of = <T>(all: readonly T[]): T => all[Math.floor(this.random() * all.length)] as T;

	some = <T>(all: readonly T[], count: number): T[] => {
		const left = [...all];
		return Array.from(
			{ length: Math.min(count, left.length) },
			() => left.splice(this.int(0, left.length - 1), 1)[0] as T,
		);
	};
}

interface Made {
	rows: Array<Record<string, unknown>>;
	/** The cells of each row as the page writes them, by the names of the columns. */
	shown: Array<Record<string, string>>;
}

type Writer = (language: Language, draw: Draw, made: Made) => string;

const number = ({ code }: Language, value: number, digits = 0) =>
	new Intl.NumberFormat(code, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
const day = ({ code }: Language, date: Date, draw: Draw) =>
	draw.of([
		new Intl.DateTimeFormat(code, { dateStyle: 'long', timeZone: 'UTC' }).format(date),
		new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeZone: 'UTC' }).format(date),
		date.toISOString().slice(0, 10),
	]);

function plans(language: Language, draw: Draw): Made {
	const [code, written] = language.currency;
	const names = draw.some(PLANS, draw.int(3, 5));
	const rows = names.map((name) => ({
		name,
		price: code === 'JPY' ? draw.int(5, 90) * 100 : draw.int(5, 190),
		currency: code,
		users: draw.int(2, 900),
		storage: `${draw.int(1, 90) * 10} GB`,
	}));
	const shown = rows.map(({ name, price, users, storage }) => ({
		name,
		price: written(number(language, price)),
		users: `${number(language, users)} ${language.words.users ?? ''}`,
		storage,
	}));
	return { rows, shown };
}

function products(language: Language, draw: Draw): Made {
	const [code, written] = language.currency;
	const names = draw.some(KINDS, draw.int(4, 8)).map((kind) => `${draw.of(THINGS)} ${kind}`);
	const rows = names.map((title, index) => {
		const amount = code === 'JPY' ? draw.int(10, 900) * 10 : draw.int(500, 99_900) / 100;
		return {
			title,
			price: written(number(language, amount, code === 'JPY' ? 0 : 2)),
			rating: draw.int(21, 49) / 10,
			reviews: draw.int(3, 4000),
			sku: `${draw.of(['AX', 'BR', 'KT', 'ZN'])}-${draw.int(1000, 9999)}-${index}`,
			image: `https://cdn.example/img/${draw.int(10_000, 99_999)}-${index}.jpg`,
		};
	});
	const shown = rows.map(({ title, price, rating, reviews, sku, image }) => ({
		title,
		price,
		rating: `★ ${number(language, rating, 1)}`,
		reviews: `(${number(language, reviews)})`,
		sku,
		image: `![${title}](${image})`,
	}));
	return { rows, shown };
}

function people(language: Language, draw: Draw): Made {
	const names = draw.some(FIRST, draw.int(3, 7)).map((first) => `${first} ${draw.of(LAST)}`);
	const rows = names.map((name) => ({
		name,
		role: draw.of(ROLES),
		email: `${name.toLowerCase().replace(' ', '.')}@firm.example`,
		phone: `+${draw.int(31, 49)} ${draw.int(20, 99)} ${draw.int(1000000, 9999999)}`,
	}));
	const shown = rows.map(({ name, role, email, phone }) => ({
		name,
		role,
		email: draw.of([email, `[${language.words.email ?? ''}](mailto:${email})`]),
		phone: phone.replace(/(\d{3})(\d{4})$/, '$1 $2'),
	}));
	return { rows, shown };
}

function events(language: Language, draw: Draw): Made {
	const [code, written] = language.currency;
	const titles = draw
		.some(KINDS, draw.int(3, 6))
		.map((kind) => `${kind} ${draw.of(['Days', 'Summit', 'Forum', 'Camp'])}`);
	const rows = titles.map((title) => ({
		title,
		date: new Date(Date.UTC(2026, draw.int(0, 11), draw.int(1, 28))).toISOString().slice(0, 10),
		city: draw.of(CITIES),
		price: code === 'JPY' ? draw.int(10, 900) * 10 : draw.int(10, 900),
		seats: draw.int(20, 3000),
	}));
	const shown = rows.map(({ title, date, city, price, seats }) => ({
		title,
		date: day(language, new Date(date), draw),
		city,
		price: written(number(language, price)),
		seats: number(language, seats),
	}));
	return { rows, shown };
}

const cells = (row: Record<string, string>) => Object.values(row);

/** How the rows of a list are laid out. */
const LAYOUTS: Record<string, Writer> = {
	table: ({ words }, _draw, { shown }) => {
		const heads = Object.keys(shown[0] ?? {}).map((name) => words[name] ?? name);
		const line = (all: string[]) => `| ${all.join(' | ')} |`;
		return [line(heads), line(heads.map(() => '---')), ...shown.map((row) => line(cells(row)))].join('\n');
	},
	columns: (_language, _draw, { shown }) => {
		const names = Object.keys(shown[0] ?? {});
		const line = (all: string[]) => `| ${all.join(' | ')} |`;
		const rows = names.map((name, index) => line([index === 0 ? '' : name, ...shown.map((row) => row[name] ?? '')]));
		return [rows[0], line([...shown.map(() => '---'), '---']), ...rows.slice(1)].join('\n');
	},
	headings: (_language, _draw, { shown }) =>
		shown.map((row) => `### ${cells(row)[0]}\n\n${cells(row).slice(1).join('\n\n')}`).join('\n\n'),
	cards: (_language, _draw, { shown }) => shown.map((row) => cells(row).join('\n\n')).join('\n\n'),
	'cards with the amount above': (_language, _draw, { shown }) =>
		shown
			.map((row) => {
				const [first = '', second = '', ...rest] = cells(row);
				return [second, ...rest, first].join('\n\n');
			})
			.join('\n\n'),
	'list of lines': (_language, _draw, { shown }) =>
		shown.map((row) => `- **${cells(row)[0]}** – ${cells(row).slice(1).join(', ')}`).join('\n'),
	'list in lists': (_language, _draw, { shown }) =>
		shown
			.map(
				(row) =>
					`- ${cells(row)[0]}\n${cells(row)
						.slice(1)
						.map((cell) => `  - ${cell}`)
						.join('\n')}`,
			)
			.join('\n'),
	'one line': (_language, _draw, { shown }) => shown.map((row) => cells(row).join(' ')).join(' • '),
	'links with lines': (_language, _draw, { shown }) =>
		shown.map((row, index) => `[${cells(row)[0]}](/item/${index})\\\n${cells(row).slice(1).join('\\\n')}`).join('\n\n'),
};

const LISTS = { plans, products, people, events };

/** What stands around a list: a menu that names all things, other figures, a footer. */
function around(language: Language, draw: Draw, { shown }: Made, list: string): string {
	const names = shown.map((row) => cells(row)[0] ?? '');
	const menu = draw.random() < 0.5 ? `${names.map((name, index) => `- [${name}](#${index})`).join('\n')}\n\n` : '';
	const year = draw.int(2001, 2026);
	const intro = draw.of([
		`${language.words.about ?? ''}. ${names[0]} & ${names[1]}.`,
		`Since ${year}, more than ${draw.int(20, 90)},000 people in ${draw.int(3, 60)} countries.`,
		'',
	]);
	const footer = `© ${draw.int(2019, 2026)} Firm Example. ${draw.of(['Terms', 'Privacy'])} | +1 800 555 ${draw.int(1000, 9999)} | help@firm.example`;
	return `# ${language.words.about ?? ''}\n\n${menu}${intro}\n\n## ${draw.of(['Overview', 'All', 'Our offer'])}\n\n${list}\n\n## Contact\n\n${footer}\n`;
}

/** A company, told in facts with labels, in a table, or in sentences. */
function company(language: Language, draw: Draw): MadePage {
	const [code, written] = language.currency;
	const { words } = language;
	const millions = draw.int(11, 890);
	const facts = {
		company: `${draw.of(KINDS)} ${draw.of(['Systems', 'Works', 'Labs', 'Foods'])}`,
		founded: draw.int(1920, 2022),
		employees: draw.int(30, 9000),
		headquarters: draw.of(CITIES),
		ceo: `${draw.of(FIRST)} ${draw.of(LAST)}`,
		cfo: `${draw.of(FIRST)} ${draw.of(LAST)}`,
		phone: `+${draw.int(31, 49)} ${draw.int(20, 99)} ${draw.int(1000000, 9999999)}`,
		email: `office@${draw.of(['nova', 'delta', 'alba'])}.example`,
		revenue: millions * 1_000_000,
		isPublic: draw.random() < 0.5,
	};
	const { founded, employees, headquarters, ceo, cfo, phone, email } = facts;
	const revenue =
		code === 'JPY'
			? `${millions / 100}億円`
			: written(`${number(language, millions)} ${SCALES[language.code] ?? 'million'}`);
	const labelled = [
		[words.founded, String(founded)],
		[words.employees, number(language, employees)],
		[words.headquarters, headquarters],
		[words.ceo, ceo],
		['CFO', cfo],
		[words.phone, phone],
		[words.email, email],
		[words.revenue, revenue],
	].map(([label = '', value = '']) => [label, value] as const);
	const layouts: Record<string, string> = {
		'facts in lines': labelled.map(([label, value]) => `**${label}:** ${value}`).join('\n\n'),
		'facts in a table': ['| | |', '| --- | --- |', ...labelled.map(([label, value]) => `| ${label} | ${value} |`)].join(
			'\n',
		),
		'facts in a list': labelled.map(([label, value]) => `- ${label}: ${value}`).join('\n'),
		'facts below labels': labelled.map(([label, value]) => `${label}\n\n${value}`).join('\n\n'),
	};
	const [name, text] = draw.of(Object.entries(layouts));
	const markdown = `# ${facts.company}\n\nOver ${draw.int(2, 9)}0 years in ${draw.int(3, 30)} countries.\n\n## ${words.about ?? ''}\n\n${text}\n\n## News\n\n- ${draw.int(2023, 2026)}: a new plant with ${draw.int(100, 900)} places\n\n© ${draw.int(2019, 2026)}\n`;
	return { name: `${language.code}, ${name}`, markdown, url: 'https://firm.example/about', json: facts };
}

const SCALES: Record<string, string> = {
	'de-DE': 'Mio.',
	'fr-FR': 'millions',
	'es-ES': 'millones',
	'pl-PL': 'mln',
	'ru-RU': 'млн',
};

/** So many pages of a seed. */
export function madePages(seed: number, count: number): MadePage[] {
	const draw = new Draw(seededRandom(seed));
	return Array.from({ length: count }, () => {
		const language = draw.of(LANGUAGES);
		if (draw.random() < 0.3) return company(language, draw);
		const [kind, make] = draw.of(Object.entries(LISTS));
		const [layout, write] = draw.of(
			Object.entries(LAYOUTS).filter(([name]) => !name.includes('above') || kind === 'plans'),
		);
		const made = make(language, draw);
		const markdown = around(language, draw, made, write(language, draw, made));
		return {
			name: `${language.code}, ${kind}, ${layout}`,
			markdown,
			url: 'https://firm.example/list',
			json: { [kind]: made.rows },
		};
	});
}
