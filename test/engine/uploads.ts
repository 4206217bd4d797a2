import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { executionOptions } from './run';
import type { RunSettings, Service } from './run';

export const PARSE: INodeParameters = { resource: 'parse', operation: 'parseFile' };

/** Media types as a mail node gives them. */
const TYPES: Record<string, string> = {
	pdf: 'application/pdf',
	html: 'text/html',
	csv: 'text/csv',
};

/** A file of the fixtures. */
export function fixture(name: string): Buffer {
	return readFileSync(join(__dirname, '../fixtures/files', name));
}

/** A file as n8n holds it when it keeps binary data in memory. */
export function binaryOf(
	fileName: string,
	content: Buffer | string = fixture(fileName),
	mimeType = TYPES[fileName.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
): IBinaryData {
	return { fileName, mimeType, data: Buffer.from(content).toString('base64') };
}

/** An item with these files, in the fields of these names. */
export function itemWith(binary: Record<string, IBinaryData>): INodeExecutionData {
	return { json: {}, binary };
}

/** A page with this text, as a file of its own. */
export function noteOf(text: string, fileName = 'note.html'): IBinaryData {
	return binaryOf(fileName, `<!doctype html><p>${text}</p>`);
}

/** Runs Parse on items with files in n8n's own engine against the sandbox. */
export async function runParse(
	service: Service,
	items: INodeExecutionData[],
	more: INodeParameters = {},
	settings: RunSettings = {},
): Promise<Execution> {
	return await runWorkflow({
		...(await executionOptions(service, { ...PARSE, ...more }, settings)),
		pinData: { Items: items },
	});
}
