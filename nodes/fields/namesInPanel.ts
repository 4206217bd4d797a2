import type { INodeProperties } from 'n8n-workflow';
import { optionFields } from './basic';

/** A parameter of the service, and the field that sends it. */
interface NamedParameter {
	/** `scrapeOptions.waitFor`; an entry of a list is `*`: `actions.*.selector`. */
	path: string;
	/** `"Page Options > Extra Wait (Milliseconds)"` */
	label: string;
	/** True where the label says no more than the path does: `"URL"` for `url`. */
	isPlain: boolean;
}

/** More of them than a sentence can hold helps nobody. */
const MAX_NAMED = 5;

/**
 * Tells how the panel calls the parameters that a refusal of the service names:
 * ` In the panel: "Page Options > Device".` Empty where it names none of these fields.
 */
export function namesInPanel(fields: INodeProperties[], said: string): string {
	const parameters = parametersOf(fields, '', []);
	const labels = new Set<string>();
	for (const path of pathsIn(said)) {
		for (const { label, isPlain } of find(parameters, path)) if (!isPlain) labels.add(label);
	}
	const shown = [...labels].slice(0, MAX_NAMED);
	return shown.length === 0 ? '' : ` In the panel: ${shown.join(', ')}.`;
}

function parametersOf(fields: INodeProperties[], parent: string, groups: string[]): NamedParameter[] {
	return fields.flatMap((field) => {
		const { displayName, routing } = field;
		const property = routing?.send?.property;
		// `formats[json].schema` is a setting of one entry in the list `formats`.
		const path = property === undefined ? '' : joined(parent, property.replace(/\[\w+\]/, '.*'));
		const label = `"${[...groups, displayName].join(' > ')}"`;
		const isPlain = groups.length === 0 && displayName.toLowerCase() === path.toLowerCase();
		const own = path === '' ? [] : [{ path, label, isPlain }];
		const inner = path === '' ? parent : path;
		return [...own, ...insideOf(field, inner, [...groups, displayName])];
	});
}

function insideOf(field: INodeProperties, path: string, groups: string[]): NamedParameter[] {
	if (field.type === 'collection') return parametersOf(optionFields(field), path, groups);
	if (field.type !== 'fixedCollection') return [];
	const entry = field.typeOptions?.multipleValues ? joined(path, '*') : path;
	return (field.options ?? []).flatMap((group) => ('values' in group ? parametersOf(group.values, entry, groups) : []));
}

function joined(parent: string, path: string): string {
	return parent === '' ? path : `${parent}.${path}`;
}

/**
 * The names in a text that may be those of parameters: a name before a colon or in quotes (`limit: …`, `"limit"`), and
 * whatever is spelled as only names are (`waitFor`, `scrapeOptions.waitFor`, `min_stars`).
 */
function pathsIn(said: string): string[] {
	const found = said.matchAll(/(?<![\w/.@-])["'`]?([a-zA-Z_]\w*(?:\.\w+)*)(["'`:]?)/g);
	return Array.from(found, ([, path = '', end = '']) => ({ path, end }))
		.filter(({ path, end }) => end !== '' || isSpelledAsName(path))
		.map(({ path }) => path.replace(/\.\d+(?=\.|$)/g, '.*'));
}

function isSpelledAsName(path: string): boolean {
	return /[a-z][A-Z]|[._]/.test(path);
}

/**
 * The parameters at a path, else those around it. The service names some without the object that they are in
 * (recording crawl-123): the end of a path will do where it can only mean one of them.
 */
function find(parameters: NamedParameter[], path: string): NamedParameter[] {
	for (let around = path; around !== ''; around = around.slice(0, Math.max(0, around.lastIndexOf('.')))) {
		const found = parameters.filter((one) => one.path === around);
		if (found.length > 0) return found;
	}
	if (!isSpelledAsName(path)) return [];
	const ending = parameters.filter((one) => one.path.endsWith(`.${path}`));
	return new Set(ending.map(({ label }) => label)).size === 1 ? ending : [];
}
