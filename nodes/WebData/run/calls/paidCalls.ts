import type { INodeExecutionData } from 'n8n-workflow';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import { readJobId } from '../../../service/jobs/jobKinds';
import type { LedgerEntry } from '../../../service/jobs/ledger';
import type { CallOperation, SentFile } from '../../operation/operation';
import type { RunContext } from '../connection/runContext';
import { readyFiles } from '../files/uploads';
import { isToolCall, readItem, requestOf } from '../input/readFields';
import { cutOffCalls, nodeContext } from '../memory/crashRecovery';
import { JobMemory } from '../memory/jobMemory';
import type { AskedStart } from '../memory/startNames';
import { KeptAnswers } from '../outcomes/keptAnswers';

/** A request of an earlier try whose answer was lost. Times are milliseconds since 1970. */
export interface LostBefore {
	startedAt: number;
	lostAt: number;
}

/**
 * What this execution has paid for, or may have: a retry collects the answers that the service keeps by their
 * id instead of paying for them again, and knows of the requests whose answers were lost. Retry On Fail does not
 * repeat what changes something either. Does nothing for operations that do neither.
 */
export class PaidCalls {
	private readonly memory: JobMemory | undefined;

	/** Undefined for an AI agent, which may want the same again. */
	private readonly kept: KeptAnswers | undefined;

	/** Set where n8n was killed after any of the calls may have been sent: nothing else is known of them. */
	private readonly beforeCrash: Partial<LedgerEntry> | undefined;

	/** Without Retry On Fail nobody would ask for what is kept. */
	private readonly isRepeated: boolean;

	constructor(
		ctx: RunContext,
		private readonly operation: CallOperation,
		origin: string,
	) {
		const { recall, value, worstCase, request } = operation;
		this.beforeCrash = cutOffCalls(ctx);
		this.isRepeated = ctx.getNode().retryOnFail === true;
		const isKept = worstCase !== undefined || (this.isRepeated && request.method !== 'GET');
		if (recall || isKept)
			this.memory = new JobMemory(ctx, origin, value, recall?.collectWith ?? '');
		if (isKept && !isToolCall(ctx)) this.kept = new KeptAnswers(nodeContext(ctx));
	}

	/** To be called before any recall(); see JobMemory. */
	async takeTurn(plans: CallPlan[], orStopped: () => Promise<void>): Promise<void> {
		if (this.operation.recall) await this.memory?.takeTurn(plans.map(askedBy), orStopped);
	}

	/** To be called when nothing more is sent, whatever has happened. */
	endTurn(): void {
		this.memory?.endTurn();
	}

	/** The request for the answer that an earlier try paid for; undefined when there is none. */
	recall(plan: CallPlan): ServiceRequest | undefined {
		const id = this.memory?.find(askedBy(plan))?.id;
		return id === undefined ? undefined : this.requestFor(id);
	}

	/** True for a call that an earlier try was answered, and whose answer the service does not keep. */
	wasAnswered(plan: CallPlan): boolean {
		const entry = this.kept && this.memory?.find(askedBy(plan));
		return entry !== undefined && entry.id === undefined && entry.lostAt === undefined;
	}

	/** Its answer, where it is kept here. */
	keptAnswer(plan: CallPlan): JsonObject | undefined {
		const { memory, kept } = this;
		return memory && this.wasAnswered(plan) ? kept?.find(memory.keyOf(askedBy(plan))) : undefined;
	}

	/** True where an earlier try has paid for the answer, and it can be had from there. */
	has(plan: CallPlan): boolean {
		return this.recall(plan) !== undefined || this.keptAnswer(plan) !== undefined;
	}

	/** The request for a kept answer. */
	requestFor(id: string): ServiceRequest | undefined {
		const { recall } = this.operation;
		return recall && { ...recall.request, path: recall.request.path.replace('{id}', id) };
	}

