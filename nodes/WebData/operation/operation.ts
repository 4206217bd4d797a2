import type { CallOperation, ListOperation } from './callOperation';
import type { AskJobOperation, GetJobOperation, StartJobOperation } from './jobOperation';
import type { SessionOperation } from './sessionOperation';

export type * from './callOperation';
export type * from './jobOperation';
export type * from './operationBase';
export type * from './sessionOperation';

export type Operation =
	| StartJobOperation
	| GetJobOperation
	| AskJobOperation
	| ListOperation
	| CallOperation
	| SessionOperation;

export interface Resource {
	/** Value of the `resource` parameter. */
	value: string;
	name: string;
	description: string;
	operations: Operation[];
	/** The one that a new node shows. Default: `start`, else the first. */
	defaultOperation?: string;
}
