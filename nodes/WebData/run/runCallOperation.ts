import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readErrorText } from '../../service/answer';
import { runCalls } from '../../service/calls';
import type { ServiceClient } from '../../service/client';
import { asFailure, ServiceFailure } from '../../service/failure';
import { REQUEST_TIMEOUT_MS } from '../../service/transport';
import type { JsonObject } from '../../service/transport';
import type { CallAnswer, CallOperation, ItemDraft } from '../resources/operation';
import { planCall } from './callPlan';
import type { CallPlan } from './callPlan';
import { callHints } from './hint';
import { errorItem, runError } from './itemError';
import type { ItemProblem } from './itemError';
import { itemsOfDrafts } from './itemOf';
import { isToolCall, keepsFailedItems } from './parameters';

/**
 * Carries out a call operation: one request for each input item, side by side, results in input order.
 * All items' input is checked before the first request.
 */
export async function runCallOperation(
	ctx: IExecuteFunctions,
	operation: CallOperation,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	return await new CallOperationRun(ctx, operation, client).run();
}

class CallOperationRun {
	private readonly plans: CallPlan[] = [];

	private readonly drafts = new Map<number, ItemDraft[]>();

	private readonly problems = new Map<number, ItemProblem>();

	private readonly continues: boolean;

	private readonly asText: boolean;

	private amount = 0;

	private credits: number | undefined;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly operation: CallOperation,
		private readonly client: ServiceClient,
	) {
		this.continues = keepsFailedItems(ctx);
		this.asText = isToolCall(ctx);
	}

	async run(): Promise<INodeExecutionData[]> {
		const count = this.ctx.getInputData().length;
		for (let item = 0; item < count; item++) this.plan(item);
		this.throwProblem();
		await this.send();
		this.throwProblem();
		const output = await this.toOutput(count);
		this.addHints();
		return output;
	}

	private plan(item: number): void {
		try {
			this.plans.push(planCall(this.ctx, this.operation, item));
		} catch (error) {
			this.note(item, asFailure(error));
		}
	}

	private async send(): Promise<void> {
		const tasks = this.plans.map(({ request, sent }) => ({
			request,
			timeoutMs: this.operation.timeoutMs?.(sent) ?? REQUEST_TIMEOUT_MS,
		}));
		const events = {
			answered: (index: number, body: JsonObject) => this.accept(this.plans[index], body),
			failed: (index: number, failure: ServiceFailure) => {
				this.note(this.plans[index]?.item ?? 0, failure);
				return !this.continues;
			},
		};
		await runCalls(tasks, events, this.client).catch(this.endRun);
	}

	/** Makes the items at once, so that a thousand answers are not kept beside them. */
	private accept(plan: CallPlan | undefined, body: JsonObject): void {
		if (!plan) return;
		const { item, sent, values } = plan;
		const answer: CallAnswer = { body, sent, values, asText: this.asText };
		const drafts = this.operation.toItems(answer);
		if (!drafts) return this.note(item, withoutResult(body, this.client.baseUrl));
		this.drafts.set(item, drafts);
		const used = this.operation.usage?.read(answer);
		this.amount += used?.amount ?? 0;
		if (used?.credits !== undefined) this.credits = (this.credits ?? 0) + used.credits;
	}

	private note(item: number, { kind, message, httpCode }: ServiceFailure): void {
		this.problems.set(item, { item, kind, message, httpCode });
	}

	/** Without "continue on error" the first item with a problem stops the run. */
	private throwProblem(): void {
		if (this.continues || this.problems.size === 0) return;
		const [first] = [...this.problems.values()].sort((left, right) => left.item - right.item);
		if (first) throw runError(this.ctx, first, []);
	}

	private async toOutput(count: number): Promise<INodeExecutionData[]> {
		const drafts = [...this.drafts].flatMap(([item, own]) => own.map((draft) => ({ draft, item })));
		const { ctx, client } = this;
		const made = await itemsOfDrafts({ ctx, client }, drafts).catch(this.endRun);
		return Array.from({ length: count }, (_unused, item) => {
			const problem = this.problems.get(item);
			return problem ? [errorItem(problem, [])] : (made.get(item) ?? []);
		}).flat();
	}

	/** What ends the run for all items: it was stopped. */
	private readonly endRun = (error: unknown): never => {
		const { kind, message } = asFailure(error);
		throw runError(this.ctx, { item: 0, kind, message }, []);
	};

	private addHints(): void {
		const { unit } = this.operation.usage ?? {};
		const { amount, credits } = this;
		const heldSeconds = this.client.held.seconds;
		const failed = this.problems.size;
		this.ctx.addExecutionHints(...callHints({ unit, amount, credits, failed, heldSeconds }));
	}
}

function withoutResult(body: JsonObject, baseUrl: string): ServiceFailure {
	const said = readErrorText(body);
	const message =
		said === ''
			? `${baseUrl} answered without a result: check that the base URL in the Web Data API credential is that of the service.`
			: `The service answered without a result: ${said.replace(/\.+$/, '')}.`;
	return new ServiceFailure({ kind: 'notJson', reached: 'maybe', message });
}
