import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { operationItems } from '../WebData/askedOperation';
import { connect, credentialNames } from '../run/connection/connect';
import { unexpectedError } from '../run/errors/unexpectedError';
import { isJsonObject } from '../service/http/answer';
import { ServiceFailure, refusedInput } from '../service/http/failure';
import type { JsonObject } from '../service/http/transport';
import { withoutUsers } from '../service/secrets';
import { pollEvents } from './events/index';
import { PollFailure, isExpression } from './events/pollEvent';
import type { PollEvent, PollReader, PollResult, PollSettings } from './events/pollEvent';

/** The state that is stored with the workflow between two polls. */
interface Memory {
	mark?: JsonObject;
	/** The settings that the mark belongs to: where something else is watched, everything starts over. */
	watching?: string;
	/** The settings as they were written; at how many polls in a row they named something else than before. */
	written?: string;
	changes?: number;
	failing?: string[];
}

/** Polls in a row that watch something else than the one before: then it is no coincidence. */
const CHANGES_TO_TELL = 2;

/** Polls that are at work in this process: n8n starts the next one whether the last has ended or not. */
const inProgress = new Set<string>();

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
	if (inProgress.has(name)) return null;
	inProgress.add(name);
	try {
		return await findNews(ctx);
	} finally {
		inProgress.delete(name);
	}
}

async function showSample(ctx: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { sample, failure } = await pollOnce(ctx, readAsked(ctx), undefined);
	if (!sample && failure) throw failure;
	return sample ? [[sample]] : null;
}

async function findNews(ctx: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const memory: Memory = ctx.getWorkflowStaticData('node');
	const asked = readAsked(ctx);
	const written = writtenName(asked);
	const isActivating = memory.mark === undefined || memory.written !== written;
	const found = await compare(ctx, asked, memory).catch(asError);
	if (found instanceof Error) return tell(ctx, memory, found, isActivating);
	const { earlier, watching, news, mark } = found;
	// The same settings that name something else than at the last poll: an expression does that.
	const isMoving = earlier === undefined && memory.written === written;
	const changes = isMoving ? (memory.changes ?? 0) + 1 : 0;
	Object.assign(memory, { mark, watching, written, changes });
	const failure = found.failure ?? (changes >= CHANGES_TO_TELL ? changesAlways(asked) : undefined);
	if (!failure) forgetTroubles(ctx, memory);
	if (earlier !== undefined && news.length > 0) {
		if (failure) ctx.logger.warn(`${ctx.getNode().name}: ${withoutUsers(failure.message)}`);
		return [news];
	}
	return failure ? tell(ctx, memory, failure, isActivating) : null;
}

/** Throws an error that is not told yet. */
function tell(ctx: IPollFunctions, memory: Memory, error: Error, isActivating: boolean): null {
	if (isToBeTold(ctx, memory, error, isActivating)) throw asNodeError(ctx, error);
	ctx.logger.warn(`${ctx.getNode().name} still fails: ${withoutUsers(error.message)}`);
	return null;
}

/** A check of the service, beside what the last one left of the same thing. */
async function compare(
	ctx: IPollFunctions,
	asked: PollRequest,
	memory: Memory,
): Promise<PollResult & { earlier: JsonObject | undefined; watching: string }> {
	const watching = watchedName(asked, await credentialNames(ctx));
	const stored: unknown = memory.watching === watching ? memory.mark : undefined;
	const earlier = isJsonObject(stored) && asked.event.isMark(stored) ? stored : undefined;
	if (stored !== undefined && !earlier) {
		ctx.logger.warn(
			`${ctx.getNode().name}: what n8n has stored of earlier polls cannot be read. A new history begins.`,
		);
	}
	return { ...(await pollOnce(ctx, asked, earlier)), earlier, watching };
}

async function pollOnce(
	ctx: IPollFunctions,
	{ event, values }: PollRequest,
	mark: JsonObject | undefined,
): Promise<PollResult> {
	return await event.poll(await readerOf(ctx), values, mark);
}

async function readerOf(ctx: IPollFunctions): Promise<PollReader> {
	const client = await connect(ctx);
	return {
		client,
		items: async (operation) => await operationItems(ctx, operation),
		pause: async () => await client.time.sleep(0),
	};
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}

/** n8n replaces messages that contain the name of a system error, such as ETIMEDOUT, so it is set last. */
function asNodeError(ctx: IPollFunctions, error: unknown): unknown {
	if (!(error instanceof ServiceFailure)) return unexpectedError(ctx.getNode(), error);
	const { httpCode } = error;
	const message = withoutUsers(error.message);
	const details: IDataObject = { message, ...(httpCode !== undefined && { httpCode }) };
	const shown = new NodeApiError(ctx.getNode(), details as { message: string }, { message });
	shown.message = message;
	return shown;
}

