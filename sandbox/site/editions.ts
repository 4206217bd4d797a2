import { listPage, proseOf, wrap } from './editionPage.ts';

/** A part of the site that changes on demand: a handbook of a product and a shop. Nothing else links to it. */
export const EDITIONS = [1, 2] as const;
export type Edition = (typeof EDITIONS)[number];

/** A page of one edition. Several texts: one for each edition. */
interface Text {
	title: string;
	text: string | { 1?: string; 2?: string };
}

/**
 * From edition 1 to 2: three pages change (limits, install, prices), one is new (backups), one is gone (fax).
 * The start page lists the pages, so its links change; its own text does not.
 */
const HANDBOOK: Readonly<Record<string, Text>> = {
	install: {
		title: 'Install the route planner',
		text: {
			1: '## With a package\nInstall the route planner with the package of the depot.\n\n## With Docker\nThe container needs 2 GB of memory.\n\n    docker run planner:3',
			2: '## With a package\nInstall the route planner with the package of the depot.\n\n## With Docker\nThe container needs 4 GB of memory.\n\n    docker run planner:4',
		},
	},
	limits: {
		title: 'Limits of the route planner',
		text: {
			1: 'A tour holds at most 80 stops. A depot plans up to 40 riders a day.',
			2: 'A tour holds at most 120 stops. A depot plans up to 40 riders a day.',
		},
	},
	prices: {
		title: 'Licences of the route planner',
		text: {
			1: 'A licence costs 19 euros a rider and month.',
			2: 'A licence costs 21 euros a rider and month.',
		},
	},
	riders: {
		title: 'Add a rider',
		text: 'Open Riders and press Add. A rider signs in with the number on the badge.',
	},
	maps: {
		title: 'Maps and closed roads',
		text: 'Maps are renewed each Sunday night. Mark a closed road on the map to plan around it.',
	},
	fax: {
		title: 'Send tours by fax',
		text: { 1: 'Tours are sent by fax when a depot has no network.' },
	},
	backups: {
		title: 'Backups of the tours',
		text: { 2: 'Backups of all tours are written each night at 2 and kept for 30 days.' },
	},
};

interface Article {
	name: string;
	/** In euros, by edition. None: not on offer then. */
	price: { 1?: number; 2?: number };
}

/** From edition 1 to 2: one price changes, one article is new, one is gone. */
const SHOP: Readonly<Record<string, Article>> = {
	'cargo-bike': { name: 'Cargo bike', price: { 1: 4500, 2: 4290 } },
	battery: { name: 'Battery', price: { 1: 640, 2: 640 } },
	'winter-tyres': { name: 'Winter tyres', price: { 1: 95 } },
	'child-seat': { name: 'Child seat', price: { 2: 149 } },
};

function handbookPage(name: string, edition: Edition): string | undefined {
	const page = HANDBOOK[name];
	const text = typeof page?.text === 'string' ? page.text : page?.text[edition];
	return page && text !== undefined ? wrap(page.title, proseOf(text)) : undefined;
}

function shopPage(name: string, edition: Edition): string | undefined {
	const article = SHOP[name];
	const price = article?.price[edition];
	if (!article || price === undefined) return undefined;
	const data = {
		'@context': 'https://schema.org',
		'@type': 'Product',
		name: article.name,
		sku: name,
		offers: { '@type': 'Offer', price, priceCurrency: 'EUR' },
	};
	const linked = `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
	return wrap(article.name, `<p>${article.name}: ${price} EUR.</p>`, linked);
}

/** The page of this path in this edition; undefined where it has none. */
export function editionPage(path: string, edition: Edition): string | undefined {
	const [, part, name = '', ...more] = path.split('/');
	if (more.length > 0) return undefined;
	const renderOne = part === 'handbook' ? handbookPage : part === 'shop' ? shopPage : undefined;
	if (renderOne === undefined) return undefined;
	if (name !== '') return renderOne(name, edition);
	const names = Object.keys(part === 'handbook' ? HANDBOOK : SHOP);
	const shown = names.filter((each) => renderOne(each, edition) !== undefined);
	const title = part === 'handbook' ? 'Handbook of the route planner' : 'Shop';
	return listPage(title, `/${part}`, shown);
}

/** The edition that the page of this name below `/try/` publishes, such as `edition-2`. */
export function publishedBy(name: string): Edition | undefined {
	return EDITIONS.find((edition) => name === `edition-${edition}`);
}
