import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { connect } from '../../WebData/run/connection/connect';
import { Monitors } from './monitors';
import { isOwn } from './monitorWebhook';

/** The monitors for the list in the panel, by name; those that triggers have made are not to choose. */
export async function searchMonitors(
	ctx: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const all = await new Monitors(await connect(ctx)).list();
	const results = all
		.filter((monitor) => !isOwn(monitor))
		.map(({ id, record }) => ({ name: String(record.name ?? id), value: id }))
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(filter.toLowerCase()))
		.sort((left, right) => left.name.localeCompare(right.name));
	return { results };
}
