import { createHash } from 'node:crypto';

import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { isJsonObject } from '../service/http/answer';
import { ServiceFailure } from '../service/http/failure';
import type { JsonObject } from '../service/http/transport';
import { connect } from '../WebData/run/connection/connect';
import { operationItems } from '../WebData/run/fromTrigger';
import { pollEvents } from './events';
import type { Look, PollEvent } from './events/pollEvent';

/** What is stored with the workflow between two polls. */
interface Memory {
	/** Of the settings that `mark` belongs to: with others, everything begins anew. */
	settings?: string;
	mark?: JsonObject;
	/** What was told of the polls that have failed since one succeeded: a code or a kind of failure each. */
	failing?: string[];
}

/** Most kinds of trouble that are remembered as told. */
const MOST_TROUBLES = 10;

/** Polls that are at work in this process: n8n starts the next one whether the last has ended or not. */
const atWork = new Set<string>();

/**
 * What the polls of this process have told, by trigger, as `Memory.failing`: with durable cursors n8n keeps
 * nothing that a poll has stored when it throws (n8n 2.40, N8N_POLLER_DURABLE_CURSORS_ENABLED).
 */
const toldHere = new Map<string, string[]>();

/**
 * One poll. The first sets the mark and starts nothing; by hand, it shows one item and moves nothing. What
 * goes wrong is thrown once: until a poll succeeds again the same trouble is not told again, and the mark
 * stays where it was, so that nothing is missed.
 */
export async function poll(ctx: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		return ctx.getMode() === 'manual' ? await showSample(ctx) : await findNewsAlone(ctx);
	} catch (error) {
		throw asNodeError(ctx, error);
	}
}

async function findNewsAlone(ctx: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const name = nameOf(ctx);
	if (atWork.has(name)) return null;
	atWork.add(name);
	try {
		return await findNews(ctx);
	} finally {
		atWork.delete(name);
	}
}

async function showSample(ctx: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const event = eventOf(ctx);
	const { sample } = await look(ctx, event, valuesOf(ctx, event), undefined);
	return sample ? [[sample]] : null;
}

async function findNews(ctx: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const memory: Memory = ctx.getWorkflowStaticData('node');
	const event = eventOf(ctx);
	const values = valuesOf(ctx, event);
	const settings = fingerprint({ event: event.value, values });
	const stored = memory.settings === settings ? memory.mark : undefined;
	const earlier = isJsonObject(stored) ? stored : undefined;
	const found = await look(ctx, event, values, earlier).catch(asError);
	if (found instanceof Error) {
		// Without a mark there was never a poll that succeeded: the workflow is being activated.
		const told = earlier === undefined ? [] : toldBefore(ctx, memory);
		const trouble = troubleOf(found);
		if (!told.includes(trouble)) {
			memory.failing = [...told, trouble].slice(-MOST_TROUBLES);
			toldHere.set(nameOf(ctx), memory.failing);
			throw asNodeError(ctx, found);
		}
		ctx.logger.warn(`${ctx.getNode().name} still fails: ${found.message}`);
		return null;
	}
	memory.settings = settings;
	memory.mark = found.mark;
	delete memory.failing;
	toldHere.delete(nameOf(ctx));
	return earlier !== undefined && found.news.length > 0 ? [found.news] : null;
}

function nameOf(ctx: IPollFunctions): string {
	return `${ctx.getWorkflow().id ?? ''}/${ctx.getNode().id}`;
}

/** Somebody who activates the workflow anew is told again; n8n's durable polls after that are updates. */
function toldBefore(ctx: IPollFunctions, { failing }: Memory): string[] {
	if (Array.isArray(failing)) return failing.map(String);
	return ctx.getActivationMode() === 'update' ? (toldHere.get(nameOf(ctx)) ?? []) : [];
}

async function look(
	ctx: IPollFunctions,
	event: PollEvent,
	values: JsonObject,
	mark: JsonObject | undefined,
): Promise<Look> {
	const client = await connect(ctx);
	return await event.look(
		{ client, items: async (asked) => await operationItems(ctx, asked) },
		values,
		mark,
	);
}

function eventOf(ctx: IPollFunctions): PollEvent {
	const value = String(ctx.getNodeParameter('event'));
	const event = pollEvents.find((one) => one.value === value);
	if (event) return event;
	throw new ServiceFailure({
		kind: 'badInput',
		reached: 'no',
		message: `This version of the node has no event "${value}": choose one in the panel.`,
	});
}

function valuesOf(ctx: IPollFunctions, { fields }: PollEvent): JsonObject {
	return Object.fromEntries(
		fields.map((field) => [field.name, ctx.getNodeParameter(field.name, field.default)]),
	);
}

function fingerprint(settings: JsonObject): string {
	return createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 16);
}

/**
 * What makes two failures the same trouble. A service that is down says so in many ways: all that passes by
 * itself is one. What somebody must act on is told by its code, or by its text.
 */
function troubleOf(error: Error): string {
	if (!(error instanceof ServiceFailure || error instanceof NodeApiError)) return error.message;
	if (error instanceof ServiceFailure && error.kind === 'badInput') return error.message;
	const code = Number(error.httpCode ?? 0);
	const isPassing = code < 400 || code === 408 || code === 429 || code >= 500;
	return isPassing ? 'outage' : String(code);
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}

/** n8n replaces messages that contain the name of a system error (N8N fact 18), so it is set last. */
function asNodeError(ctx: IPollFunctions, error: unknown): unknown {
	if (!(error instanceof ServiceFailure)) return error;
	const { message, httpCode } = error;
	const details: IDataObject = { message, ...(httpCode !== undefined && { httpCode }) };
	const shown = new NodeApiError(ctx.getNode(), details as { message: string }, { message });
	shown.message = message;
	return shown;
}
