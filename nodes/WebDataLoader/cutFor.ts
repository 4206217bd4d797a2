import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { ISupplyDataFunctions } from 'n8n-workflow';

import { cutAtHeadings } from '../text/markdown/cutAtHeadings';
import type { CutPage } from './documents/pageDocuments';

/** What is used of a text splitter of n8n, which is one of LangChain's. */
interface TextSplitter {
	splitText(text: string): Promise<string[]>;
}

/** Bounds of Max Characters, as its field has them (panel/cutFields.ts). */
const LEAST_CHARACTERS = 100;
const MAX_CHARACTERS = 100_000;

/** How the panel wants pages to be cut. */
export async function cutFor(ctx: ISupplyDataFunctions): Promise<CutPage> {
	const wanted = ctx.getNodeParameter('cut', 0);
	if (wanted === 'headings') {
		const max = readMaxCharacters(ctx);
		return (text) => cutAtHeadings(text, max);
	}
	if (wanted === 'splitter') {
		const splitter = await connectedSplitter(ctx);
		return async (text) =>
			(await splitter.splitText(text)).map((piece) => ({ text: piece, headingPath: '' }));
	}
	return (text) => [{ text, headingPath: '' }];
}

function readMaxCharacters(ctx: ISupplyDataFunctions): number {
	const given = Number(ctx.getNodeParameter('maxCharacters', 0));
	if (Number.isInteger(given) && given >= LEAST_CHARACTERS && given <= MAX_CHARACTERS) return given;
	throw new NodeOperationError(
		ctx.getNode(),
		`"Max Characters" must be a whole number from ${LEAST_CHARACTERS} to ${MAX_CHARACTERS}.`,
	);
}

async function connectedSplitter(ctx: ISupplyDataFunctions): Promise<TextSplitter> {
	const connected: unknown = await ctx.getInputConnectionData(
		NodeConnectionTypes.AiTextSplitter,
		0,
	);
	if (isTextSplitter(connected)) return connected;
	throw new NodeOperationError(
		ctx.getNode(),
		'Connect a text splitter to the loader, or set Documents to Split at Headings.',
	);
}

function isTextSplitter(value: unknown): value is TextSplitter {
	return typeof value === 'object' && value !== null && 'splitText' in value;
}
