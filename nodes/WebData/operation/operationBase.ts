import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { JsonObject, RateLimitBucket, ServiceRequest } from '../../service/http/transport';
import type { WorstCase } from '../cost/worstCase';

/** Where an operation goes: method, path and the plan column it counts against. */
export interface RequestLine {
	method: ServiceRequest['method'];
	/** A `{name}` in the path is filled from the parameter of that name. */
	path: string;
	bucket: RateLimitBucket;
}

/** What an operation is about, where it is known by an ID in the path, to be said of an unknown one. */
export interface KnownById {
	/** The parameter. */
	id: string;
	/** `monitor` */
	what: string;
	/** Why the service may not know it although the ID is right: `it was deleted`. */
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
	/** What it is about, where an ID in the path says that. */
	about?: KnownById;
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
	/** Kinds of files that were wanted of it and that there are none of. */
	lacking?: string[];
}
