import { readFileSync, writeFileSync } from 'node:fs';

/** Whether files that keep what must not change unnoticed are written: with `-u`. */
export const writesGoldenFiles = process.env.UPDATE_GOLDEN_FILES === '1';

/** Expects the file to hold this text; `npx jest NAME -u` writes it after a change that is meant. */
export function expectGoldenFile(path: string, text: string): void {
	if (writesGoldenFiles) writeFileSync(path, text);
	else expect(text).toBe(readFileSync(path, 'utf8'));
}
