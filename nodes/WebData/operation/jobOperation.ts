import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../service/http/transport';
import type { JobKind } from '../../service/jobs/jobKinds';
import type { PageError } from '../../service/results/pageErrors';
import type { ItemDraft, OperationBase } from './operationBase';
import type { PageDetail } from './webPage';

/** Everything an output may be made of. */
export interface JobRecord {
	id: string;
	state: string;
	body: JsonObject;
	/** The start request's body; undefined for a job that was started elsewhere. */
	sent: JsonObject | undefined;
}

interface JobResultBase {
	/** The item for a start that is not waited for. `answer` is what the service said to it. */
	toStartedItem(id: string, sent: JsonObject, answer: JsonObject): IDataObject;
	/**
	 * What the job used, for the hint after the run: `amount` in `usageUnit`, and the credits, which are
	 * undefined where nobody tells them. `expiresAt` is an ISO date.
	 */
	usage(body: JsonObject): {
		amount: number;
		credits: number | undefined;
		expiresAt: string | undefined;
	};
	/** How the amount is called, one and many: `URL analysed`, `URLs analysed`. */
	usageUnit: readonly [one: string, many: string];
	/** What a well ended job lacks, to be said of it: `found no sources`. */
	remarks?(body: JsonObject): string[];
}

/** How a job whose status holds its whole result becomes items. */
export interface RecordResult extends JobResultBase {
	/** `choice` is the value of the Output parameter. `asText`: the reader is an AI agent, no files. */
	toItems(record: JobRecord, choice: string, asText: boolean): ItemDraft[];
}

/** Values of the Output parameter of jobs that gather pages (fields/pages.ts). */
export type PageOutput = 'pages' | 'fullPages' | 'job' | 'file' | 'status';

/** What a page's data becomes. */
export interface PageForm {
	/** Kinds of data that become files (fields/files.ts). */
	stored: string[];
	detail: PageDetail;
	/** The reader is an AI agent: neither files nor base64 data. */
	asText: boolean;
}

/** What was read of the pages of a job that becomes one item. */
export interface JobPages {
	/** Undefined when only the state is wanted. */
	pages?: JsonObject[];
	/** What all pages of the job say that they cost; undefined where not all were read or one does not say it. */
	pagesCost?: number | undefined;
}

/** How a job becomes items whose pages are read slice by slice. */
export interface PagesResult extends JobResultBase {
	/** True where a job that ends well without a page has not failed. */
	mayBeEmpty?: boolean;
	toPageItem(page: JsonObject, record: JobRecord, form: PageForm): ItemDraft;
	/** A page that the job failed on, as an item beside the others. */
	toFailedPageItem(error: PageError, record: JobRecord): ItemDraft;
	toJobItem(record: JobRecord, read: JobPages, asText: boolean): ItemDraft;
}

export type JobResult = RecordResult | PagesResult;

interface JobOperationBase extends OperationBase {
	job: JobKind;
	result: JobResult;
	/** Max Wait when the user set none, in seconds. */
	defaultMaxWaitSeconds(sent: JsonObject): number;
}

/** Starts a job and, if wanted, waits for it. */
export interface StartJobOperation extends JobOperationBase {
	kind: 'startJob';
	/**
	 * Body property that is a list for the service. An item that gives a single text for it shares its job
	 * with the other items that ask for the same otherwise; each gets its own page back.
	 */
	joinBy?: { property: string; mostInOneJob: number };
	/** Why a body that each field allows would do nothing of what was meant, as a sentence. */
	faultIn?(body: JsonObject): string | undefined;
	/** Body property with the id of a job that the start adds to: such a job is not the execution's own. */
	addsTo?: string;
}

/** Looks at a job that was started elsewhere and, if wanted, waits for it. Has a `jobId` field. */
export interface GetJobOperation extends JobOperationBase {
	kind: 'getJob';
}

/** One request about a job that was started elsewhere. Has a `jobId` field. */
export interface AskJobOperation extends OperationBase {
	kind: 'askJob';
	job: JobKind;
	/** Where older servers have it; asked when the server has no such route. */
	olderPath?: string;
	/** What the items are, for an answer that has none: `failed page`. */
	unit: string;
	/** Undefined when the answer is not what it should be. */
	toItems(id: string, answer: JsonObject): IDataObject[] | undefined;
	/** The items when the service refuses because the job has ended (409); without it, that is an error. */
	whenEnded?(id: string, reason: string): IDataObject[];
}
