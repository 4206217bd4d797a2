import type { Resource } from '../../operation/operation';
import { cancel } from './cancel';
import { get } from './get';
import { getMany } from './getMany';
import { getSnapshot } from './getSnapshot';
import { getThread } from './getThread';
import { getTrace } from './getTrace';
import { start } from './start';

export const agent: Resource = {
	value: 'agent',
	name: 'Agent',
	description: 'Let an agent search and browse for data when you do not know where it is',
	operations: [start, get, getMany, getTrace, getSnapshot, getThread, cancel],
};
