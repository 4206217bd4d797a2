import type { MadePage } from './madePages';

/** A JSON in which one value was changed, and the path of it. */
export interface Changed {
	json: unknown;
	path: string;
	was: unknown;
	is: unknown;
}

interface Leaf {
	path: string;
	value: unknown;
	parent: Record<string, unknown>;
	name: string;
	row: number;
	list: Array<Record<string, unknown>>;
}

function leavesOf(json: unknown): Leaf[] {
	const leaves: Leaf[] = [];
	const walk = (value: unknown, path: string, row: number, list: Leaf['list']) => {
		if (Array.isArray(value)) {
			for (const [index, one] of value.entries()) walk(one, `${path}[${index}]`, index, value as Leaf['list']);
		} else if (typeof value === 'object' && value !== null) {
			for (const [name, one] of Object.entries(value)) {
				const inner = path === '' ? name : `${path}.${name}`;
				if (typeof one === 'object') walk(one, inner, row, list);
				else leaves.push({ path: inner, value: one, parent: value as Record<string, unknown>, name, row, list });
			}
		}
	};
	walk(json, '', -1, []);
	return leaves;
}

const digitsOf = (value: unknown) => String(value).replace(/\D/g, '');

/** Ways in which a value is wrong though it looks right; undefined where a value has no such way. */
export const KINDS: Record<string, (leaf: Leaf, page: MadePage, random: () => number) => unknown> = {
	'the next number on the page': ({ value }, { markdown }) => {
		if (typeof value !== 'number') return undefined;
		const all = [...markdown.matchAll(/(?<![\d.,\p{L}/-])\d{1,6}(?![\d.,\p{L}/-]|\s?%)/gu)].map(([one]) => Number(one));
		const at = all.indexOf(value);
		return at === -1 ? undefined : all.slice(at + 1).find((one) => one !== value && one > 1);
	},
	'another row': ({ value, name, row, list }, _page, random) => {
		const others = list.filter((_one, index) => index !== row).map((one) => one[name]);
		const different = others.filter((one) => one !== value && one !== null && one !== undefined);
		if (typeof value === 'boolean') return undefined;
		const isNamed = name === 'name' || name === 'title' || name === 'currency';
		return isNamed ? undefined : different[Math.floor(random() * different.length)];
	},
	'digits swapped': ({ value }, { markdown }) => {
		const digits = digitsOf(value);
		if (typeof value === 'boolean' || digits.length < 2) return undefined;
		// The code of a country, which a page may leave out, is taken on trust.
		const from = typeof value === 'string' && value.startsWith('+') ? 3 : 0;
		const at = [...digits].findIndex((one, index) => {
			const next = digits[index + 1];
			return index >= from && one !== next && index < digits.length - 1 && next !== '0';
		});
		if (at === -1) return undefined;
		const text = String(value);
		const places = [...text.matchAll(/\d/g)].map(({ index }) => index);
		const signs = [...text];
		const [left = 0, right = 0] = [places[at], places[at + 1]];
		[signs[left], signs[right]] = [signs[right] ?? '', signs[left] ?? ''];
		const changed = signs.join('');
		if (/^\d{4}-\d\d-\d\d$/.test(text) && Number.isNaN(Date.parse(changed))) return undefined;
		const is = typeof value === 'number' ? Number(changed) : changed;
		return is === value || markdown.includes(String(is)) ? undefined : is;
	},
	'another currency': ({ value, name }) => {
		const others: Record<string, string> = { $: '€', '€': '$', '£': '€', zł: '€', '₽': '$', 円: '元' };
		if (name === 'currency') return value === 'EUR' ? 'USD' : 'EUR';
		if (typeof value !== 'string') return undefined;
		const sign = Object.keys(others).find((one) => value.includes(one));
		return sign === undefined ? undefined : value.replace(sign, others[sign] ?? '');
	},
	'the name of a neighbour': ({ value, name, row, list, parent }, _page, random) => {
		if (typeof value !== 'string') return undefined;
		if (name === 'ceo') return parent.cfo === value ? undefined : parent.cfo;
		if (!['role', 'city', 'email', 'phone', 'storage', 'sku'].includes(name)) return undefined;
		const others = list
			.filter((_one, index) => index !== row)
			.map((one) => one[name])
			.filter((one) => one !== value);
		return others[Math.floor(random() * others.length)];
	},
	invented: ({ value, name }, { markdown }, random) => {
		if (typeof value === 'number') {
			const is = Math.round(value * (1.1 + random()) * 10 + 7) / 10;
			return markdown.includes(String(is)) ? undefined : is;
		}
		if (typeof value !== 'string' || name === 'currency') return undefined;
		if (/^\d{4}-/.test(value)) return '2031-07-19';
		if (value.includes('@')) return 'nobody@invented.example';
		if (/^https/.test(value)) return 'https://cdn.example/img/invented.jpg';
		return /\d/.test(value) ? value.replace(/\d/g, (one) => String((Number(one) + 3) % 10)) : 'Zephyr Quill';
	},
};

/** Every value of a page that can be changed in this way, each in a JSON of its own. */
export function changedBy(kind: string, page: MadePage, random: () => number): Changed[] {
	const change = KINDS[kind];
	if (!change) return [];
	return leavesOf(page.json).flatMap(({ path }, index) => {
		const json: unknown = structuredClone(page.json);
		const leaf = leavesOf(json)[index];
		const is = leaf && change(leaf, page, random);
		if (!leaf || is === undefined || is === null) return [];
		leaf.parent[leaf.name] = is;
		return [{ json, path, was: leaf.value, is }];
	});
}
