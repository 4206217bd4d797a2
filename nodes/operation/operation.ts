import type { IDataObject, INodeProperties, ResourceMapperFields } from 'n8n-workflow';
import type { WorstCase } from '../cost/prices';
import type { ServiceFailure } from '../service/http/failure';
import type { JsonObject, RateLimitBucket, ServiceRequest } from '../service/http/transport';
import type { FindableKind, JobKind } from '../service/jobs/jobKinds';
import type { ListPaging } from '../service/results/listParts';
import type { PageError } from '../service/results/pageErrors';
import type { PageTextBound } from './pageText';

/** Method, path and plan column of an operation: method, path and the plan column it counts against. */
export interface RequestLine {
	method: ServiceRequest['method'];
	/** A `{name}` in the path is filled from the parameter of that name. */
	path: string;
	/** The part of the body that is the same in each request. */
	body?: JsonObject;
	bucket: RateLimitBucket;
	/** It changes nothing and costs nothing, whatever its method. */
	isRead?: true;
	/** The service answers it with a key only, although it answers others to this path without one. */
	needsKey?: true;
}

/** The thing that an ID in the path names, for errors about an unknown one. */
export interface KnownById {
	/** The parameter. */
	id: string;
	/** `monitor` */
	what: string;
	/** The reason why the service may not know it although the ID is right: `it was deleted`. */
	orElse: string;
	/** Operations that put the ID out: `Create and Get Many`. */
	from: string;
}

export interface OperationBase {
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
	/** The thing that it is about, where an ID in the path says that. */
	about?: KnownById;
	/**
	 * The most that a request with this body and query can cost, and what `price` has found out; left out where none
	 * costs.
	 */
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
	/** Addresses that were joined with another one: `http://a.example/ (as https://a.example/)`. */
	merged?: string[];
	/** Kinds of files that were wanted of it and that there are none of. */
	lacking?: string[];
	/** What is known of the values of its JSON, where they were checked. */
	checked?: CheckedValues[];
}

/** The check of the values of JSON on their page, as a user asked for it (fields/formats.ts). */
export interface ValueCheck {
	/** Values that do not stand on their page are null in the output. */
	leavesOut: boolean;
	/** The Markdown of the pages is asked for beside, for the check alone, and is not put out. */
	hidesText: boolean;
	/** The schema that the JSON follows, where it is known. */
	schema: unknown;
	/** The settings that leave out parts of a page, by their names in the panel. */
	leftOut: string[];
}

/** What a check has found on a page, or on several. */
export interface CheckedValues {
	/** The number of values that are not empty. */
	values: number;
	/** The names of the fields of those that do not stand on their page: one for each value. */
	unproven: string[];
	/** The number of those that only a reader can tell. */
	unchecked: number;
	/** Pages without a text to look at. */
	withoutText: number;
	check: ValueCheck;
}

/** An element of a list where an ID is chosen from it. */
export interface ListChoice {
	id: string;
	/** The name by which a person knows it. */
	name: string;
}

/**
 * A choice by what is known of it: `Prices · paused`; without anything, by its ID. Undefined for an element
 * without an ID, which cannot be chosen.
 */
export function choiceOf({ id }: IDataObject, ...parts: unknown[]): ListChoice | undefined {
	if (typeof id !== 'string' || id === '') return undefined;
	const known = parts.filter((part): part is string => typeof part === 'string' && part !== '');
	return { id, name: known.length === 0 ? id : known.join(' · ') };
}

/**
 * The minute of a time in ISO 8601 as a clock in this zone shows it: `2026-11-21 20:09`; undefined for anything
 * else. A time that names no zone is in UTC.
 */
export function minuteOf(time: unknown, timeZone: string): string | undefined {
	const [, local, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*)(Z|[+-]\d\d:?\d\d)?$/.exec(String(time)) ?? [];
	if (local === undefined) return undefined;
	const date = new Date(`${local}${zone ?? 'Z'}`);
	if (Number.isNaN(date.getTime())) return undefined;
	const format = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
	// The Swedish way to write a date is that of ISO 8601.
	return new Intl.DateTimeFormat('sv-SE', format).format(date);
}

