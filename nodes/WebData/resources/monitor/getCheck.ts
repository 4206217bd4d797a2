import { monitorCheck } from '../../../service/jobs/jobKinds';
import { fromList } from '../../fields/basic/fromList';
import { optionList } from '../../fields/basic/optionList';
import { pathId } from '../../fields/basic/pathId';
import { pageCount } from '../../fields/job/getPages';
import {
	USUAL_MAX_WAIT_SECONDS,
	waitForCompletion,
	waitOptions,
	whenWaitedFor,
} from '../../fields/job/wait';
import type { GetJobOperation } from '../../operation/operation';
import { checkOutput, checkResult, pageStatus } from './check';
import { monitorId } from './monitorItem';

export const getCheck: GetJobOperation = {
	kind: 'getJob',
	value: 'getCheck',
	name: 'Get Check',
	action: 'Get monitor check',
	description: 'What one check of a monitor found: which pages are new, changed, gone or failed',
	request: { method: 'GET', path: monitorCheck.statusPath, bucket: monitorCheck.statusBucket },
	job: monitorCheck,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: checkResult,
	fields: [
		monitorId,
		fromList(
			pathId('Check ID', 'jobId', 'ID of the check, from the output of Run or Get Checks'),
			'monitorGetChecks',
		),
		waitForCompletion,
		checkOutput,
		pageStatus,
		...pageCount,
		whenWaitedFor(optionList(waitOptions())),
	],
};
