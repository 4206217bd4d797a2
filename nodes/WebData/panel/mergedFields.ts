import type { INodeProperties } from 'n8n-workflow';

import { optionFields } from '../fields/basic/optionFields';
import type { OperationName } from './shownFor';

export interface OwnFields {
	name: OperationName;
	fields: INodeProperties[];
}

/** A field of the panel, and the operations that have it. */
export interface MergedField {
	/** Without `routing`, and without the options of a collection: those are in `options`. */
	field: INodeProperties;
	names: OperationName[];
	options: MergedField[];
}

/**
 * The fields of all operations in one list, each once where it looks the same, so that n8n stores one
 * value for all of them and the editor loads it once. Every operation finds its own fields in its own
 * order. Of collections only the frame must look the same: their options are merged as well, unless two
 * operations have different options of one name, which n8n's editor cannot tell apart, or the same options
 * in another order.
 */
export function mergedFields(lists: OwnFields[]): MergedField[] {
	const merged: MergedField[] = [];
	for (const { name, fields } of lists) {
		let next = 0;
		for (const field of fields) {
			const found = bestMatch(merged, next, field);
			if (found === -1) merged.splice(next, 0, newField(field, name));
			else add(merged[found], field, name);
			next = (found === -1 ? next : found) + 1;
		}
	}
	return merged;
}

/** Where a field that looks like one of the panel has most options in common with it; -1 for none. */
function bestMatch(merged: MergedField[], from: number, field: INodeProperties): number {
	let [best, most] = [-1, -1];
	for (const [index, one] of merged.entries()) {
		if (index < from || !isSame(one, field)) continue;
		const count = sizeInCommon(one, field);
		if (count > most) [best, most] = [index, count];
	}
	return best;
}

/** How much of the options of a collection is there already, in characters of the panel. */
function sizeInCommon(merged: MergedField, field: INodeProperties): number {
	if (!isCollection(field)) return 0;
	const names = new Set(merged.options.map((option) => option.field.name));
	return optionFields(field)
		.filter(({ name }) => names.has(name))
		.reduce((sum, option) => sum + JSON.stringify(option).length, 0);
}

function newField(field: INodeProperties, name: OperationName): MergedField {
	const options = isCollection(field) ? optionFields(field) : [];
	return { field: frame(field), names: [name], options: options.map((one) => newField(one, name)) };
}

/**
 * Options stand where the first operation has them. Others come right before the one that follows them, or
 * last: what all lists end with stays at their end.
 */
function add(merged: MergedField | undefined, field: INodeProperties, name: OperationName): void {
	if (!merged) return;
	merged.names.push(name);
	if (!isCollection(field)) return;
	let end = merged.options.length;
	for (const option of optionFields(field).reverse()) {
		const found = merged.options.findIndex((one) => one.field.name === option.name);
		if (found === -1) merged.options.splice(end, 0, newField(option, name));
		else add(merged.options[found], option, name);
		end = found === -1 ? end : found;
	}
}

/** Whether a field looks like one of the panel, and its options can stand beside those. */
function isSame(merged: MergedField, field: INodeProperties): boolean {
	if (JSON.stringify(frame(field)) !== JSON.stringify(merged.field)) return false;
	if (!isCollection(field)) return true;
	let last = -1;
	return optionFields(field).every((option) => {
		const at = merged.options.findIndex(({ field: { name } }) => name === option.name);
		const namesake = merged.options[at];
		if (!namesake) return true;
		// What both have must stand in the same order, or one of them would lose its own.
		const isInOrder = at > last;
		last = at;
		return isInOrder && isSame(namesake, option);
	});
}

function isCollection({ type }: INodeProperties): boolean {
	return type === 'collection';
}

/** What the panel shows of a field. `routing` is for this node's own interpreter, not for n8n. */
function frame(field: INodeProperties): INodeProperties {
	const shown = { ...field };
	delete shown.routing;
	if (isCollection(field)) return { ...shown, options: [] };
	if (field.type !== 'fixedCollection') return shown;
	const groups = (field.options ?? []).map((group) =>
		'values' in group ? { ...group, values: group.values.map(withoutRouting) } : group,
	);
	return { ...shown, options: groups };
}

/** The same for the fields of a group, whatever is inside them. */
function withoutRouting(field: INodeProperties): INodeProperties {
	const shown = frame(field);
	return isCollection(field)
		? { ...shown, options: optionFields(field).map(withoutRouting) }
		: shown;
}
