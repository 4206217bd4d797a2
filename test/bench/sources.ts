import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const ROOT = new URL('../../', import.meta.url).href;

/**
 * Lets this process import `nodes/research` from its sources: they
 * leave file endings out and use TypeScript that Node cannot strip.
 */
export function importSources(): void {
	registerHooks({
		resolve(specifier, context, next) {
			const { parentURL = '' } = context;
			if (specifier.startsWith('.') && parentURL.startsWith(ROOT)) {
				const withEnding = new URL(`${specifier}.ts`, parentURL);
				if (isSource(withEnding.href) && existsSync(withEnding)) {
					return next(withEnding.href, context);
				}
			}
			return next(specifier, context);
		},
		load(url, context, next) {
			if (!isSource(url)) return next(url, context);
			const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
				filename: fileURLToPath(url),
				swcrc: false,
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'es6' },
				sourceMaps: 'inline',
			});
			return { format: 'module', source: code, shortCircuit: true };
		},
	});
}

function isSource(url: string): boolean {
	return /^(nodes|test\/unit)\/.*\.ts$/.test(url.startsWith(ROOT) ? url.slice(ROOT.length) : '');
}
