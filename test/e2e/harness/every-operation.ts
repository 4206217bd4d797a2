/** Every operation of the built node, as it is when it is chosen. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties } from 'n8n-workflow';
import { projectRoot } from '../../../tools/n8n/project.ts';

/** An operation, by the values and by the names of resource and operation. */
interface OperationChoice {
	resource: string;
	operation: string;
	/** `Page · Scrape` */
	title: string;
	/** As the node menu has it: `Scrape page to text or structured data`. */
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
