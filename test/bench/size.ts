import { execFileSync } from 'node:child_process';
import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { row } from './row.ts';
import type { Measure } from './row.ts';
import { median } from './statistics.ts';
import { ROOT } from './workflow.ts';

/** The most that the node may weigh; what for is said in CONTRIBUTING.md. test/package/budget.test.ts enforces it. */
export const BUDGET = {
	/** What the editor loads for the node. Measured: 211,321 for 64 operations. */
	descriptionBytes: 215_000,
	/** What npm downloads. Measured: 560,526. */
	packedBytes: 590_000,
};

interface Packed {
	size: number;
	unpackedSize: number;
	entryCount: number;
}

type Shown = Record<string, unknown[] | undefined>;

/** What of a value of the description is shown for other operations, too; undefined where nothing is. */
function without(value: unknown, resource: string, operation: string): unknown {
	if (Array.isArray(value)) {
		return value.map((one) => without(one, resource, operation)).filter((one) => one !== undefined);
	}
	if (typeof value !== 'object' || value === null) return value;
	const show = (value as { displayOptions?: { show?: Shown } }).displayOptions?.show ?? {};
	const resources = show.resource ?? show['/resource'];
	const operations = show.operation ?? show['/operation'];
	const isOfThis = resources?.length === 1 && resources[0] === resource;
	if (isOfThis && operations?.length === 1 && operations[0] === operation) return undefined;
	if (isOfThis && (value as { name?: string }).name === 'operation') {
		const { options } = value as { options?: Array<{ value?: unknown }> };
		return { ...value, options: options?.filter((option) => option.value !== operation) };
	}
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, without(inner, resource, operation)]));
}

/** How many bytes of the description go when an operation goes, for each; what several share is of none. */
function bytesOfOperations({ properties }: INodeTypeDescription): number[] {
	const all = JSON.stringify(properties).length;
	return properties.flatMap(({ name, options = [], displayOptions }) => {
		const [resource] = displayOptions?.show?.resource ?? [];
		if (name !== 'operation') return [];
		return (options as INodePropertyOptions[]).map(
			({ value }) => all - JSON.stringify(without(properties, String(resource), String(value))).length,
		);
	});
}

/** What the editor loads and what users download, against the budget. */
export const measure: Measure = async () => {
	const { descriptions } = await loadBuiltPackage(ROOT);
	const description = descriptions.find(({ name }) => name === 'webData');
	if (!description) throw new Error('The package has no node webData.');
	const ofOperations = bytesOfOperations(description);
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
		row({ name: 'operations in the description', value: ofOperations.length, unit: 'operations' }),
		row({ name: 'an operation in the description, in the middle', value: median(ofOperations), unit: 'bytes of JSON' }),
		row({ name: 'the largest operation in the description', value: Math.max(...ofOperations), unit: 'bytes of JSON' }),
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
