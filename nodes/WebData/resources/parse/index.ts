import type { Resource } from '../../operation/operation';
import { parseFile } from './parseFile';

export const parse: Resource = {
	value: 'parse',
	name: 'Parse',
	description: 'Turn files that you have into Markdown: PDF, Word, Excel, HTML and more',
	operations: [parseFile],
	defaultOperation: 'parseFile',
};
