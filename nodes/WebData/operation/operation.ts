import type { CallOperation, ListOperation } from './callOperation';
import type { AskJobOperation, GetJobOperation, StartJobOperation } from './jobOperation';

export type * from './callOperation';
export type * from './jobOperation';
export type * from './operationBase';

export type Operation =
	StartJobOperation | GetJobOperation | AskJobOperation | ListOperation | CallOperation;

export interface Resource {
	/** Value of the `resource` parameter. */
	value: string;
	name: string;
	description: string;
	operations: Operation[];
	/** The one that a new node shows. Default: `start`, else the first. */
	defaultOperation?: string;
}
