import { execFileSync } from 'node:child_process';
import { loadBuiltPackage } from '../../engine/index.ts';
import { row } from './row.ts';
import type { Measure } from './row.ts';
import { ROOT } from './workflow.ts';

/**
 * The most that the node may weigh, with all 60 operations of the service. Raise it on purpose only.
 * test/package/budget.test.ts enforces it.
 */
export const BUDGET = {
	/** What the editor loads for the node. Measured: 179,800 for 60 operations. */
	descriptionBytes: 182_000,
	/** What npm downloads. Measured: 357,918, with Web Research and Web Data Loader. */
	packedBytes: 400_000,
};

interface Packed {
	size: number;
	unpackedSize: number;
	entryCount: number;
}

/** What the editor loads and what users download, against the budget. */
export const measure: Measure = async () => {
	const { descriptions } = await loadBuiltPackage(ROOT);
	const description = descriptions.find(({ name }) => name === 'webData');
	const packed = JSON.parse(
		execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
			cwd: ROOT,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}),
	) as Packed[];
	const [{ size, unpackedSize, entryCount } = { size: 0, unpackedSize: 0, entryCount: 0 }] = packed;
	return [
		row({
			name: 'size of the description',
			value: JSON.stringify(description).length,
			unit: 'bytes of JSON',
			reference: BUDGET.descriptionBytes,
			target: { of: 'ratio', most: 1 },
		}),
		row({
			name: 'size of the package, packed',
			value: size,
			unit: 'bytes',
			reference: BUDGET.packedBytes,
			target: { of: 'ratio', most: 1 },
		}),
		row({ name: 'size of the package, unpacked', value: unpackedSize, unit: 'bytes' }),
		row({ name: 'files in the package', value: entryCount, unit: 'files' }),
	];
};
