import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNpm } from './npm.ts';
import { webDataPackage } from './project.ts';

/** Where users put community packages by hand: `nodes` in n8n's user folder. */
export function nodesFolder(dataFolder: string): string {
	return path.join(dataFolder, '.n8n', 'nodes');
}

/**
 * Builds this package and packs it, as `npm publish` would.
 *
 * @param into folder for the tarball
 * @returns the tarball's path
 */
export async function packWebData(root: string, into: string): Promise<string> {
	mkdirSync(into, { recursive: true });
	const logFile = path.join(into, 'pack.log');
	await runNpm({ cwd: root, args: ['run', 'package'], logFile, timeoutMs: 180_000 });
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
	await runNpm({ cwd: path.join(root, '.package'), args, logFile, timeoutMs: 60_000 });
	return newestTarball(into);
}

function newestTarball(folder: string): string {
	const files = readdirSync(folder).filter((name) => name.startsWith(webDataPackage) && name.endsWith('.tgz'));
	const newest = files
		.map((name) => path.join(folder, name))
		.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
		.at(0);
	if (newest === undefined) throw new Error(`npm pack left no tarball in ${folder}.`);
	return newest;
}

/**
 * Installs a tarball the way n8n's documentation gives for self-hosting: npm install in the `nodes`
 * folder, then a restart of n8n. The peer dependency is left to n8n, which brings its own: nothing
 * is downloaded.
 */
export async function installPackage(dataFolder: string, tarball: string): Promise<void> {
	const cwd = nodesFolder(dataFolder);
	mkdirSync(cwd, { recursive: true });
	const manifest = path.join(cwd, 'package.json');
	if (!existsSync(manifest)) writeFileSync(manifest, JSON.stringify({ name: 'installed-nodes', private: true }));
	// npm takes a tarball of the same name and version for the one it has: make it look again.
	rmSync(path.join(cwd, 'node_modules', webDataPackage), { recursive: true, force: true });
	await runNpm({
		cwd,
		args: ['install', tarball, '--legacy-peer-deps', '--no-package-lock', '--no-audit', '--no-fund'],
		logFile: path.join(dataFolder, 'packages.log'),
		timeoutMs: 120_000,
	});
}

/** Takes the package out again, as users do: npm uninstall, then a restart of n8n. */
export async function uninstallPackage(dataFolder: string): Promise<void> {
	await runNpm({
		cwd: nodesFolder(dataFolder),
		args: ['uninstall', webDataPackage, '--legacy-peer-deps', '--no-package-lock', '--no-audit', '--no-fund'],
		logFile: path.join(dataFolder, 'packages.log'),
		timeoutMs: 120_000,
	});
}
