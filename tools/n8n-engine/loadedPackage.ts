import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ICredentialType, INodeType, INodeTypeDescription, IVersionedNodeType } from 'n8n-workflow';
import { PackageDirectoryLoader } from './n8n.ts';

/** A community node package as n8n has it in memory after loading. */
export interface BuiltPackage {
	/** As in package.json, for example `n8n-nodes-web-data`. */
	name: string;
	version: string;
	directory: string;
	/** By full type name, for example `n8n-nodes-web-data.webData`. */
	nodeTypes: ReadonlyMap<string, INodeType | IVersionedNodeType>;
	/** By credential name, for example `webDataApi`. */
	credentialTypes: ReadonlyMap<string, ICredentialType>;
	/** Every description, one for each version, as n8n sends them to the editor. */
	descriptions: readonly INodeTypeDescription[];
}

interface PackageJson {
	name: string;
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
}

/**
 * Loads a built package the way n8n loads it: with n8n-core's PackageDirectoryLoader, from the `n8n`
 * section of its package.json and the files in dist.
 *
 * Rejects with an Error in one sentence when the folder holds no n8n package or was not built.
 * Source: n8n-core 2.41 nodes-loader/package-directory-loader.js.
 */
export async function loadBuiltPackage(packageDir: string): Promise<BuiltPackage> {
	const manifest = await readPackageJson(packageDir);
	await assertBuilt(packageDir, manifest);

	const loader = new PackageDirectoryLoader(packageDir);
	await loader.loadAll();

	return {
		name: manifest.name,
		version: manifest.version,
		directory: packageDir,
		nodeTypes: new Map(Object.entries(loader.nodeTypes).map(([name, { type }]) => [`${manifest.name}.${name}`, type])),
		credentialTypes: new Map(Object.entries(loader.credentialTypes).map(([name, { type }]) => [name, type])),
		descriptions: loader.types.nodes,
	};
}

async function readPackageJson(packageDir: string): Promise<PackageJson> {
	const file = join(packageDir, 'package.json');
	const text = await readFile(file, 'utf8').catch(() => undefined);
	if (text === undefined) throw new Error(`There is no package.json in ${packageDir}.`);

	const { name, version, n8n } = JSON.parse(text) as Partial<PackageJson>;
	if (name === undefined || n8n === undefined) {
		throw new Error(`${file} is not an n8n package: it needs a name and an n8n section.`);
	}
	return {
		name,
		version: version ?? '0.0.0',
		n8n: { nodes: n8n.nodes ?? [], credentials: n8n.credentials ?? [] },
	};
}

async function assertBuilt(packageDir: string, { name, n8n }: PackageJson): Promise<void> {
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		const found = await access(join(packageDir, file)).then(
			() => true,
			() => false,
		);
		if (!found) {
			throw new Error(`${name} is not built: ${file} is missing, run "npm run build" first.`);
		}
	}
}
