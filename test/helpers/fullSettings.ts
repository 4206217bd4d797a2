import type { INodeParameters, INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { ruleOf } from '../../nodes/fields/basic';
import { NodeHelpers } from '../../tools/n8n-engine/n8n.ts';

type Values = Record<string, unknown>;

/** Values that fields of these names take; all others take any of their type. */
const BY_NAME: Values = {
	additionalFields: '{"added":{"by":"hand"}}',
	blacklist: '*.bad.example',
	country: 'DE',
	example: '{"name":"Ada","price":1.5}',
	excludeDomains: 'c.example',
	excludePaths: 'blog/.*',
	headers: '{"x-one":"1"}',
	includeDomains: 'd.example',
	includePaths: 'docs/.*',
	languages: 'de, en',
	paperId: 'doi:10.5555/1',
	schema: '{"type":"object","properties":{"name":{"type":"string"}}}',
	whitelist: 'good.example',
};

function choices(field: INodeProperties): string[] {
	return (field.options ?? []).map((option) => String((option as INodePropertyOptions).value));
}

/** Whether n8n shows the field at these values. */
function isShown(field: INodeProperties, values: Values, top: Values): boolean {
	const [own, all] = [values as INodeParameters, top as INodeParameters];
	return NodeHelpers.displayParameter(own, field, { typeVersion: 1 }, null, all);
}

function textOf({ name, displayName, placeholder = '' }: INodeProperties): string {
	const known = BY_NAME[name];
	if (typeof known === 'string') return known;
	if (/lifetime|seconds/i.test(displayName)) return '60';
	if (/date|^(from|to|since|until)$/i.test(displayName)) return '2026-01-31';
	if (/url|webhook/i.test(name)) return `https://site.example/${name}`;
	if (/id$/i.test(name)) return '01a1ffce-e10c-74d8-b27b-cc3c68d5d343';
	const shown = placeholder.replace(/^e\.g\. /, '');
	return shown === '' ? `some ${displayName}` : shown;
}

function valueOf(field: INodeProperties, top: Values): unknown {
	const { type, name, displayName, default: byDefault, typeOptions = {}, options = [] } = field;
	switch (type) {
		case 'boolean':
			return byDefault !== true;
		case 'number': {
			const { minValue = 1, maxValue = Infinity } = typeOptions;
			const more = displayName.includes('(This Run)') ? 1_000_000 : 1;
			return Math.min(maxValue, Math.max(minValue, Number(byDefault) + more));
		}
		case 'options':
			return choices(field).at(-1);
		case 'multiOptions':
			return choices(field).filter((choice) => !ruleOf(field).alone?.includes(String(choice)));
		case 'collection':
			return fullSettings(options as INodeProperties[], top);
		case 'fixedCollection': {
			const [group] = options as INodePropertyCollection[];
			if (!group) return {};
			const entry = fullSettings(group.values, top);
			return { [group.name]: typeOptions.multipleValues === true ? [entry] : entry };
		}
		case 'json':
			return BY_NAME[name] ?? '{"a":1}';
		case 'resourceLocator':
			return { __rl: true, mode: 'id', value: '01a1ffce-e10c-74d8-b27b-cc3c68d5d343' };
		default:
			return textOf(field);
	}
}

/** Every field that is shown, set to another value than its default; by name. */
export function fullSettings(fields: readonly INodeProperties[], top?: Values): Values {
	const values: Values = {};
	const hasSpan = fields.some(({ name }) => name === 'publishedBetween');
	for (const field of fields) {
		// The other way to say of when: both together are refused.
		if (hasSpan && field.name === 'tbs') continue;
		if (field.type === 'notice' || !isShown(field, values, top ?? values)) continue;
		values[field.name] = valueOf(field, top ?? values);
	}
	return values;
}

/** Whether a field, or a field of its entries, must be set. */
function isNeeded({ required, type, options = [] }: INodeProperties): boolean {
	const entries = type === 'fixedCollection' ? (options as INodePropertyCollection[]) : [];
	return required === true || entries.some(({ values }) => values.some(isNeeded));
}

/** The fields that must be set, with everything else as it is. */
export function leastSettings(fields: readonly INodeProperties[]): Values {
	const full = fullSettings(fields);
	const needed = fields.filter((field) => isNeeded(field) && field.type !== 'multiOptions' && field.name in full);
	return Object.fromEntries(needed.map(({ name }) => [name, full[name]]));
}
