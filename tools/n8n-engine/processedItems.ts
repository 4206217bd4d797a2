import type { DeduplicationItemTypes, IDataDeduplicator } from 'n8n-workflow';
import { DataDeduplicationService } from './n8n.ts';

/**
 * The processed items of one n8n, by node: those that its helpers have recorded. Of each workflow the engine knows whose
 * they are. Source: packages/cli/src/deduplication/deduplication-helper.ts, n8n 2.41; mode `entries` only.
 */
export class ProcessedItems {
	private readonly byNode = new Map<string, Set<DeduplicationItemTypes>>();

	of(node: string): Set<DeduplicationItemTypes> {
		const known = this.byNode.get(node) ?? new Set();
		this.byNode.set(node, known);
		return known;
	}
}

/** n8n has one service for the whole process; n8n-core hands it the workflow of each call. */
const ownerOf = new WeakMap<object, ProcessedItems>();
let isReady = false;

/** What nodes of this workflow record goes there. */
export async function keepProcessed(workflow: object, items: ProcessedItems): Promise<void> {
	ownerOf.set(workflow, items);
	if (isReady) return;
	isReady = true;
	const entriesOf = (context: string, { node, workflow: own }: Parameters<IDataDeduplicator['removeProcessed']>[2]) => {
		const processed = ownerOf.get(own);
		if (!processed) throw new Error('Processed items are not available in this engine.');
		return processed.of(context === 'node' ? String(node?.id) : '');
	};
	const unavailable = async () => {
		throw new Error('This engine knows checkProcessedAndRecord and removeProcessed only.');
	};
	await DataDeduplicationService.init({
		async checkProcessedAndRecord(items, context, contextData) {
			const entries = entriesOf(context, contextData);
			const known = items.filter((item) => entries.has(item));
			for (const item of items) entries.add(item);
			return { new: items.filter((item) => !known.includes(item)), processed: known };
		},
		async removeProcessed(items, context, contextData) {
			const entries = entriesOf(context, contextData);
			for (const item of items) entries.delete(item);
		},
		clearAllProcessedItems: unavailable,
		getProcessedDataCount: unavailable,
	});
}
