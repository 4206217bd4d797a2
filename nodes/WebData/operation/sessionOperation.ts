import type { IDataObject } from 'n8n-workflow';

import type { ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import type { Explained } from './callOperation';
import type { ItemDraft, OperationBase, RequestLine } from './operationBase';

/** One thing that is done in a session. */
export interface SessionStep {
	body: JsonObject;
	/** How long its answer may take, in milliseconds. */
	timeoutMs: number;
}

/** What became of a session. */
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
		/** Why a good answer is no success; undefined when it is one. */
		failureIn(answer: JsonObject, step: SessionStep, sessionId: string): Explained | undefined;
		/** What a failure means to a step; undefined where it needs no words of its own. */
		explain(failure: ServiceFailure, sessionId: string): Explained | undefined;
		/** What the answer to a step gave; undefined when it does not hold what it must. */
		toOutput(answer: JsonObject): IDataObject | undefined;
	};
	/** Undefined when the answers do not hold what they must. */
	toItem(story: SessionStory): ItemDraft | undefined;
	/** What a refused opening means; undefined where it needs no words of its own. */
	explain?(failure: ServiceFailure): Explained | undefined;
	/** Seconds that a session stays open while nothing is done in it, for what is told of one left open. */
	idleSeconds(body: JsonObject): number;
	/** Seconds and credits of a closed session; credits are undefined where the service tells none. */
	usage(closed: JsonObject): { seconds: number; credits: number | undefined };
}
