import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { execute } from '../WebData/execute';
import { findOperation } from '../WebData/resources';
import { hint } from '../operation/hint';
import { processClock } from '../run/connection/processClock';
import type { RunContext } from '../run/connection/runContext';
import { isConstant } from '../run/input/readFields';
import { noteCrash } from '../run/ledger/crash';
import { wantsPrice } from '../run/price/wantsPrice';
import { isJsonObject } from '../service/http/answer';
import { counted } from '../text/amounts';
import { DocumentList, cutFor, documentsOf, equalText, skippedText } from './documents';
import { SOURCES, valueFor } from './sources';
import type { Source } from './sources';

const DOCUMENT = NodeConnectionTypes.AiDocument;

/**
 * Most documents of one input item: n8n's vector stores hand them to a function as so many arguments (insertOperation,
 * n8n 2.41), and Node's stack takes somewhat more than 120,000.
 */
const MAX_DOCUMENTS = 100_000;

/**
 * Supplies the documents of all input items of the node that the loader is connected to. That node asks once,
 * whatever the number of its items.
 */
export async function loadDocuments(ctx: ISupplyDataFunctions): Promise<SupplyData> {
	const source = sourceOf(ctx);
	const run = subNodeContext(ctx, source);
	// First of all: what it reads are the traces of an earlier execution, and this one leaves its own.
	noteCrash(run);
	const { index } = ctx.addInputData(DOCUMENT, [run.getInputData()]);
	try {
		const { response, shown } = await load(ctx, run, source);
		ctx.addOutputData(DOCUMENT, index, [shown]);
		return { response };
	} catch (error) {
		const told = asOfSubNode(ctx, error);
		ctx.addOutputData(DOCUMENT, index, told);
		throw told;
	}
}

async function load(
	ctx: ISupplyDataFunctions,
	run: RunContext,
	source: Source,
): Promise<{ response: DocumentList; shown: INodeExecutionData[] }> {
	const cut = await cutFor(ctx);
	const { operation } = findOperation(source.resource, source.operation) ?? {};
	const isPriceOnly = operation !== undefined && wantsPrice(run, operation.fields);
	const [items = []] = await execute(run);
	if (isPriceOnly) throw priceOf(ctx, items);
	const fetchedAt = new Date(processClock.wallClock()).toISOString();
	const { byItem, pages, skipped, equal } = await documentsOf(items, cut, fetchedAt);
	// If none could be loaded, the load has failed.
	if (pages.length === 0) throw nothingLoaded(ctx, skipped, source);
	const most = Math.max(0, ...[...byItem.values()].map((documents) => documents.length));
	if (most > MAX_DOCUMENTS) throw tooManyDocuments(ctx, most);
	const told = [...skippedText(skipped, source.unit), equalText(equal, source.unit)].filter((text) => text !== '');
	for (const text of told) run.addExecutionHints(hint(text, 'warning'));
	return { response: DocumentList.ofItems(byItem), shown: pages.map((json) => ({ json })) };
}

/** A vector store that got no document might be emptied: the price ends the load before that. */
function priceOf(ctx: ISupplyDataFunctions, items: readonly INodeExecutionData[]): NodeOperationError {
	const estimate = items.map(({ json }) => json.estimate).find(isJsonObject);
	const { runMaxCredits } = estimate ?? {};
	const failed = items.find(({ json }) => typeof json.error === 'string')?.json.error;
	const price =
		typeof runMaxCredits === 'number'
			? `This load may cost up to ${counted(runMaxCredits, 'credit')}.`
			: `What this load costs is not known before${typeof failed === 'string' ? `: ${failed}` : '.'}`;
	return new NodeOperationError(ctx.getNode(), `${price} Nothing was loaded: Only Tell the Price is on.`);
}

function nothingLoaded(
	ctx: ISupplyDataFunctions,
	skipped: Parameters<typeof skippedText>[0],
	{ name, unit }: Source,
): NodeOperationError {
	const failed = skipped.find(({ why }) => why === 'error');
	if (failed) return new NodeOperationError(ctx.getNode(), failed.name);
	const why = skippedText(skipped, unit).join(' ');
	return new NodeOperationError(ctx.getNode(), `Nothing was loaded: ${why === '' ? `${name} found no ${unit}.` : why}`);
}

function tooManyDocuments(ctx: ISupplyDataFunctions, documents: number): NodeOperationError {
	return new NodeOperationError(
		ctx.getNode(),
		`One input item would make ${documents} documents, and n8n's vector stores take at most ${MAX_DOCUMENTS}: raise Max Characters or load fewer pages.`,
	);
}

function sourceOf(ctx: ISupplyDataFunctions): Source {
	const value = String(ctx.getNodeParameter('source', 0));
	const source = SOURCES.find((one) => one.value === value);
	if (source) return source;
	throw asOfSubNode(
		ctx,
		new NodeOperationError(
			ctx.getNode(),
			`This version of the node has no source "${value}": choose one in the panel.`,
		),
	);
}

/**
 * n8n shows an error of a sub-node as it is only where it says that it is one; of any other the message becomes
 * the description of "Error in sub-node" (getInputConnectionData, n8n-core 1.123 and 2.41).
 */
function asOfSubNode(ctx: ISupplyDataFunctions, error: unknown): NodeOperationError {
	const told =
		error instanceof Error && 'functionality' in error ? error : new NodeOperationError(ctx.getNode(), error as Error);
	return Object.assign(told, { functionality: 'configuration-node' }) as NodeOperationError;
}

/** The input items of the node that the loader is connected to; expressions in the loader read them. */
function parentItems(ctx: ISupplyDataFunctions): INodeExecutionData[] {
	return ctx.getInputData(0, NodeConnectionTypes.Main);
}

/**
 * The context in which Web Data's code runs in the loader: n8n's context of the sub-node, with the parent's items as
 * input. Where all items ask for the same, since no parameter holds an expression, it is asked for once.
 */
function subNodeContext(ctx: ISupplyDataFunctions, source: Source): RunContext {
	const items = parentItems(ctx);
	const node = ctx.getNode();
	const isOnce = source.readsItems !== true && isConstant(node.parameters);
	const own = {
		getInputData: () => (isOnce ? items.slice(0, 1) : items),
		// The parent may be tried again: then what was paid for is read again.
		getNode: () => ({ ...node, retryOnFail: true }),
		getNodeParameter: (name: string, item: number, byDefault?: unknown) =>
			valueFor(source, name, () => ctx.getNodeParameter(name, item, byDefault), byDefault),
		// One of many pages that fails costs its own documents, not those of the others.
		continueOnFail: () => !isOnce && items.length > 1,
	};
	return Object.assign(Object.create(ctx) as RunContext, own);
}
