import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readExamples } from '../../n8n/examples.ts';

const numberOf = ({ name }: { name: string }) => Number(/^(\d+) · /.exec(name)?.[1]);

it('numbers the examples in the order to try them, the first scrape first', () => {
	const examples = readExamples(join(__dirname, '../../examples'));
	expect(examples[0]?.name).toBe('1 · Start here: scrape a page to Markdown');
	const numbers = examples.map(numberOf);
	expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

it('has the tenth behind the ninth', () => {
	const folder = mkdtempSync(join(tmpdir(), 'examples-'));
	const numbers = [10, 2, 11, 1, 9];
	for (const number of numbers) {
		const workflow = { name: `${number} · Example`, nodes: [], connections: {} };
		writeFileSync(join(folder, `${number}.json`), JSON.stringify(workflow));
	}
	expect(readExamples(folder).map(numberOf)).toEqual([1, 2, 9, 10, 11]);
	rmSync(folder, { recursive: true });
});
