import type { INodeExecutionData } from 'n8n-workflow';
import { maxCreditsOf } from '../../cost/creditCap';
import type { CallOperation, ItemDraft, SentFile } from '../../operation/operation';
import type { ServiceClient } from '../../service/client';
import type { JsonObject, ServiceRequest } from '../../service/http/transport';
import type { LostStartFinding } from '../../service/jobs/jobOutcome';
import type { RunContext } from '../connection/runContext';
import { readyFiles } from '../files/uploads';
import { readItem, requestOf } from '../input/readFields';
import type { Charge } from '../ledger/creditAccount';
import type { Entry, SentRequest } from '../ledger/entries';
import type { AskedAt } from '../ledger/ledger';
import { errorItem } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';
import { LinkedFiles, itemsInOrder } from '../output/outputItem';
import type { Next, Open, Past } from '../paid/decide';

/** One request that is to be sent for an input item. */
export interface CallPlan {
	item: number;
	/** The index among the item's requests, from 0. */
	part: number;
	request: ServiceRequest;
	/** Body and query together. */
	sent: JsonObject;
	values: JsonObject;
	/** The file that it sends, of an operation with an `upload`. */
	file?: SentFile;
	/** What `CallOperation.price` has found out, where Max Credits needs it. */
	price?: JsonObject;
}

/** One call, from its plan to its answer, and what earlier tries have left of it. There is one object for each. */
export interface PlannedCall {
	readonly plan: CallPlan;
	/** Its name in the ledger; undefined of an operation that costs nothing and changes nothing. */
	readonly key?: string | undefined;
	/** The ledger entry of an earlier try, or of this one. */
	entry?: Entry | undefined;
	/** The finding of the service's list, where its answer was lost. */
	finding?: LostStartFinding;
	/** This try has sent it, and its answer was lost. */
	isLost?: boolean;
	/** What earlier tries have left of it. */
	past: Past;
	/** What becomes of it. */
	next: Next;
	/** Id of an answer that is known to be its own by nothing but address and time. */
	unprovenId?: string;
	/** It is paid once by this id, which its plan's request has. */
	once?: SentRequest;
	/** No earlier try has sent it with this id. */
	isNew?: boolean;
}

/** What an earlier try has left open, where this try has not found its answer; undefined where there is nothing. */
export function leftOpen({ past, next, once }: PlannedCall): Open | undefined {
	// One with an ID of its own is sent as it was.
	const isSettled = next.do === 'take' || (once !== undefined && next.do !== 'tell');
	return past.kind === 'open' && !isSettled ? past : undefined;
}

/** Whether it was sent before this try, or may have been before n8n was killed, or was lost in this one. */
export function mayHaveArrived({ isLost, once, isNew }: PlannedCall): boolean {
	return isLost === true || (once !== undefined && !isNew);
}

/** True for a call that an earlier try was answered, and that this one pays for again. */
export function isPaidAgain({ past, once }: PlannedCall): boolean {
	return past.kind === 'answered' && once === undefined;
}

/**
 * The credits that Max Credits counts for it since an earlier try, Infinity without a bound; undefined where none has
 * sent it.
 */
export function countedBefore({ once, entry }: PlannedCall): number | undefined {
	return once && entry ? (entry.credits ?? Infinity) : undefined;
}

/** The requests for one input item, and what of it cannot be sent. */
interface ItemPlan {
	calls: CallPlan[];
	/** Names of files that the service does not take. */
	leftOut: string[];
}

/**
 * Reads and checks one item's parameters: one request for the item, or one for each of its files, of the known kinds of
 * files or `newerTypes`. Sends nothing. Throws a ServiceFailure of kind badInput.
 */
export async function planCalls(
	ctx: RunContext,
	operation: CallOperation,
	item: number,
	newerTypes: () => Promise<Record<string, string>>,
): Promise<ItemPlan> {
	const fields = readItem(ctx, operation.fields, item);
	const { body, query, values } = fields;
	const request = requestOf(operation.request, fields);
	const plan: CallPlan = { item, part: 0, request, sent: { ...query, ...body }, values };
	const { upload } = operation;
	if (!upload) return { calls: [plan], leftOut: [] };
	const { files, leftOut } = await readyFiles(ctx, upload, values, item, newerTypes);
	const calls = files.map(({ toSend, ...file }, part) => {
		const form = { file: toSend, parts: upload.parts };
		return { ...plan, part, request: { ...request, form }, file };
	});
	return { calls, leftOut };
}

