import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../service/http/answer';
import { shorten } from '../service/http/failure';
import type { JsonObject } from '../service/http/transport';
import { isText } from '../text/values';

/** `open-registry · company-profile`: a tool by what it is run with; empty where that is no text. */
export const toolName = ({ provider, capability }: JsonObject): string =>
	shorten([provider, capability].filter(isText).join(' · '), 160);

/** Calls that an entry of the catalogue names: to run it, and to look one level deeper. */
const CALLS = ['execute', 'next'];

/**
 * A tool as the catalogue has it, or what else there is at another level: the names that run it come first, and the
 * calls that say the same are left out.
 */
export function toolEntry(given: JsonObject): IDataObject {
	const item = Object.fromEntries(Object.entries(given).filter(([name]) => !CALLS.includes(name)));
	const { provider, capability } = { ...item, ...(isJsonObject(given.execute) && given.execute) };
	const names = { ...(isText(provider) && { provider }), ...(isText(capability) && { capability }) };
	return { ...names, ...item, ...names } as IDataObject;
}

/**
 * The data tools beside the results of a search, or the content of a page, that fit them; undefined where there is no
 * place for any, because none were asked for.
 */
export function toolsBeside(data: unknown): IDataObject[] | undefined {
	const { tools } = isJsonObject(data) ? data : {};
	return Array.isArray(tools) ? tools.filter(isJsonObject).map(toolEntry) : undefined;
}
