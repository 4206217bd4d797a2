import type { IDataObject } from 'n8n-workflow';

/** A document as LangChain and n8n's vector stores have it. */
export interface Document {
	pageContent: string;
	metadata: IDataObject;
}

/**
 * The documents of all input items, as a vector store of n8n reads them.
 *
 * A vector store asks for the documents once and then inserts what it got for EACH of its input items
 * (`processDocument`, docs/n8n-internals.md#document-loaders): a plain array would be inserted as often as there are
 * items. It begins each item with `map`, whose callback names the item as `pairedItem`. From then on this array
 * holds the documents of that item only.
 */
export class DocumentList extends Array<Document> {
	/** What n8n makes of it is a plain array. */
	static override get [Symbol.species](): ArrayConstructor {
		return Array;
	}

	#byItem: ReadonlyMap<number, Document[]> = new Map();

	/** Until an item is asked for, it holds the documents of all. */
	static ofItems(byItem: ReadonlyMap<number, Document[]>): DocumentList {
		const list = new DocumentList();
		list.#byItem = byItem;
		list.hold([...byItem.values()].flat());
		return list;
	}

	override map<T>(
		callback: (document: Document, index: number, all: Document[]) => T,
		thisArg?: unknown,
	): T[] {
		const item = itemOf(callback({ pageContent: '', metadata: {} }, 0, []));
		if (item !== undefined) this.hold(this.#byItem.get(item) ?? []);
		return Array.from(this).map(callback, thisArg);
	}

	private hold(documents: readonly Document[]): void {
		this.length = 0;
		for (const document of documents) this.push(document);
	}
}

/** The input item that something which n8n has made belongs to; undefined where it names none. */
function itemOf(made: unknown): number | undefined {
	const { pairedItem } = (made ?? {}) as { pairedItem?: unknown };
	const { item } = (pairedItem ?? {}) as { item?: unknown };
	return typeof item === 'number' ? item : undefined;
}
