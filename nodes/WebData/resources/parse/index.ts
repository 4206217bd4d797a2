import type { Resource } from '../../operation/operation';
import { parseFile } from './parseFile';

export const parse: Resource = {
	value: 'parse',
	name: 'Parse',
	description: 'Files that you have: PDF, Word, Excel, HTML and more in, Markdown out',
	operations: [parseFile],
	defaultOperation: 'parseFile',
};
