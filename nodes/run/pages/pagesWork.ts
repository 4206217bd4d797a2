import type { INodeExecutionData } from 'n8n-workflow';
import type { PagesResult } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import type { JsonObject } from '../../service/http/transport';
import type { JobOutcome } from '../../service/jobs/jobOutcome';
import type { PageErrorReader } from '../../service/results/pageErrors';
import type { RunChanges } from '../changes/runChanges';
import type { RunContext } from '../connection/runContext';
import type { JobOperation } from '../job/jobPlan';
import type { ItemFailure } from '../output/itemError';
import type { Notes } from '../output/notes';
import type { LinkedFiles } from '../output/outputItem';

/** Everything that the pages of a job are read and put out with. */
export interface PagesWork {
	ctx: RunContext;
	client: ServiceClient;
	operation: JobOperation;
	result: PagesResult;
	/** `Crawl · Get` */
	collectWith: string | undefined;
	/** Lists the pages that a job failed on. */
	errors: PageErrorReader;
	notes: Notes;
	changes: RunChanges;
	files: LinkedFiles;
	/** The reader is an AI agent. Found out once: n8n copies the node each time it is asked for it. */
	asText: boolean;
}

/** The result of reading the pages of one job. */
export interface PagesReading {
	items: Map<number, INodeExecutionData[]>;
	failures: ItemFailure[];
	/** The number of pages that were returned; undefined when only the job itself was wanted. */
	pages?: number;
	/** The sum of the costs that the pages name, where all of them were read and name one. */
	credits?: number | undefined;
	/** True for a job that ended well with nothing to show. */
	isEmpty?: boolean;
	/** True where the service counts no page either, so that nothing was paid for. */
	isUnpaid?: boolean;
}

/** An ended job, or one that may be returned as it is. */
export type PagesOutcome = Extract<JobOutcome, { kind: 'done' | 'failed' | 'unfinished' }>;

/** The end of a job whose pages are read. */
export interface JobEnd {
	/** True when the job has ended well. */
	isDone: boolean;
	/** False for one that still runs. */
	hasEnded: boolean;
	/** The service's answer to its start; empty for a job of an earlier try. */
	answer: JsonObject;
}
