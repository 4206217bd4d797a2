import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FAULT_KINDS } from '../../sandbox/control/faultBook.ts';
import { MODEL_FAULTS } from '../../sandbox/model/modelFault.ts';

const ROOT = resolve(__dirname, '../..');

/** What the tests and the demo say, but for this file. */
const said = ['test', 'tools']
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.(ts|mjs|json)$/.test(name) && !name.endsWith('sandboxUse.test.ts'))
			.map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
	)
	.join('\n');

const optionsText = readFileSync(join(ROOT, 'sandbox/service/options.ts'), 'utf8');
const options = [...(/interface SandboxOptions \{([^]*?)\n\}/.exec(optionsText)?.[1] ?? '').matchAll(/^\t(\w+)\?:/gm)];

it.each([
	['a kind of fault', FAULT_KINDS, (name: string) => `kind: '${name}'`],
	['a fault of the model', MODEL_FAULTS, (name: string) => `['":+]${name}['+]`],
	['an option', options.map(([, name = '']) => name), (name: string) => `\\b${name}(:| [,}]|,)`],
])('the sandbox has not %s that no test and no demo uses', (_what, names, usedAs) => {
	expect(names.length).toBeGreaterThan(8);
	expect(names.filter((name) => !new RegExp(usedAs(name)).test(said))).toEqual([]);
});
