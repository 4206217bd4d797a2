import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { INodeExecutionData } from 'n8n-workflow';
import { binaryText } from '../n8n-engine/index.ts';

/**
 * Saves the Markdown file of each item under its own name, and returns the folder as seen from the
 * current one, or nothing where there was no file. A file of an earlier run is replaced.
 */
export async function saveFiles(folder: string, items: readonly INodeExecutionData[]): Promise<string | undefined> {
	const withFile = items.filter(({ binary }) => binary?.markdown !== undefined);
	if (withFile.length === 0) return undefined;
	await mkdir(folder, { recursive: true });
	for (const item of withFile) {
		// The name comes from the service: only its last part is used.
		const name = basename(item.binary?.markdown?.fileName ?? 'page.md');
		await writeFile(join(folder, name), binaryText(item, 'markdown'));
	}
	return relative(process.cwd(), folder);
}
