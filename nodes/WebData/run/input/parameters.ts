import type { INodeExecutionData, INodeParameters, INodeProperties } from 'n8n-workflow';

import { refusedInput } from '../../../service/http/failure';
import type { RunContext } from '../connection/runContext';
import { readFields } from './readFields';
import type { FieldValues } from './readFields';
import { withStoredFormats } from './storedFormats';

/**
 * Reads and checks all parameters of one item. An expression that cannot be evaluated is the item's
 * problem like any other bad input. Throws a ServiceFailure of kind badInput.
 */
export function readItem(ctx: RunContext, fields: INodeProperties[], item: number): FieldValues {
	const read = readFields(fields, (name, fallback) => {
		const parameter = readParameter(ctx, name, item, fallback);
		if ('value' in parameter) return parameter.value;
		throw refusedInput(`The parameter "${name}" could not be read: ${parameter.reason}.`);
	});
	tellReplaced(ctx, read.replaced);
	return { ...read, body: withStoredFormats(fields, read.body, read.values) };
}

type ReadParameter = { value: unknown } | { reason: string };

/**
 * What a run has read of the parameters that hold no expression. They are the same for each item, and n8n
 * takes some 20 microseconds for each of them.
 */
interface Constants {
	stored: INodeParameters;
	read: Map<string, ReadParameter>;
}

const constantsOf = new WeakMap<RunContext, Constants>();

function constantsIn(ctx: RunContext): Constants {
	const known = constantsOf.get(ctx);
	if (known) return known;
	const constants: Constants = { stored: ctx.getNode().parameters, read: new Map() };
	constantsOf.set(ctx, constants);
	return constants;
}

function readParameter(
	ctx: RunContext,
	name: string,
	item: number,
	fallback: unknown,
): ReadParameter {
	const constants = constantsIn(ctx);
	const before = constants.read.get(name);
	// A copy, as n8n gives one: what is read of an item may be changed.
	if (before) return 'value' in before ? { value: copyOf(before.value) } : before;
	const read = askForParameter(ctx, name, item, fallback);
	if (!isConstant(constants.stored[name])) return read;
	constants.read.set(name, read);
	return 'value' in read ? { value: copyOf(read.value) } : read;
}

function askForParameter(
	ctx: RunContext,
	name: string,
	item: number,
	fallback: unknown,
): ReadParameter {
	try {
		return { value: ctx.getNodeParameter(name, item, fallback) };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : 'unknown error' };
	}
}

/** True for what is there and holds no expression at any depth: n8n takes each text with `=` for one. */
export function isConstant(stored: unknown): boolean {
	if (typeof stored === 'string') return !stored.startsWith('=');
	if (typeof stored !== 'object' || stored === null) return stored !== undefined;
	return Object.values(stored).every((part) => part === undefined || isConstant(part));
}

/** A copy of what JSON can say; much sooner than structuredClone for the few values of a field. */
function copyOf(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(copyOf);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)]));
}

/**
 * True when an AI agent reads the output, on both of n8n's ways to call a tool
 * (docs/n8n-internals.md#tools-of-an-agent). n8n 1.123 has no isToolExecution.
 */
export function isToolCall(ctx: RunContext): boolean {
	const { isToolExecution } = ctx as Partial<RunContext>;
	return isToolExecution?.call(ctx) === true || ctx.getNode().type.endsWith('Tool');
}

/**
 * True when an item that fails becomes an item with its error instead of ending the run: with "continue
 * on error", and for AI agents. When a tool throws, an agent up to version 2 gives its model an empty
 * text, and version 3 on n8n 1.123 ends the whole execution.
 */
export function keepsFailedItems(ctx: RunContext): boolean {
	return ctx.continueOnFail() || isToolCall(ctx);
}

/** Name of the loader's type: a sub-node, whose results are used by its parent. */
const SUB_NODE = /\.webDataLoader$/;

/**
 * True when n8n may run the node again although it returned. Retry On Fail does that when the first
 * item of what is returned has something in `error`: n8n-core 2.41 leaves out null and false, 1.123 does
 * not (docs/n8n-internals.md#retry-on-fail). Items go to the error branch only after that. What a sub-node
 * returns is lost when its parent fails, and a retry of the parent asks the sub-node again.
 */
export function isRetryComing(ctx: RunContext, [first]: INodeExecutionData[]): boolean {
	const { type, retryOnFail } = ctx.getNode();
	return SUB_NODE.test(type) || (retryOnFail === true && first?.json.error !== undefined);
}

/** What each run has been told, so that a thousand items say it once. */
const told = new WeakMap<RunContext, Set<string>>();

/** The hint that additional fields replace what the panel sets. `places` are those in the request's body. */
function tellReplaced(ctx: RunContext, places: string[]): void {
	const before = told.get(ctx) ?? new Set<string>();
	const fresh = places.filter((place) => !before.has(place));
	if (fresh.length === 0) return;
	told.set(ctx, new Set([...before, ...fresh]));
	ctx.addExecutionHints({
		message: `Additional Fields (JSON) replaces what the panel sets: ${fresh.join(', ')}.`,
		type: 'warning',
		location: 'outputPane',
	});
}