/** One request, one item per element of a list. Has `returnAll` and `limit` fields. */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** The noun for its elements: `active crawl`. */
	unit: string;
	/** Finds the list in the answer; undefined when there is none. */
	readList(body: JsonObject): IDataObject[] | undefined;
	/** For a list that comes in parts; without it, one request gets all. */
	paging?: ListPaging;
	/** The meaning of a failure to this operation; undefined where it needs no words of its own. */
	explain?(failure: ServiceFailure, values: JsonObject): Explained | undefined;
	/** The elements as choices, where an ID is chosen from this list; without it, it is not chosen from. */
	choices?: {
		/** Asked for besides, so that only those come that can be meant. */
		query?: JsonObject;
		/** Parameters that the list depends on, beside those in its path: of a provider, its tools. */
		about?: { names: string[]; body(values: JsonObject): JsonObject };
		/** `timeZone`: the one in which it tells times. */
		of(element: IDataObject, timeZone: string): ListChoice | undefined;
	};
}

/** The way in which an operation sends files: its request is a form then (service/form), one for each file. */
export interface Upload {
	/** Names of the form's parts: the file, and the body of the request as JSON text. */
	parts: { file: string; body: string };
	/** Kinds of files that the service takes: media types by extension, the usual extension of each first. */
	types: Readonly<Record<string, string>>;
	/** The service's own list, asked for a kind that is not among them: the same, of those that it takes now. */
	newer: { request: ServiceRequest; typesOf(answer: JsonObject): Record<string, string> };
	maxBytes: number;
}

/** A file that was sent, as the user knows it. */
export interface SentFile {
	fileName: string;
	/** Empty where an expression gave the file itself. */
	binaryField: string;
}

/** Everything the output of a call may be made of. */
export interface CallAnswer {
	body: JsonObject;
	/** Body and query of the request. */
	sent: JsonObject;
	/** Checked values of the fields by name, also of those that are not sent. */
	values: JsonObject;
	/** The file that was sent, of an operation with an `upload`. */
	file?: SentFile | undefined;
	/** The reader is an AI agent: no files, links instead. */
	asText: boolean;
}

/** The sums over the answers of calls, for the hint after the run. */
export interface CallUsage {
	/** The unit in which an answer is counted: `page`. */
	unit: string;
	/** True where an amount of 0 is no lack of anything: a time that was not used. */
	mayBeZero?: boolean;
	/** Credits are undefined where the service does not tell them. */
	read(answer: CallAnswer): { amount: number; credits: number | undefined };
}

/** The reason why an item has no result, in the words of an operation. */
export interface Explained {
	/** The event in a few words, without ids. */
	title: string;
	/** The whole of it, enough by itself. */
	message: string;
	/** What it has cost, in a sentence; nobody knows that where the answer to an earlier try was lost. */
	cost?: string;
	/** Further details of the error. */
	details?: IDataObject;
}

