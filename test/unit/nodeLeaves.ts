import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { ruleOf } from '../../nodes/fields/basic.ts';

/** One field of the node that goes into a request, with the place it has there. */
export interface NodeLeaf {
	/** As in ContractLeaf. */
	place: string;
	field: INodeProperties;
}

const LIST_KINDS = ['list', 'lines', 'urls', 'numbers', 'codes', 'tokens'];

/** Every field that is sent, also those inside groups. */
export function nodeLeaves(fields: INodeProperties[], prefix?: string): NodeLeaf[] {
	return fields.flatMap((field) => {
		const send = field.routing?.send;
		const own = send?.property === undefined ? prefix : `${prefix ?? `${send.type ?? 'body'} `}${send.property}`;
		const leaf = send?.property === undefined || own === undefined ? [] : [{ place: own, field }];
		return [...leaf, ...innerLeaves(field, own, leaf.length > 0, prefix)];
	});
}

function innerLeaves(
	field: INodeProperties,
	own: string | undefined,
	isPlaced: boolean,
	prefix: string | undefined,
): NodeLeaf[] {
	if (field.type === 'collection') {
		const options = (field.options ?? []) as INodeProperties[];
		return nodeLeaves(options, isPlaced ? `${own}.` : prefix);
	}
	// Names in a list that may have settings are kinds of entries: the fields with these stand elsewhere.
	if (field.type === 'multiOptions' && own?.endsWith('ormats')) {
		return choicesOf(field).map((value) => ({ place: `${own}[${value}]`, field }));
	}
	if (field.type !== 'fixedCollection') return [];
	const [group] = (field.options ?? []) as INodePropertyCollection[];
	if (!group) return [];
	if (!field.typeOptions?.multipleValues) return nodeLeaves(group.values, `${own}.`);
	const [first, ...others] = group.values;
	if (first?.name !== 'type') return nodeLeaves(group.values, `${own}[].`);
	return choicesOf(first).flatMap((value) => [
		{ place: `${own}[${value}]`, field: first },
		...nodeLeaves(
			others.filter(({ displayOptions }) => displayOptions?.show?.type?.includes(value)),
			`${own}[${value}].`,
		),
	]);
}

export function choicesOf(field: INodeProperties): string[] {
	return (field.options ?? []).map((option) => String((option as INodePropertyOptions).value));
}

/** The types that a field sends, in the words of the contract. */
export function typesOf(field: INodeProperties): string[] {
	const { sentAs = '', whenEmpty } = ruleOf(field);
	// A field that is no longer shown is a number where its default is one.
	const isNumber = field.type === 'hidden' && typeof field.default === 'number';
	switch (isNumber ? 'number' : field.type) {
		case 'number':
			return field.typeOptions?.numberPrecision === 0 ? ['integer', 'number'] : ['number'];
		case 'boolean':
			return ['boolean'];
		case 'multiOptions':
			return ['array'];
		case 'json':
		case 'resourceMapper':
			return ['object'];
		case 'collection':
			if (sentAs === 'timeSpan') return ['string'];
			return whenEmpty === true ? ['object', 'boolean'] : ['object'];
		case 'fixedCollection':
			return field.typeOptions?.multipleValues ? ['array'] : ['object'];
		default:
			if (sentAs === 'binaryFields') return ['binary'];
			return LIST_KINDS.includes(sentAs) ? ['array'] : ['string'];
	}
}
