import type { INodeProperties } from 'n8n-workflow';

import { llmsTxtJob } from '../../../service/jobs/jobKinds';
import { llmsTxtPrice } from '../../cost/prices';
import { maxCredits } from '../../fields/basic/maxCredits';
import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import { url } from '../../fields/basic/url';
import { onUnclearStart } from '../../fields/job/onUnclearStart';
import {
	USUAL_MAX_WAIT_SECONDS,
	waitChoiceWithoutCall,
	waitOptions,
	WAITS,
	whenWaitedFor,
} from '../../fields/job/wait';
import type { StartJobOperation } from '../../operation/operation';
import { llmsTxtOutput, llmsTxtResult } from './result';

const legacyNotice: INodeProperties = {
	displayName:
		'LLMs.txt is a legacy (v1) operation of Firecrawl without a successor. Each page costs one credit.',
	name: 'llmsTxtNotice',
	type: 'notice',
	default: '',
};

// Required, so that it is always sent: sources name 2 and 10 as the service's own
// (docs/service-notes.md#where-servers-differ).
const maxUrls: INodeProperties = {
	displayName: 'Max Pages',
	name: 'maxUrls',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 5000, numberPrecision: 0 },
	default: 10,
	required: true,
	description: 'How many pages to read at most, 1 to 5000. Each costs one credit.',
	routing: { send: { type: 'body', property: 'maxUrls' } },
};

export const start: StartJobOperation = {
	kind: 'startJob',
	value: 'start',
	name: 'Start',
	action: 'Create llms.txt of website (legacy)',
	description: 'Generate a llms.txt file for a site',
	request: { method: 'POST', path: '/v1/llmstxt', bucket: 'scrape' },
	job: llmsTxtJob,
	defaultMaxWaitSeconds: () => USUAL_MAX_WAIT_SECONDS,
	result: llmsTxtResult,
	worstCase: llmsTxtPrice,
	fields: [
		legacyNotice,
		url('Address of the site to describe', 'e.g. https://example.com'),
		maxUrls,
		{
			displayName: 'Full Text Too',
			name: 'showFullText',
			type: 'boolean',
			default: false,
			description: 'Whether to write llms-full.txt as well, with the text of all pages',
			routing: { send: { type: 'body', property: 'showFullText' } },
		},
		waitChoiceWithoutCall,
		{ ...llmsTxtOutput, displayOptions: { show: { waitForCompletion: WAITS } } },
		optionList(
			{
				displayName: 'Use Cache',
				name: 'cache',
				type: 'boolean',
				default: true,
				description: 'Whether to accept a file that Firecrawl generated earlier',
				routing: { send: { type: 'body', property: 'cache' } },
			},
			whenWaitedFor(waitOptions()),
			onUnclearStart,
			maxCredits,
			additionalFields,
		),
	],
};
