import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult, ResourceMapperFields } from 'n8n-workflow';
import { chosenValue, listNameOf } from '../fields/basic';
import type { ListName } from '../fields/basic';
import type { ListChoice, ListOperation } from '../operation/operation';
import { connect, CREDENTIAL } from '../run/connection/connect';
import { unexpectedError } from '../run/errors/unexpectedError';
import { requestOf, valuesInPath } from '../run/input/readFields';
import type { ServiceClient } from '../service/client';
import { isJsonObject } from '../service/http/answer';
import { notTheService, ServiceFailure } from '../service/http/failure';
import type { JsonObject } from '../service/http/transport';
import { requestForPart } from '../service/results/listParts';
import { findOperation, resources } from './resources';

/** How long the editor waits for one part of a list, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Most parts that are read in search of an element that fits. */
const MAX_PARTS = 10;

/** The position at which a list continues: what to ask for, and how many elements came before. */
interface ListPosition {
	more: JsonObject;
	count: number;
}

/**
 * A part of a list for the field of an ID, as n8n's editor asks for it: those elements whose name or ID
 * holds `filter`, and a token for the part after it. Throws a NodeOperationError of one sentence, which the
 * editor shows in the place of the list, or what n8n has thrown.
 */
export async function searchList(
	ctx: ILoadOptionsFunctions,
	name: ListName,
	filter = '',
	token?: string,
): Promise<INodeListSearchResult> {
	return await orNodeError(ctx, async () => {
		const operation = listOperation(name);
		const { path } = operation.request;
		const { about } = operation.choices ?? {};
		const inBody = (about?.names ?? []).map((name) => [name, valueNow(ctx, name)] as const);
		const values = { ...valuesInPath(path, (name) => valueNow(ctx, name)), ...Object.fromEntries(inBody) };
		const client = await connected(ctx);
		const toChoice = choiceIn(operation, ctx.getTimezone());
		return await readChoices({ operation, values, client, toChoice }, filter, placeOf(token));
	});
}

/**
 * The fields of an operation that only the service knows, as n8n's editor asks for them. Throws as searchList does.
 */
export async function mappedFields(
	ctx: ILoadOptionsFunctions,
	resource: string,
	name: string,
): Promise<ResourceMapperFields> {
	return await orNodeError(ctx, async () => {
		const operation = findOperation(resource, name)?.operation;
		const inputs = operation?.kind === 'call' ? operation.inputs : undefined;
		if (!inputs) throw badChoice('This version of the node has no such fields.');
		const chosen = inputs.about.map((one) => [one, choiceNow(ctx, one)] as const);
		// Asked before anything is chosen, as n8n does: that is no failure.
		const isMissing = chosen.some(([, { whyNone }]) => whyNone !== undefined);
		if (isMissing) return { fields: [], emptyFieldsNotice: inputs.whenNotChosen };
		const values = Object.fromEntries(chosen.map(([one, { value }]) => [one, value]));
		const client = await connected(ctx);
		return inputs.fieldsOf((await client.send(inputs.request(values), TIMEOUT_MS)).body, values);
	});
}

/** The way to the service for what the editor asks for. Throws as connect does, and where no credential is chosen. */
async function connected(ctx: ILoadOptionsFunctions): Promise<ServiceClient> {
	if (!ctx.getNode().credentials?.[CREDENTIAL]) throw badChoice(NO_CREDENTIAL);
	return await connect(ctx);
}

/** Does the work; a failure is a NodeOperationError of one sentence, which the editor shows in the place of the list. */
async function orNodeError<Result>(ctx: ILoadOptionsFunctions, work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ServiceFailure)) throw unexpectedError(ctx.getNode(), error);
		const { message, httpCode } = error;
		const isMissing = httpCode === 404;
		throw new NodeOperationError(ctx.getNode(), message, {
			description: isMissing ? 'Choose By ID instead.' : '',
		});
	}
}

function listOperation(name: ListName): ListOperation {
	const lists = resources.flatMap(({ value, operations, lists: own = [] }) =>
		[...operations, ...own].flatMap((one) => {
			return one.kind === 'list' && listNameOf(value, one.value) === name ? [one] : [];
		}),
	);
	const [list] = lists;
	if (list) return list;
	throw badChoice(`This version of the node has no list "${name}": choose By ID.`);
}

/** A list, and what it is asked with. */
interface ListToRead {
	operation: ListOperation;
	values: JsonObject;
	client: ServiceClient;
	toChoice: (element: IDataObject) => ListChoice | undefined;
}

/** The choice that an element of the list is, with its times in this zone. */
function choiceIn({ choices }: ListOperation, timeZone: string): ListToRead['toChoice'] {
	return (element) => choices?.of(element, timeZone);
}

async function readChoices(
	{ operation, values, client, toChoice }: ListToRead,
	filter: string,
	from: ListPosition,
): Promise<INodeListSearchResult> {
	const { choices, paging, readList } = operation;
	const wanted = filter.trim().toLowerCase();
	const body = choices?.about?.body(values) ?? {};
	const whole = requestOf(operation.request, { values, body, query: choices?.query ?? {} });
	let place: ListPosition | undefined = from;
	for (let parts = 0; place && parts < MAX_PARTS; parts++) {
		const { body: answer } = await client.send(requestForPart(whole, paging, place.more), TIMEOUT_MS);
		const list = readList(answer);
		if (!list) throw notTheService(client.baseUrl, 'without a list');
		const count: number = place.count + list.length;
		const more: JsonObject | undefined = list.length === 0 ? undefined : paging?.next(answer, count);
		const results = list
			.flatMap((element) => toChoice(element) ?? [])
			.filter(({ id, name }) => `${name}\n${id}`.toLowerCase().includes(wanted))
			.map(({ id, name }) => ({ name, value: id }));
		place = more && { more, count };
		// A part without anything that fits is no end of the list.
		if (results.length > 0 || !place) return { results, ...(place && tokenOf(place)) };
	}
	return { results: [], ...(place && tokenOf(place)) };
}

function tokenOf(place: ListPosition): { paginationToken: string } {
	return { paginationToken: JSON.stringify(place) };
}

function placeOf(token: string | undefined): ListPosition {
	const place: unknown = token === undefined ? {} : JSON.parse(token);
	const { more, count } = isJsonObject(place) ? place : {};
	return { more: isJsonObject(more) ? more : {}, count: typeof count === 'number' ? count : 0 };
}

/** An ID that the list is about, as another field has it now: the checks of the chosen monitor. */
function valueNow(ctx: ILoadOptionsFunctions, name: string): string {
	const { value = '', whyNone } = choiceNow(ctx, name);
	if (whyNone === undefined) return value;
	throw badChoice(whyNone);
}

/** What another field has now, or a sentence that says why it has nothing to go by. */
function choiceNow(ctx: ILoadOptionsFunctions, name: string): { value?: string; whyNone?: string } {
	const value = chosenValue(ctx.getCurrentNodeParameter(name));
	const what = name.replace(/Id$/, '');
	if (typeof value !== 'string' || value.trim() === '') {
		return { whyNone: `Choose the ${what} first: this is a list of what belongs to it.` };
	}
	if (!value.startsWith('=')) return { value };
	return {
		whyNone: `The ${what} is an expression, which has its value only when the workflow runs: choose By ID here.`,
	};
}

/** Shown if no credential is chosen yet. Of one that it cannot read n8n says itself what is wrong. */
const NO_CREDENTIAL = 'Choose a Web Data API (Firecrawl) credential first.';

function badChoice(message: string): ServiceFailure {
	return new ServiceFailure({ kind: 'badInput', mayHaveExecuted: false, message });
}
