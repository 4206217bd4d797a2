import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from './n8n.ts';

/** A document as LangChain has it. */
interface Document {
	pageContent: string;
	metadata: IDataObject;
}

/** Its full name, for `otherNodeTypes`. */
export const VECTOR_STORE_TYPE = '@n8n/n8n-nodes-langchain.vectorStoreInMemory';

/**
 * Stands where a vector store of n8n stands, in its mode Insert: it asks its loader once, then takes what it got for
 * each of its input items, as n8n's own does (insertOperation and processDocuments, @n8n/ai-utilities of n8n 2.41,
 * the same in 1.123). Version 1 inserts at each item, later ones at the end. `inserted` is told what goes into the
 * store; it may throw, as a store that is not there does. n8n's own cannot be installed beside n8n-core here; the
 * tests in a whole n8n run it.
 */
export function vectorStoreNode(inserted: (documents: Document[]) => void): INodeType {
	return {
		description: {
			displayName: 'Vector Store',
			name: 'vectorStoreInMemory',
			group: [],
			version: [1, 1.3],
			description: '',
			defaults: {},
			inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiDocument, required: true, maxConnections: 1 }],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		async execute() {
			const documents = (await this.getInputConnectionData('ai_document', 0)) as Document[];
			const output: INodeExecutionData[] = [];
			const all: Document[] = [];
			const isFirstVersion = this.getNode().typeVersion === 1;
			const populate = (some: Document[]) => {
				const texts = some.map(({ pageContent }) => pageContent);
				inserted(texts.map((_text, index) => some[index] as Document));
			};
			for (const item of this.getInputData().keys()) {
				output.push(
					...documents.map(({ metadata, pageContent }) => ({
						json: { metadata, pageContent },
						pairedItem: { item },
					})),
				);
				all.push(...documents);
				if (isFirstVersion) populate(documents);
			}
			if (!isFirstVersion) populate(all);
			return [output];
		},
	};
}
