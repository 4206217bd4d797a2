import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { readCredits } from '../../operation/webPage';
import type { CallAnswer, CallUsage, ItemDraft } from '../../operation/operation';

export const resultOutput: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'One Item per Result', value: 'results', description: 'Best result first' },
		{ name: 'One List', value: 'list', description: 'All results of a query in one item' },
	],
	default: 'results',
	description: 'How to return the results',
};

/** Reads the results of an answer; undefined when there is no place for any. */
export type ReadResults = (answer: CallAnswer) => IDataObject[] | undefined;

/**
 * Results as items or as one list. `notes` are fields of the answer that go with the list, where they
 * are there. `error` is renamed, since n8n takes an item with that name for a failed one
 * (docs/n8n-internals.md#fields-named-error).
 */
export function resultItems(readResults: ReadResults, notes: string[]) {
	return (answer: CallAnswer): ItemDraft[] | undefined => {
		const { body, sent, values } = answer;
		const results = readResults(answer)?.map(({ error, ...result }) =>
			error === undefined || error === null ? result : { ...result, pageError: error },
		);
		if (!results) return undefined;
		if (values.output !== 'list') return results.map((json) => ({ json }));
		const present = notes.filter((name) => body[name] !== undefined && body[name] !== null);
		const noted = Object.fromEntries(present.map((name) => [name, body[name]])) as IDataObject;
		const query = (sent.query ?? sent.intent ?? null) as string | null;
		return [{ json: { query, count: results.length, results, ...noted } }];
	};
}

/** `results` of the answer, numbered. */
export function readNumbered({ body }: { body: JsonObject }): IDataObject[] | undefined {
	if (!Array.isArray(body.results)) return undefined;
	return body.results
		.filter(isJsonObject)
		.map((result, index) => ({ position: index + 1, ...result }));
}

export function resultUsage(readResults: ReadResults): CallUsage {
	return {
		unit: 'result',
		read: (answer) => ({
			amount: readResults(answer)?.length ?? 0,
			credits: readCredits(answer.body),
		}),
	};
}

/** The field for what to look for. `maxLength` is the service's limit, where it has one. */
export function queryField(placeholder: string, maxLength?: number): INodeProperties {
	return {
		displayName: 'Query',
		name: 'query',
		type: 'string',
		typeOptions: maxLength === undefined ? {} : { maxLength },
		default: '',
		required: true,
		placeholder,
		description: `What to look for, in a few words${maxLength === undefined ? '' : `, at most ${maxLength} characters`}`,
		routing: { send: { type: 'body', property: 'query' } },
	};
}
