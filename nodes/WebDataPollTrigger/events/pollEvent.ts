import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { AskedOperation } from '../../WebData/askedOperation';
import type { ServiceClient } from '../../service/client';
import { ServiceFailure } from '../../service/http/failure';
import type { FailureFacts } from '../../service/http/failure';
import type { Pause } from '../../service/http/time';
import type { JsonObject } from '../../service/http/transport';

/** The means of a poll: clock, service and memory. */
export interface PollReader {
	/** Carries out an operation of Web Data and gives its items. */
	items(asked: AskedOperation): Promise<INodeExecutionData[]>;
	client: ServiceClient;
	/** Lets others in the process have their turn. */
	pause: Pause;
}

/** The result of one check of the service. */
export interface PollResult {
	/** The items that start the workflow. Whatever the first check shows, it starts nothing. */
	news: INodeExecutionData[];
	/** The state that the next check is compared with, as JSON: that there was nothing is a mark, too. */
	mark: JsonObject;
	/** An item as it would start the workflow, for a run by hand; undefined when there is none. */
	sample: INodeExecutionData | undefined;
	/** A failure in a part of it: told once, by a poll that starts nothing. */
	failure?: ServiceFailure | undefined;
}

/** The settings of an event, by name. */
export interface PollSettings {
	/** As they are now. */
	values: JsonObject;
	/** As they stand in the panel: one that begins with `=` is an expression. */
	written: JsonObject;
}

/** Whether a setting is an expression, which may have another value at each poll. */
export function isExpression(written: unknown): boolean {
	return typeof written === 'string' && written.startsWith('=');
}

/** Something that a poll can find, as data and functions. */
export interface PollEvent {
	/** Value of the `event` parameter. */
	value: string;
	name: string;
	description: string;
	/** Costs and limits of one poll, for the panel. */
	notice: string;
	fields: INodeProperties[];
	/** Whether it is a fact about the account, by the settings; the others find the same with any key of a server. */
	isOfAccount(values: JsonObject): boolean;
	/** The thing that is watched: a mark belongs to it, and where something else is watched, a new one begins. */
	watched(settings: PollSettings): JsonObject;
	/** Whether a stored mark is one of this event: with any other, everything would be news. */
	isMark(mark: JsonObject): boolean;
	/**
	 * Checks the service. `values` are the fields by name, `mark` is what the last check left; without
	 * one, this is the first. Throws what the operations throw, or a ServiceFailure.
	 */
	poll(reader: PollReader, values: JsonObject, mark: JsonObject | undefined): Promise<PollResult>;
}

/** A failure of a poll that is told beside others: once for each `trouble`. */
export class PollFailure extends ServiceFailure {
	readonly trouble: string;

	constructor({ trouble, ...facts }: Pick<FailureFacts, 'message' | 'httpCode'> & { trouble: string }) {
		super({ kind: 'http', mayHaveExecuted: true, ...facts });
		this.trouble = trouble;
	}
}
