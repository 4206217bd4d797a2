import type { INodeProperties } from 'n8n-workflow';

import { optionList } from '../basic/optionList';
import { jobId } from './jobId';
import { waitForCompletion, waitOptions, whenWaitedFor } from './wait';

/** The fields of Get for a job whose status holds its whole result. `output` says what it puts out. */
export function getRecordFields(output: INodeProperties, id = jobId): INodeProperties[] {
	return [
		id,
		waitForCompletion,
		output,
		// Without waiting it would be an empty list.
		whenWaitedFor(optionList(waitOptions())),
	];
}
