import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { JobKind } from '../../service/jobs';
import type { JsonObject, RateLimitBucket, ServiceRequest } from '../../service/transport';

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
}

/** One output item before n8n has it: binary parts are still text. */
export interface ItemDraft {
	json: IDataObject;
	file?: { text: string; fileName: string; mimeType: string };
}

/** Everything an output may be made of. */
export interface JobRecord {
	id: string;
	state: string;
	body: JsonObject;
	/** The start request's body; undefined for a job that was started elsewhere. */
	sent: JsonObject | undefined;
}

/** How the answer of a job becomes items. */
export interface JobResult {
	/** `choice` is the value of the Output parameter. `asText`: the reader is an AI agent, no files. */
	toItems(record: JobRecord, choice: string, asText: boolean): ItemDraft[];
	/** The item for a start that is not waited for. */
	toStartedItem(id: string, sent: JsonObject): IDataObject;
	/** What the job used, for the hint after the run. `expiresAt` is an ISO date. */
	usage(body: JsonObject): { amount: number; expiresAt: string | undefined };
	/** How the amount is called: `URLs analysed`. One costs one credit. */
	usageUnit: string;
}

interface JobOperationBase extends OperationBase {
	job: JobKind;
	result: JobResult;
	/** Max Wait when the user set none, in seconds. */
	defaultMaxWaitSeconds(sent: JsonObject): number;
}

/** Starts a job and, if wanted, waits for it. */
export interface StartJobOperation extends JobOperationBase {
	kind: 'startJob';
}

/** Looks at a job that was started elsewhere and, if wanted, waits for it. Has a `jobId` field. */
export interface GetJobOperation extends JobOperationBase {
	kind: 'getJob';
}

/** One request, one item per element of a list. Has `returnAll` and `limit` fields. */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** Finds the list in the answer; undefined when there is none. */
	readList(body: JsonObject): IDataObject[] | undefined;
}

export type Operation = StartJobOperation | GetJobOperation | ListOperation;

export interface Resource {
	/** Value of the `resource` parameter. */
	value: string;
	name: string;
	description: string;
	operations: Operation[];
}
