import { monitorCheck } from '../../../service/jobs/jobKinds';
import { optionList } from '../../fields/basic/optionList';
import { onUnclearStart } from '../../fields/job/onUnclearStart';
import {
	USUAL_MAX_WAIT_SECONDS,
	waitChoiceWithoutCall,
	waitOptions,
	WAITS,
	whenWaitedFor,
} from '../../fields/job/wait';
import type { StartJobOperation } from '../../operation/operation';
import { checkOutput, checkResult } from './check';
import { aboutMonitor, monitorId } from './monitorItem';

export const run: StartJobOperation = {
	kind: 'startJob',
	value: 'run',
	name: 'Run',
	action: 'Run monitor',
	description:
		'Check now instead of waiting for the schedule. Each check costs at least 1 credit a page.',
	request: { method: 'POST', path: '/v2/monitor/{monitorId}/run', bucket: 'crawl' },
	job: monitorCheck,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: checkResult,
	about: aboutMonitor,
	fields: [
		monitorId,
		waitChoiceWithoutCall,
		{ ...checkOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		optionList(whenWaitedFor(waitOptions()), onUnclearStart),
	],
};
