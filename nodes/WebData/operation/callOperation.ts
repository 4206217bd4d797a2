import type { IDataObject } from 'n8n-workflow';

import type { ServiceFailure } from '../../service/http/failure';
import type { FindableKind } from '../../service/jobs/jobKinds';
import type { JsonObject } from '../../service/http/transport';
import type { Choice } from './choice';
import type { ItemDraft, OperationBase, RequestLine } from './operationBase';

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
	/** How its elements are offered where an ID is chosen from this list; without it, it is not chosen from. */
	choices?: {
		/** Asked for besides, so that only those come that can be meant. */
		query?: JsonObject;
		/** `timeZone`: the one in which it tells times. */
		of(element: IDataObject, timeZone: string): Choice | undefined;
	};
}

/** How an operation sends files: its request is a form then (service/form), one for each file. */
export interface Upload {
	/** Names of the form's parts: the file, and the body of the request as JSON text. */
	parts: { file: string; body: string };
	/** Kinds of files that the service takes: media types by extension, the usual extension of each first. */
	types: Readonly<Record<string, string>>;
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
	/** What was sent, of an operation with an `upload`. */
	file?: SentFile | undefined;
	/** The reader is an AI agent: no files, links instead. */
	asText: boolean;
}

/** What the answers of calls add up to, for the hint after the run. */
export interface CallUsage {
	/** What an answer is counted in: `page`. */
	unit: string;
	/** True where an amount of 0 is no lack of anything: a time that was not used. */
	mayBeZero?: boolean;
	/** Credits are undefined where the service does not tell them. */
	read(answer: CallAnswer): { amount: number; credits: number | undefined };
}

/** Why an item has no result, in the words of an operation. */
export interface Explained {
	/** What happened, in a few words and without ids. */
	title: string;
	/** The whole of it, enough by itself. */
	message: string;
	/** What the error's details tell besides. */
	details?: IDataObject;
}

/** One request for each input item, many at once; its answer is the result. */
export interface CallOperation extends OperationBase {
	kind: 'call';
	/** Undefined when the answer does not hold what it must. */
	toItems(answer: CallAnswer): ItemDraft[] | undefined;
	/** Why a good answer is no result, such as that of code that ran and failed; undefined when it is one. */
	failureIn?(answer: CallAnswer): Explained | undefined;
	/** What a failure means to this operation; undefined where it needs no words of its own. */
	explain?(
		failure: ServiceFailure,
		values: JsonObject,
		file: SentFile | undefined,
		sent: JsonObject,
	): Explained | undefined;
	/** It sends the files of an item that its fields choose (fields/basic/binaryFile.ts). */
	upload?: Upload;
	usage?: CallUsage;
	/** The pages in an answer, for what a person should know of them. */
	pagesOf?(answer: CallAnswer): JsonObject[];
	/** How an answer is had again, without paying again, when n8n runs the node again. */
	recall?: {
		/** The id that the service gave an answer. */
		idOf(answer: JsonObject): string | undefined;
		/** Path of the answer with `{id}` for it. */
		request: RequestLine;
		/** Where the service lists it, so that it is found again when its answer was lost. */
		kind?: FindableKind;
		/** The operation that collects an answer by its id: `Page · Get`. */
		collectWith: string;
	};
	/** How long an answer may take, in milliseconds. Default: REQUEST_TIMEOUT_MS. */
	timeoutMs?(sent: JsonObject): number;
}
