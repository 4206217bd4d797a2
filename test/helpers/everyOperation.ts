/** Every operation of the built node, as it is when it is chosen, and with everything set that can be. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from '../../engine/n8n.ts';
import { projectRoot } from '../../n8n/project.ts';

/** Values of an operation's parameters. */
export type Parameters = Record<string, unknown>;

/** An operation, by the values and by the names of resource and operation. */
export interface OperationChoice {
	resource: string;
	operation: string;
	/** `Page · Scrape` */
	title: string;
	/** As the node menu has it: `Scrape page and get its content`. */
	action: string;
}

const file = path.join(projectRoot(), 'dist/nodes/WebData/properties.json');
const properties = JSON.parse(readFileSync(file, 'utf8')) as INodeProperties[];

/** An entry of a list of choices. */
interface Choice {
	name: string;
	value: string;
	action: string;
}

function choicesOf({ options = [] }: INodeProperties): Choice[] {
	return options.flatMap((one) =>
		'value' in one ? [{ name: one.name, value: String(one.value), action: one.action ?? '' }] : [],
	);
}

/** All operations in the order of the panel. */
export function everyOperation(): OperationChoice[] {
	const resources = properties.filter(({ name }) => name === 'resource').flatMap(choicesOf);
	return resources.flatMap((resource) =>
		properties
			.filter(({ name, displayOptions }) => {
				const shownFor = displayOptions?.show?.resource ?? [];
				return name === 'operation' && shownFor.includes(resource.value);
			})
			.flatMap(choicesOf)
			.map((operation) => ({
				resource: resource.value,
				operation: operation.value,
				title: `${resource.name} · ${operation.name}`,
				action: operation.action,
			})),
	);
}

/** Whether a field is there for an operation, whatever else it depends on. */
function isFieldOf({ displayOptions }: INodeProperties, choice: OperationChoice): boolean {
	const show = displayOptions?.show ?? {};
	const resources = show.resource ?? show['/resource'];
	const operations = show.operation ?? show['/operation'];
	return (
		(resources === undefined || resources.includes(choice.resource)) &&
		(operations === undefined || operations.includes(choice.operation))
	);
}

/** Fields that decide which others are shown, by name. */
const deciding = new Set(
	JSON.stringify(properties)
		.match(/(?<="show":\{)[^}]*(?=\})/g)
		?.flatMap(namesIn),
);

function namesIn(conditions: string): string[] {
	const parsed = JSON.parse(`{${conditions}}`) as Record<string, unknown>;
	return Object.keys(parsed).map((name) => name.replace('/', ''));
}

/** The names of all choices of the fields with a list, by parameter. */
export const choicesByName: Readonly<Record<string, readonly string[]>> =
	collectChoices(properties);

/** The names of all choices of these fields with a list, by parameter. */
export function collectChoices(fields: INodeProperties[]): Record<string, string[]> {
	const found: Record<string, string[]> = {};
	const collect = (field: INodeProperties): void => {
		if (field.type === 'options') {
			const names = choicesOf(field).map(({ name }) => name);
			found[field.name] = [...new Set([...(found[field.name] ?? []), ...names])];
		}
		for (const option of field.options ?? []) {
			if ('values' in option) option.values.forEach(collect);
			else if (isField(option)) collect(option);
		}
	};
	fields.forEach(collect);
	return found;
}

/** The value of the `variant`th check a field: what others depend on has another one in each. */
function valueOf(field: INodeProperties, choice: OperationChoice, variant: number): unknown {
	const { type, name, default: byDefault, options = [], typeOptions } = field;
	switch (type) {
		case 'collection':
			return valuesOf(options.filter(isField), choice, variant);
		case 'fixedCollection': {
			const groups = options.flatMap((group) => ('values' in group ? [group] : []));
			return Object.fromEntries(
				groups.map((group) => {
					const kinds = group.values.filter((one) => one.name === 'type').flatMap(choicesOf);
					const entries = (kinds.length === 0 ? [{ value: undefined }] : kinds).map(
						({ value }) => ({
							...valuesOf(group.values, choice, variant),
							...(value !== undefined && { type: value }),
						}),
					);
					return [group.name, typeOptions?.multipleValues === true ? entries : entries[0]];
				}),
			);
		}
		case 'multiOptions':
			return choicesOf(field).map(({ value }) => value);
		case 'options': {
			const values = choicesOf(field).map(({ value }) => value);
			return deciding.has(name) ? values[variant % values.length] : byDefault;
		}
		case 'boolean':
			return deciding.has(name) && variant % 2 === 1 ? byDefault !== true : byDefault;
		default:
			return byDefault;
	}
}

function isField(option: object): option is INodeProperties {
	return 'displayName' in option && 'type' in option;
}

function valuesOf(fields: INodeProperties[], choice: OperationChoice, variant: number): Parameters {
	const own = fields.filter((field) => isFieldOf(field, choice) && field.type !== 'notice');
	return Object.fromEntries(own.map((field) => [field.name, valueOf(field, choice, variant)]));
}

/** An operation with every option added, once for each value of what others depend on. */
function everythingSet(choice: OperationChoice): Parameters[] {
	const { resource, operation } = choice;
	const fields = properties.filter(
		(field) => !['resource', 'operation'].includes(field.name) && isFieldOf(field, choice),
	);
	return [0, 1, 2, 3].map((variant) => ({
		resource,
		operation,
		...valuesOf(fields, choice, variant),
	}));
}

/** The fields that n8n shows at these values, each as the way to it by labels. */
function shownAt(fields: INodeProperties[], values: Parameters, root: Parameters, around: string) {
	const node = { typeVersion: 1 };
	const description = { properties };
	const [own, all] = [values as INodeParameters, root as INodeParameters];
	const shown = fields.filter((field) =>
		NodeHelpers.displayParameter(own, field, node, description as INodeTypeDescription, all),
	);
	return shown.flatMap((field): string[] => {
		const place = `${around} › ${field.displayName}`;
		const value = values[field.name];
		const inner = (field.options ?? []).flatMap((option) => {
			if ('values' in option) {
				const group = isRecord(value) ? value[option.name] : undefined;
				const entries = Array.isArray(group) ? group.filter(isRecord) : [group].filter(isRecord);
				return entries.flatMap((entry) => shownAt(option.values, entry, root, place));
			}
			return isField(option) && isRecord(value) ? shownAt([option], value, root, place) : [];
		});
		return [place, ...inner];
	});
}

function isRecord(value: unknown): value is Parameters {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Settings that together show every field of the panel in every place that it has: of operations with
 * everything set, those that show something that the ones before do not.
 */
export function everythingOnce(): Array<{ title: string; parameters: Parameters }> {
	const seen = new Set<string>();
	return everyOperation().flatMap((choice) =>
		everythingSet(choice).flatMap((parameters, variant) => {
			const places = shownAt(properties, parameters, parameters, '');
			if (places.every((place) => seen.has(place))) return [];
			places.forEach((place) => seen.add(place));
			return [{ title: `${choice.title} ${variant + 1}`, parameters }];
		}),
	);
}
