import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { INodeExecutionData } from 'n8n-workflow';
import { binaryText } from '../engine/index.ts';

/** The report file of an item without its timeline, which was shown while it happened. */
export function shownReport(item: INodeExecutionData): string {
	const [shown = ''] = binaryText(item).split('\n## Timeline\n');
	return shown;
}

/**
 * Saves the report file of each item as `report-<question>.md` and returns the paths, relative to the
 * current folder. A file of an earlier run is replaced.
 */
export async function saveReports(folder: string, items: INodeExecutionData[]): Promise<string[]> {
	await mkdir(folder, { recursive: true });
	const paths: string[] = [];
	for (const [index, item] of items.entries()) {
		const number = items.length > 1 ? `${index + 1}-` : '';
		// The node names the file research-<question>.md.
		const name = basename(item.binary?.data?.fileName ?? 'research.md').replace(/^research-?/, '');
		const path = join(folder, `report-${number}${name}`);
		await writeFile(path, binaryText(item));
		paths.push(relative(process.cwd(), path));
	}
	return paths;
}
