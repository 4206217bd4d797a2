import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { JobKind } from '../../service/jobs/jobKinds';
import type { JsonObject, RateLimitBucket, ServiceRequest } from '../../service/http/transport';
import type { PageError } from '../../service/results/pageErrors';
import type { WorstCase } from '../cost/worstCase';
import type { PageDetail } from './webPage';

/** Where an operation goes: method, path and the plan column it counts against. */
export interface RequestLine {
	method: ServiceRequest['method'];
	/** A `{name}` in the path is filled from the parameter of that name. */
	path: string;
	bucket: RateLimitBucket;
}

interface OperationBase {
	/** Value of the `operation` parameter. */
	value: string;
	/** As the Operation list shows it. */
	name: string;
	/** As the node menu and AI agents see it. */
	action: string;
	description: string;
	/**
	 * n8n's own property data, without `displayOptions` for resource and operation. `routing.send`
	 * says where a value goes. A field outside a collection is left out of the request while it has
	 * its default, unless it is `required`; an option that was added is sent as it is.
	 */
	fields: INodeProperties[];
	request: RequestLine;
	/** The most that a request with this body and query can cost; left out where none costs. */
	worstCase?(sent: JsonObject): WorstCase;
}

/** A file for the binary data of an item: text, base64 text, or a link it is fetched from. */
export type FileDraft = {
	/** Name of the binary field. */
	field: string;
	fileName: string;
	mimeType: string;
} & ({ text: string } | { base64: string } | { url: string });

/** One output item before n8n has it: its files are not made yet. */
export interface ItemDraft {
	json: IDataObject;
	files?: FileDraft[];
}

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
}

/** How a job whose status holds its whole result becomes items. */
export interface RecordResult extends JobResultBase {
	/** `choice` is the value of the Output parameter. `asText`: the reader is an AI agent, no files. */
	toItems(record: JobRecord, choice: string, asText: boolean): ItemDraft[];
	/** What a well ended job lacks, to be said of it: `found no sources`. */
	remarks?(body: JsonObject): string[];
}

/** Values of the Output parameter of jobs that gather pages (fields/pages.ts). */
export type PageOutput = 'pages' | 'fullPages' | 'job' | 'status';

/** What a page's data becomes. */
export interface PageForm {
	/** Kinds of data that become files (fields/files.ts). */
	stored: string[];
	detail: PageDetail;
	/** The reader is an AI agent: neither files nor base64 data. */
	asText: boolean;
}

/** How a job becomes items whose pages are read slice by slice. */
export interface PagesResult extends JobResultBase {
	toPageItem(page: JsonObject, record: JobRecord, form: PageForm): ItemDraft;
	/** A page that the job failed on, as an item beside the others. */
	toFailedPageItem(error: PageError, record: JobRecord): ItemDraft;
	/** `pages` is undefined when only the state is wanted. */
	toJobItem(record: JobRecord, pages: JsonObject[] | undefined, asText: boolean): ItemDraft;
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

/** One request, one item per element of a list. Has `returnAll` and `limit` fields. */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** What the elements are: `active crawl`. */
	unit: string;
	/** Finds the list in the answer; undefined when there is none. */
	readList(body: JsonObject): IDataObject[] | undefined;
	/** For a list that comes in parts; without it, one request gets all. */
	paging?: {
		/** Sent with each request, beside what the fields send. */
		query: JsonObject;
		/** What to add for the part after `body`; undefined after the last. `count`: elements so far. */
		next(body: JsonObject, count: number): JsonObject | undefined;
	};
}

/** Everything the output of a call may be made of. */
export interface CallAnswer {
	body: JsonObject;
	/** Body and query of the request. */
	sent: JsonObject;
	/** Checked values of the fields by name, also of those that are not sent. */
	values: JsonObject;
	/** The reader is an AI agent: no files, links instead. */
	asText: boolean;
}

/** What the answers of calls add up to, for the hint after the run. */
export interface CallUsage {
	/** What an answer is counted in: `page`. */
	unit: string;
	/** Credits are undefined where the service does not tell them. */
	read(answer: CallAnswer): { amount: number; credits: number | undefined };
}

/** One request for each input item, many at once; its answer is the result. */
export interface CallOperation extends OperationBase {
	kind: 'call';
	/** Undefined when the answer does not hold what it must. */
	toItems(answer: CallAnswer): ItemDraft[] | undefined;
	usage?: CallUsage;
	/** The pages in an answer, for what a person should know of them. */
	pagesOf?(answer: CallAnswer): JsonObject[];
	/** How an answer is had again, without paying again, when n8n runs the node again. */
	recall?: {
		/** The id that the service gave an answer. */
		idOf(answer: JsonObject): string | undefined;
		/** Path of the answer with `{id}` for it. */
		request: RequestLine;
		/** The operation that collects an answer by its id: `Page · Get`. */
		collectWith: string;
	};
	/** How long an answer may take, in milliseconds. Default: REQUEST_TIMEOUT_MS. */
	timeoutMs?(sent: JsonObject): number;
}

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