/** Most kinds of trouble that are remembered as told. */
const MAX_TROUBLES = 10;

/**
 * The problems that the polls of this process have told, by trigger: with durable cursors n8n keeps nothing that a
 * poll has stored when it throws (n8n 2.40, N8N_POLLER_DURABLE_CURSORS_ENABLED).
 */
const shownProblems = new Map<string, string[]>();

/** The stored memory of the failures that were told since a poll succeeded. */
interface ToldFailures {
	/** A code or a kind of failure each. */
	failing?: string[];
}

/** Identifies a trigger in this process. */
function nameOf(ctx: IPollFunctions): string {
	return `${ctx.getWorkflow().id ?? ''}/${ctx.getNode().id}`;
}

/**
 * Whether an error is told now: it is not while the same trouble goes on. `isActivating`: somebody has just
 * activated the workflow or changed it, and is told again.
 */
function isToBeTold(ctx: IPollFunctions, stored: ToldFailures, error: Error, isActivating: boolean): boolean {
	const told = isActivating ? [] : toldBefore(ctx, stored);
	const trouble = troubleOf(error);
	if (told.includes(trouble)) return false;
	stored.failing = [...told, trouble].slice(-MAX_TROUBLES);
	shownProblems.set(nameOf(ctx), stored.failing);
	return true;
}

/** Forgets what was told: a poll has succeeded. */
function forgetTroubles(ctx: IPollFunctions, stored: ToldFailures): void {
	delete stored.failing;
	shownProblems.delete(nameOf(ctx));
}

/** Somebody who activates the workflow again is told again; n8n's durable polls after that are updates. */
function toldBefore(ctx: IPollFunctions, { failing }: ToldFailures): string[] {
	if (Array.isArray(failing)) return failing.map(String);
	return ctx.getActivationMode() === 'update' ? (shownProblems.get(nameOf(ctx)) ?? []) : [];
}

/**
 * A key that is equal for two failures with the same cause. A service that is down says so in many ways: all that
 * passes by itself is one. What somebody must act on is told by its code, or by its text.
 */
function troubleOf(error: Error): string {
	if (error instanceof PollFailure) return error.trouble;
	if (!(error instanceof ServiceFailure || error instanceof NodeApiError)) return error.message;
	if (error instanceof ServiceFailure && error.kind === 'badInput') return error.message;
	if (error instanceof ServiceFailure && error.isMissingOnServer) return error.message;
	const code = Number(error.httpCode ?? 0);
	const isPassing = code < 400 || code === 408 || code === 429 || code >= 500;
	return isPassing ? 'outage' : String(code);
}

/** The poll that the panel asks for: an event and its settings. */
interface PollRequest extends PollSettings {
	event: PollEvent;
}

/** Reads the panel. Throws a ServiceFailure where it holds an event that there is not. */
function readAsked(ctx: IPollFunctions): PollRequest {
	const value = String(ctx.getNodeParameter('event'));
	const event = pollEvents.find((one) => one.value === value);
	if (!event) {
		throw new ServiceFailure({
			kind: 'badInput',
			mayHaveExecuted: false,
			message: `This version of the node has no event "${value}": choose one in the panel.`,
		});
	}
	const { parameters } = ctx.getNode();
	const settings = event.fields.map(({ name, default: usual }) => ({
		name,
		value: ctx.getNodeParameter(name, usual),
		written: parameters[name] ?? usual,
	}));
	return {
		event,
		values: Object.fromEntries(settings.map(({ name, value: now }) => [name, now])),
		written: Object.fromEntries(settings.map(({ name, written }) => [name, written])),
	};
}

/** Names what a mark belongs to: what is watched, on which server and, where it counts, for which account. */
function watchedName(
	{ event, ...settings }: PollRequest,
	{ server, account }: { server: string; account: string },
): string {
	const place = event.isOfAccount(settings.values) ? account : server;
	return fingerprint({ event: event.value, place, watched: event.watched(settings) });
}

/** Names the settings as they are written. */
function writtenName({ event, written }: PollRequest): string {
	return fingerprint({ event: event.value, written });
}

/** The warning where the settings name something else at each poll, so that nothing is ever compared. */
function changesAlways({ event, written }: PollRequest): ServiceFailure {
	const names = event.fields.filter(({ name }) => isExpression(written[name]));
	const named = names.map(({ displayName }) => `"${displayName}"`).join(', ');
	return refusedInput(
		`${named || 'What is watched'} is another one at each poll, so there is never anything to compare: replace the expression by a fixed value, or by one that changes less often.`,
	);
}

function fingerprint(settings: JsonObject): string {
	return createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 16);
}
