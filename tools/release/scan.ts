import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

import { n8nCacheFolder } from '../n8n/install.ts';
import { runNpm } from '../n8n/npm.ts';

const scannerShape = z.object({
	analyzePackage: z.custom<(folder: string, patterns: string[]) => Promise<{ passed: boolean; details?: string }>>(
		(value) => typeof value === 'function',
	),
	SOURCE_FILE_PATTERNS: z.array(z.string()),
});

/** What n8n's scanner says of a package. */
interface ScanResult {
	passed: boolean;
	/** Its findings, as a text to read. */
	details: string;
}

/**
 * Runs n8n's scanner as its verification does: the rules for sources on the sources, those for what is
 * shipped on the unpacked tarball. It is installed once a machine, at the version of its lock file.
 *
 * @param sources folder with package.json, nodes and credentials
 * @param unpacked folder of the unpacked tarball
 */
export async function scan(
	root: string,
	{ sources, unpacked }: { sources: string; unpacked: string },
): Promise<ScanResult> {
	const scanner = scannerShape.parse(await import(await installedScanner(root)));
	const results = [
		await scanner.analyzePackage(sources, scanner.SOURCE_FILE_PATTERNS),
		await scanner.analyzePackage(unpacked, ['**/*.js', 'package.json']),
	];
	return {
		passed: results.every(({ passed }) => passed),
		details: results.map(({ details }) => details ?? '').join('\n'),
	};
}

async function installedScanner(root: string): Promise<string> {
	const definition = path.join(root, 'tools', 'release', 'scanner');
	const files = ['package.json', 'package-lock.json'];
	const hash = createHash('sha256');
	for (const file of files) hash.update(readFileSync(path.join(definition, file)));
	const dir = path.join(n8nCacheFolder(), `scanner-${hash.digest('hex').slice(0, 12)}`);
	const entry = path.join(dir, 'node_modules', '@n8n', 'scan-community-package', 'scanner', 'scanner.mjs');
	if (!existsSync(entry)) {
		mkdirSync(dir, { recursive: true });
		for (const file of files) copyFileSync(path.join(definition, file), path.join(dir, file));
		await runNpm({
			cwd: dir,
			args: ['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'],
			logFile: path.join(dir, 'install.log'),
			timeoutMs: 300_000,
		});
	}
	return pathToFileURL(entry).href;
}