/** One request for each input item, many at once; its answer is the result. */
export interface CallOperation extends OperationBase {
	kind: 'call';
	/** Undefined when the answer does not hold what it must. */
	toItems(answer: CallAnswer): ItemDraft[] | undefined;
	/** What the answer holds and the items do not show, by name: a newer server may have more than is known here. */
	notShown?(answer: CallAnswer): string[];
	/**
	 * The reason why a good answer is no result, such as that of code that ran and failed; undefined when it is one.
	 * `isPaid`: it was charged all the same, so that it is not sent again.
	 */
	failureIn?(answer: CallAnswer): (Explained & { isPaid?: boolean }) | undefined;
	/** It is paid once by an id that is sent with it (ServiceRequest.requestId). */
	isPaidOnceById?: true;
	/**
	 * Its price is not fixed: it is asked for, free of charge, before anything is sent under Max Credits, and what is
	 * read goes to `worstCase` beside what is sent. `read` throws a ServiceFailure where the answer names no price.
	 */
	price?: {
		request(values: JsonObject): ServiceRequest;
		read(answer: JsonObject, values: JsonObject): JsonObject;
	};
	/** The meaning of a failure to this operation; undefined where it needs no words of its own. */
	explain?(
		failure: ServiceFailure,
		values: JsonObject,
		file: SentFile | undefined,
		sent: JsonObject,
	): Explained | undefined;
	/** It sends the files of an item that its fields choose (fields/basic.ts). */
	upload?: Upload;
	usage?: CallUsage;
	/** The pages in an answer, for what a person should know of them. */
	pagesOf?(answer: CallAnswer): JsonObject[];
	/** The way in which an answer is had again, without paying again, when n8n runs the node again. */
	recall?: {
		/** The id that the service gave an answer. */
		idOf(answer: JsonObject): string | undefined;
		/** Path of the answer with `{id}` for it. */
		request: RequestLine;
		/** The list of the service in which it is found again when its answer was lost. */
		kind?: FindableKind;
		/** The operation that collects an answer by its id: `Page · Get`. */
		collectWith: string;
	};
	/** How long an answer may take, in milliseconds. Default: REQUEST_TIMEOUT_MS. */
	timeoutMs?(sent: JsonObject): number;
	/** Its fields that only the service knows, for n8n's resource mapper: those of the tool that is chosen. */
	inputs?: {
		/** The parameters that they depend on, and what to say where one has no value before the workflow runs. */
		about: string[];
		whenNotChosen: string;
		request(values: JsonObject): ServiceRequest;
		fieldsOf(answer: JsonObject, values: JsonObject): ResourceMapperFields;
	};
}

/** The amount of a page that an item holds. */
export type PageDetail = 'simplified' | 'fullDocument';

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
	 * The amount that the job used, for the hint after the run: `amount` in `usageUnit`, and the credits, which are
	 * undefined where nobody tells them. `expiresAt` is an ISO date.
	 */
	usage(body: JsonObject): {
		amount: number;
		credits: number | undefined;
		expiresAt: string | undefined;
	};
	/** The operation that collects a job later: `Crawl · Get`. */
	collectWith: string;
	/** The noun for the amount, one and many: `URL analysed`, `URLs analysed`. */
	usageUnit: readonly [one: string, many: string];
	/** Things that a well ended job lacks, a sentence each: `found no sources`. */
	remarks?(body: JsonObject): string[];
}

/** Converts a job whose status holds its whole result to items. */
export interface RecordResult extends JobResultBase {
	/** `choice` is the value of the Output parameter. `asText`: the reader is an AI agent, no files. */
	toItems(record: JobRecord, choice: string, asText: boolean): ItemDraft[];
}

/** Values of the Output parameter of jobs that gather pages (fields/job/pages.ts). */
export type PageOutput = 'pages' | 'fullPages' | 'job' | 'file' | 'status';

/** The form that a page's data takes. */
export interface PageForm {
	/** Kinds of data that become files (fields/job/pages.ts). */
	stored: string[];
	detail: PageDetail;
	/** The reader is an AI agent: neither files nor base64 data. */
	asText: boolean;
	/** The part of each text that is wanted; undefined: all of it. */
	bound: PageTextBound | undefined;
}

/** The pages of a job that becomes one item, as far as they were read. */
export interface JobPages {
	/** Undefined when only the state is wanted. */
	pages?: JsonObject[];
	/**
	 * The sum of the costs that all pages of the job name; undefined where not all were read or one does not say it.
	 */
	pagesCost?: number | undefined;
	/** The part of each text of its pages that is wanted; undefined: all of it. */
	bound?: PageTextBound | undefined;
}

