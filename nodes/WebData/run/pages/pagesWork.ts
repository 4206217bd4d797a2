import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/limits/client';
import type { JobOutcome } from '../../../service/jobs/jobTask';
import type { JsonObject } from '../../../service/http/transport';
import type { PagesResult } from '../../operation/operation';
import type { JobOperation } from '../jobs/jobPlan';
import type { ItemFailure } from '../output/itemError';

/** Everything that the pages of a job are read and put out with. */
export interface PagesWork {
	ctx: IExecuteFunctions;
	client: ServiceClient;
	operation: JobOperation;
	result: PagesResult;
	/** `Crawl · Get` */
	collectWith: string;
	/** The reader is an AI agent. Found out once: n8n copies the node each time it is asked for it. */
	asText: boolean;
}

/** What the pages of one job came to. */
export interface PagesReading {
	items: Map<number, INodeExecutionData[]>;
	failures: ItemFailure[];
	/** How many pages the service counts that it did not hand over. */
	missing: number;
}

/** An ended job, or one that may be put out as it is. */
export type PagesOutcome = Extract<JobOutcome, { kind: 'done' | 'failed' | 'unfinished' }>;

/** How a job whose pages are read has ended. */
export interface JobEnd {
	/** True when the job has ended well. */
	isDone: boolean;
	/** What the service said to its start; empty for a job of an earlier try. */
	answer: JsonObject;
}
