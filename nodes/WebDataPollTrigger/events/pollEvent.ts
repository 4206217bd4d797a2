import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { JsonObject } from '../../service/http/transport';
import type { ServiceClient } from '../../service/limits/client';
import type { AskedOperation } from '../../WebData/run/fromTrigger';

/** What a poll may do. */
export interface Reader {
	/** Carries out an operation of Web Data and gives its items. */
	items(asked: AskedOperation): Promise<INodeExecutionData[]>;
	client: ServiceClient;
}

/** What one look at the service has shown. */
export interface Look {
	/** What starts the workflow. Whatever the first look shows, it starts nothing. */
	news: INodeExecutionData[];
	/** What the next look is compared with, as JSON; undefined when this look is no measure. */
	mark: JsonObject | undefined;
	/** An item as it would start the workflow, for a run by hand; undefined when there is none. */
	sample: INodeExecutionData | undefined;
}

/** Something that a poll can find, as data and one function. */
export interface PollEvent {
	/** Value of the `event` parameter. */
	value: string;
	name: string;
	description: string;
	/** What one poll costs and where its limits are, for the panel. */
	notice: string;
	fields: INodeProperties[];
	/**
	 * Looks at the service. `values` are the fields by name, `mark` is what the last look left; without
	 * one, this is the first. Throws what the operations throw, or a ServiceFailure.
	 */
	look(reader: Reader, values: JsonObject, mark: JsonObject | undefined): Promise<Look>;
}