/** Converts a job to items whose pages are read part by part. */
export interface PagesResult extends JobResultBase {
	/** True where a job that ends well without a page has not failed. */
	mayBeEmpty?: boolean;
	/** The reason why a job of no or one page may have found so little, by what was asked for. */
	adviceOnFewPages?(sent: JsonObject): string | undefined;
	/** The most likely cause of a job without any page, in a few words. */
	titleOfNoPage?(sent: JsonObject): string | undefined;
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
	groupBy?: { property: string; mostInOneJob: number };
	/** The reason why a body that each field allows would do nothing of what was meant, as a sentence. */
	faultIn?(body: JsonObject): string | undefined;
	/** Body property with the id of a job that the start adds to: such a job is not the execution's own. */
	addsTo?: string;
}

/** Looks at a job that was started elsewhere and, if wanted, waits for it. Has a `jobId` field. */
export interface GetJobOperation extends JobOperationBase {
	kind: 'getJob';
}

/** One request about a job that was started elsewhere. Has a `jobId` field. */
export interface JobRequestOperation extends OperationBase {
	kind: 'jobRequest';
	job: JobKind;
	/** The path on older servers; asked when the server has no such route. */
	olderPath?: string;
	/** The noun for its items, for an answer that has none: `failed page`. */
	unit: string;
	/** Undefined when the answer is not what it should be. */
	toItems(id: string, answer: JsonObject): IDataObject[] | undefined;
	/** The items when the service refuses because the job has ended (409); without it, that is an error. */
	whenEnded?(id: string, reason: string): IDataObject[];
}

/** One thing that is done in a session. */
export interface SessionStep {
	body: JsonObject;
	/** How long its answer may take, in milliseconds. */
	timeoutMs: number;
}

/** The events of a session. */
export interface SessionStory {
	id: string;
	/** The service's answer to its opening. */
	opened: JsonObject;
	/** Its answers to the steps, in their order. */
	answers: JsonObject[];
	steps: SessionStep[];
	/** Its answer to the closing; undefined for a session that is open. */
	closed: JsonObject | undefined;
}

/**
 * Opens a session for each input item. With `steps`, these are carried out in it and it is closed, whatever
 * happens; without them, it is put out open.
 */
export interface SessionOperation extends OperationBase {
	kind: 'session';
	steps?: {
		/** Checked values of the fields to what is to be done. */
		of(values: JsonObject): SessionStep[];
		/** `{sessionId}` stands for the id. */
		request: RequestLine;
		/** The reason why a good answer is no success; undefined when it is one. */
		failureIn(answer: JsonObject, step: SessionStep, sessionId: string): Explained | undefined;
		/** The meaning of a failure to a step; undefined where it needs no words of its own. */
		explain(failure: ServiceFailure, sessionId: string): Explained | undefined;
		/** The output of a step; undefined when it does not hold what it must. */
		toOutput(answer: JsonObject): IDataObject | undefined;
	};
	/** Undefined when the answers do not hold what they must. */
	toItem(story: SessionStory): ItemDraft | undefined;
	/** The meaning of a refused opening; undefined where it needs no words of its own. */
	explain?(failure: ServiceFailure): Explained | undefined;
	/** Seconds that a session stays open while nothing is done in it, for what is told of one left open. */
	idleSeconds(body: JsonObject): number;
	/** Seconds and credits of a closed session; credits are undefined where the service tells none. */
	usage(closed: JsonObject): { seconds: number; credits: number | undefined };
}

export type Operation =
	StartJobOperation | GetJobOperation | JobRequestOperation | ListOperation | CallOperation | SessionOperation;

export interface Resource {
	/** Value of the `resource` parameter. */
	value: string;
	name: string;
	description: string;
	operations: Operation[];
	/** Lists that its fields choose from, and that are no operations. */
	lists?: ListOperation[];
	/** The one that a new node shows. Default: `start`, else the first. */
	defaultOperation?: string;
}
