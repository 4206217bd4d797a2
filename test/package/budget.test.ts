import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { BUDGET } from '../bench/size.ts';

const ROOT = join(__dirname, '../..');

it('keeps the description that the editor loads within its budget', async () => {
	const { WebData } = (await import(join(ROOT, 'dist/nodes/WebData/WebData.node.js'))) as {
		WebData: new () => INodeType;
	};
	const { description } = new WebData();
	expect(JSON.stringify(description).length).toBeLessThanOrEqual(BUDGET.descriptionBytes);
});

it('keeps the download within its budget', () => {
	const [packed] = JSON.parse(
		execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
			cwd: ROOT,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}),
	) as Array<{ size: number }>;
	expect(packed?.size).toBeLessThanOrEqual(BUDGET.packedBytes);
});
