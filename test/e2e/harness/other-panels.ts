/** The panels of the built nodes besides Web Data, each choice of what they do by itself. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { projectRoot, webDataPackage } from '../../../n8n/project.ts';
import { collectChoices, type Parameters } from './every-operation.ts';

/** A node as it is when it is added and this choice is made. */
interface OtherPanel {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Parameters;
	/** The names of all choices of the fields with a list, by parameter. */
	choices: Readonly<Record<string, readonly string[]>>;
}

/** By node: where its properties are, its newest version, and the field that decides which others are shown. */
const NODES = [
	{ name: 'webDataTrigger', folder: 'WebDataTrigger/panel', typeVersion: 2, decides: 'event' },
	{ name: 'webDataPollTrigger', folder: 'WebDataPollTrigger', typeVersion: 1, decides: 'event' },
	{ name: 'webDataLoader', folder: 'WebDataLoader', typeVersion: 1, decides: 'source' },
	{ name: 'webResearch', folder: 'WebResearch/panel', typeVersion: 1, decides: '' },
	{ name: 'webResearchTool', folder: 'WebResearchTool', typeVersion: 1, decides: '' },
];

/** Every panel of the triggers, of research and of the loader. */
export function otherPanels(): OtherPanel[] {
	return NODES.flatMap(({ name, folder, typeVersion, decides }) => {
		const file = path.join(projectRoot(), 'dist/nodes', folder, 'properties.json');
		const properties = JSON.parse(readFileSync(file, 'utf8')) as INodeProperties[];
		const deciding = properties.find((field) => field.name === decides);
		const values = (deciding?.options ?? []).flatMap((one) =>
			'value' in one ? [String(one.value)] : [],
		);
		const node = {
			type: `${webDataPackage}.${name}`,
			typeVersion,
			choices: collectChoices(properties),
		};
		if (deciding === undefined) return [{ ...node, name, parameters: {} }];
		return values.map((value) => ({
			...node,
			name: `${name} ${value}`,
			parameters: { [decides]: value },
		}));
	});
}
