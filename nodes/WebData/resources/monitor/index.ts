import type { Resource } from '../../operation/operation';
import { create } from './create';
import { deleteMonitor } from './delete';
import { get } from './get';
import { getChecks } from './getChecks';
import { getMany } from './getMany';
import { getCheck } from './getCheck';
import { run } from './run';
import { update } from './update';

export const monitor: Resource = {
	value: 'monitor',
	name: 'Monitor',
	description: 'Watch pages, sites or searches on a schedule and see what changed',
	operations: [create, get, getMany, run, getCheck, getChecks, update, deleteMonitor],
	defaultOperation: 'create',
};