/** The place and the request of a call, as the ledger takes them. */
export function askedBy({ item, part, request }: CallPlan): AskedAt {
	return { item, part, start: request };
}

/** The charge of a call against Max Credits. */
export function callCharge(plan: CallPlan): Charge {
	const { item, sent, values, price } = plan;
	return { by: plan, item, items: 1, sent: price ? { ...sent, ...price } : sent, maxCredits: maxCreditsOf(values) };
}

/** Asks for the kinds of files that the service takes by now, once; none where it does not say, or wants a key for that. */
export function askingTypes({ upload }: CallOperation, client: ServiceClient): () => Promise<Record<string, string>> {
	const { newer } = upload ?? {};
	let asked: Promise<Record<string, string>> | undefined;
	return async () => {
		if (!newer || client.isWithoutKey) return {};
		asked ??= client.lookUp(newer.request).then((answer) => (answer ? newer.typesOf(answer) : {}));
		return await asked;
	};
}

/** Asks for the price of a call; what is asked for several of them is asked once. It throws a ServiceFailure. */
export function askingPrices({ price }: CallOperation, client: ServiceClient): (plan: CallPlan) => Promise<JsonObject> {
	const answers = new Map<string, Promise<JsonObject>>();
	return async ({ values }) => {
		if (!price) return {};
		const request = price.request(values);
		const name = JSON.stringify(request);
		const asked = answers.get(name) ?? client.call(request);
		answers.set(name, asked);
		return price.read(await asked, values);
	};
}

/** The place of an outcome: an item, and which one of its requests, from 0. */
interface RequestPlace {
	item: number;
	part: number;
}

type Outcome = RequestPlace & ({ drafts: ItemDraft[] } | { failure: ItemFailure });

/** The outcome of each request of a run; an item may have several. */
export class Outcomes {
	private readonly all: Outcome[] = [];

	/** The number of items without a result. */
	failed = 0;

	/** The number of items with a result. */
	answered = 0;

	succeed({ item, part }: RequestPlace, drafts: ItemDraft[]): void {
		this.all.push({ item, part, drafts });
		this.answered += 1;
	}

	fail({ item, part }: RequestPlace, failure: Omit<ItemFailure, 'item'>): void {
		this.all.push({ item, part, failure: { item, ...failure } });
		this.failed += 1;
	}

	/** The first in the order of the input. */
	get firstFailure(): ItemFailure | undefined {
		const [first] = this.failures;
		return first;
	}

	/** The failures in the order of their items. */
	get failures(): ItemFailure[] {
		return this.all
			.filter((outcome) => 'failure' in outcome)
			.sort(inOrder)
			.map(({ failure }) => failure);
	}

	/**
	 * The items of all, in the order of the input, failures among them as such. Throws a ServiceFailure of
	 * kind aborted when the execution is stopped meanwhile.
	 */
	async toOutput(ctx: RunContext, client: ServiceClient): Promise<INodeExecutionData[]> {
		const sorted = this.all.sort(inOrder);
		const drafts = sorted.flatMap((outcome) => {
			const { item } = outcome;
			return 'drafts' in outcome ? outcome.drafts.map((draft) => ({ draft, item })) : [];
		});
		const files = new LinkedFiles(ctx, client);
		const made = await itemsInOrder({ ctx, client, files }, drafts);
		let next = 0;
		return sorted.flatMap((outcome) => {
			if ('failure' in outcome) return [errorItem(ctx, outcome.failure)];
			const begin = next;
			next += outcome.drafts.length;
			return made.slice(begin, next);
		});
	}
}

function inOrder(left: RequestPlace, right: RequestPlace): number {
	return left.item - right.item || left.part - right.part;
}
