import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';

/**
 * The second choice, where n8n has no Data Tables: the static data of the node, which n8n stores with the workflow, and of
 * which it gives a worker, a Retry and an execution after a long Wait nothing, or an old copy
 * (docs/reference/n8n-internals.md#static-data-of-a-node). Whether it was given is seen by a number that counts up in it,
 * and that n8n also keeps among the processed items of the node: where the next number is there, a later run has stored.
 */
export interface StaticMemory {
	value: JsonObject;
	/** False where a later run has stored than the one that is seen here. */
	isGiven: boolean;
}

/** Key in the node's static data. Stored with workflows: do not rename. */
const SIGN_KEY = 'webDataMemory';

/** n8n may have been killed between the number and the data: after so long the data that are there are believed. */
const DOUBTED_MS = 24 * 60 * 60 * 1000;

/** Numbers that are kept behind the latest one, for executions that were given an old copy. */
const NUMBERS_KEPT = 20;

const ENTRIES = { mode: 'entries' as const };

interface Sign {
	/** How often the memory was stored; 0 for never. */
	number: number;
	/** Milliseconds since 1970. */
	at: number;
}

/** Throws what n8n throws where the processed items cannot be read. */
export async function loadStatic(ctx: RunContext): Promise<StaticMemory> {
	const { [SIGN_KEY]: stored, ...value } = ctx.getWorkflowStaticData('node') as JsonObject;
	const { number, at } = readSign(stored);
	const hasLater = await isRecorded(ctx, entryOf(number + 1));
	const isDoubted = hasLater && (number === 0 || processClock.wallClock() - at < DOUBTED_MS);
	return { value, isGiven: !isDoubted };
}

/** To be called for static data that were given, never in a Retry. n8n stores them when the workflow ends. */
export async function saveStatic(ctx: RunContext, changed: JsonObject): Promise<void> {
	const data = ctx.getWorkflowStaticData('node') as JsonObject;
	const number = readSign(data[SIGN_KEY]).number + 1;
	const sign: Sign = { number, at: processClock.wallClock() };
	Object.assign(data, changed, { [SIGN_KEY]: sign });
	const { checkProcessedAndRecord, removeProcessed } = ctx.helpers;
	await checkProcessedAndRecord?.([entryOf(number)], 'node', ENTRIES);
	if (number > NUMBERS_KEPT) await removeProcessed?.([entryOf(number - NUMBERS_KEPT)], 'node', ENTRIES);
}

const entryOf = (number: number): string => `memory|${number}`;

/**
 * n8n can only be asked by recording: what was not there is taken out again
 * (docs/reference/n8n-internals.md#processed-items).
 */
async function isRecorded({ helpers }: RunContext, entry: string): Promise<boolean> {
	const { checkProcessedAndRecord, removeProcessed } = helpers;
	if (!checkProcessedAndRecord || !removeProcessed) return false;
	const { processed } = await checkProcessedAndRecord([entry], 'node', ENTRIES);
	if (processed.length > 0) return true;
	await removeProcessed([entry], 'node', ENTRIES);
	return false;
}

function readSign(stored: unknown): Sign {
	const { number, at } = isJsonObject(stored) ? stored : {};
	return { number: typeof number === 'number' ? number : 0, at: typeof at === 'number' ? at : 0 };
}
