import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { MutableFile } from './places.ts';
import type { Mutant } from './places.ts';

/** Rooms by the names that the command takes. What decides about money, and what decides about truth. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
	money: [
		'nodes/service/jobs/**',
		'nodes/service/startRecovery/**',
		'nodes/service/http/{retry,failure}.ts',
		'nodes/run/{paid,ledger,calls,job,jobs,sessions,suspension,price}/**',
		'nodes/cost/**',
	],
	truth: ['nodes/research/**', 'nodes/text/**', 'nodes/proof/**', 'nodes/run/changes/**'],
};

/** Runs when the package is built: no switch changes what it has made. */
const AT_BUILD = 'nodes/text/intlNames.ts';

/** The sources, each with its places. */
export interface Code {
	files: Map<string, MutableFile>;
	mutants: Mutant[];
	/** Another text of the sources or of the tests gives another one. */
	digest: string;
}

/** Reads all sources of nodes and finds what may be changed in them. */
export function readCode(root: string): Code {
	const files = new Map<string, MutableFile>();
	const mutants: Mutant[] = [];
	const hash = createHash('sha256');
	for (const name of globSync('nodes/**/*.ts', { cwd: root }).sort()) {
		const text = readFileSync(path.join(root, name), 'utf8');
		hash.update(text);
		const file = new MutableFile(name, text);
		files.set(name, file);
		if (name === AT_BUILD) continue;
		for (const mutant of file.mutants(mutants.length)) mutants.push(mutant);
	}
	for (const name of globSync('{test,sandbox}/**/*.ts', { cwd: root }).sort())
		hash.update(readFileSync(path.join(root, name), 'utf8'));
	return { files, mutants, digest: hash.digest('hex').slice(0, 16) };
}

/** True where a file is of one of these rooms or patterns; none means all. */
export function isAmong(file: string, patterns: readonly string[]): boolean {
	const globs = patterns.flatMap((pattern) => ROOMS[pattern] ?? [pattern]);
	return globs.length === 0 || globs.some((glob) => path.matchesGlob(file, glob));
}

/**
 * A copy of the clone whose nodes have switches, or marks where `counting`: sources for the unit tests, and what is
 * built of them for those in n8n's engine.
 */
export function makeCopy(root: string, { files }: Code, wanted: readonly Mutant[], counting: boolean): string {
	const copy = path.join(root, '.mutants');
	rmSync(copy, { recursive: true, force: true });
	mkdirSync(copy);
	const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
	for (const name of tracked.filter((one) => one !== '' && !files.has(one))) {
		cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
	}
	const changed = new Set(wanted.map(({ id }) => id));
	for (const [name, file] of [...files, ...credentialsOf(root)]) {
		const text = typeof file === 'string' ? file : file.withSwitches(counting, changed);
		write(path.join(copy, name), text);
		const { outputText } = ts.transpileModule(text, { fileName: name, compilerOptions: options(root) });
		write(path.join(copy, 'dist', name.replace(/ts$/, 'js')), outputText);
	}
	execFileSync(process.execPath, [path.join(root, 'node_modules/gulp/bin/gulp.js'), '--silent', 'build'], {
		cwd: copy,
	});
	return copy;
}

function credentialsOf(root: string): Array<[string, string]> {
	const names = globSync('credentials/*.ts', { cwd: root });
	return names.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]);
}

function options(root: string): ts.CompilerOptions {
	const { config } = ts.readConfigFile(path.join(root, 'tsconfig.build.json'), (file) =>
		readFileSync(file, 'utf8'),
	) as {
		config: { compilerOptions: object };
	};
	return ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options;
}

function write(file: string, text: string): void {
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, text);
}