	/** The id of the answer that recall() asks for, where nothing but address and time tell that it is this one's. */
	uncertainId(plan: CallPlan): string | undefined {
		const { id, evidence } = this.memory?.find(askedBy(plan)) ?? {};
		return evidence ? id : undefined;
	}

	/** The request of an earlier try that has no answer; undefined when there is none. */
	lostBefore(plan: CallPlan): LostBefore | undefined {
		const { id, startedAt, lostAt } = this.memory?.find(askedBy(plan)) ?? this.beforeCrash ?? {};
		return id === undefined && startedAt !== undefined && lostAt !== undefined
			? { startedAt, lostAt }
			: undefined;
	}

	/** Its answer was lost: it may be paid for. */
	noteLost(plan: CallPlan, times: LostBefore): void {
		this.memory?.remember(askedBy(plan), { ...times });
	}

	/** The answer has this id, as far as address and time tell. */
	noteFound(plan: CallPlan, id: string): void {
		this.memory?.remember(askedBy(plan), { id, evidence: 'addressAndTime' });
	}

	/** What was found is not its answer: it is as lost as before. */
	noteForeign(plan: CallPlan, times: LostBefore): void {
		this.memory?.forget(this.memory.keyOf(askedBy(plan)));
		this.noteLost(plan, times);
	}

	remember(plan: CallPlan, answer: JsonObject): void {
		const { memory } = this;
		if (!memory) return;
		const asked = askedBy(plan);
		const id = readJobId(this.operation.recall?.idOf(answer));
		const earlier = memory.find(asked);
		// It could not be collected, which has a message of its own: it was not left for another request.
		if (earlier && earlier.id !== id) memory.forget(memory.keyOf(asked));
		if (id !== undefined) {
			if (earlier?.id !== id) memory.remember(asked, { id });
		} else if (this.kept) {
			memory.remember(asked);
			if (this.isRepeated) this.kept.keep(memory.keyOf(asked), answer);
		}
	}

	/** Answers that an earlier try paid for and that this one did not collect. */
	get left(): LedgerEntry[] {
		return this.memory?.left ?? [];
	}

	/** To be called when the results are handed over, unless n8n runs the node again all the same. */
	forget(plans: CallPlan[], output: INodeExecutionData[]): void {
		const { memory } = this;
		if (!memory || memory.isRetryComing(output)) return;
		const keys = plans.map((plan) => memory.keyOf(askedBy(plan)));
		memory.handOver(keys, keys);
		for (const key of keys) this.kept?.forget(key);
		memory.forgetLeft();
	}
}

function askedBy({ item, part, request }: CallPlan): AskedStart {
	return { item, part, start: request };
}

/** One request that is to be sent for an input item. */
export interface CallPlan {
	item: number;
	/** Which one of the item's requests it is, from 0. */
	part: number;
	request: ServiceRequest;
	/** Body and query together. */
	sent: JsonObject;
	values: JsonObject;
	/** The file that it sends, of an operation with an `upload`. */
	file?: SentFile;
}

/** What is to be sent for one input item, and what of it is not. */
interface ItemPlan {
	calls: CallPlan[];
	/** Names of files that the service does not take. */
	leftOut: string[];
}

/**
 * Reads and checks one item's parameters: one request for the item, or one for each of its files. Sends
 * nothing. Throws a ServiceFailure of kind badInput.
 */
export async function planCalls(
	ctx: RunContext,
	operation: CallOperation,
	item: number,
): Promise<ItemPlan> {
	const fields = readItem(ctx, operation.fields, item);
	const { body, query, values } = fields;
	const request = requestOf(operation.request, fields);
	const plan: CallPlan = { item, part: 0, request, sent: { ...query, ...body }, values };
	const { upload } = operation;
	if (!upload) return { calls: [plan], leftOut: [] };
	const { files, leftOut } = await readyFiles(ctx, upload, values, item);
	const calls = files.map(({ toSend, ...file }, part) => {
		const form = { file: toSend, parts: upload.parts };
		return { ...plan, part, request: { ...request, form }, file };
	});
	return { calls, leftOut };
}
