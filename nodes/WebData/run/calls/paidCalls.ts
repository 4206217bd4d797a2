import type { IExecuteFunctions } from 'n8n-workflow';

import { readJobId } from '../../../service/jobs/jobKinds';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { CallOperation } from '../../operation/operation';
import type { CallPlan } from './planCall';
import { JobMemory } from '../jobs/jobMemory';

/**
 * The answers that this execution has paid for and that the service keeps: a retry collects them by
 * their id instead of paying for them again. Does nothing for operations whose answers have no id.
 */
export class PaidCalls {
	private readonly memory: JobMemory | undefined;

	/** Made once for each: a fingerprint takes longer than anything else here. */
	private readonly keys = new Map<CallPlan, string>();

	constructor(
		ctx: IExecuteFunctions,
		private readonly operation: CallOperation,
		origin: string,
	) {
		// Operations of one node never share it: a node has one operation.
		if (operation.recall) this.memory = new JobMemory(ctx, origin, operation.value);
	}

	/** The request for the answer that an earlier try paid for; undefined when there is none. */
	recall(plan: CallPlan): ServiceRequest | undefined {
		const { recall } = this.operation;
		const id = this.memory?.find(this.keyOf(plan))?.id;
		if (!recall || id === undefined) return undefined;
		return { ...recall.request, path: recall.request.path.replace('{id}', id) };
	}

	remember(plan: CallPlan, answer: JsonObject): void {
		const id = readJobId(this.operation.recall?.idOf(answer));
		if (id !== undefined) this.memory?.remember(this.keyOf(plan), plan.item, id);
	}

	/** To be called when the results are handed over, unless n8n runs the node again all the same. */
	forget(plans: CallPlan[], firstItemFailed: boolean): void {
		if (!this.memory || this.memory.isRetryComing(firstItemFailed)) return;
		for (const plan of plans) this.memory.forget(this.keyOf(plan));
	}

	private keyOf(plan: CallPlan): string {
		const key = this.keys.get(plan) ?? this.memory?.keyOf(plan.request, plan.item) ?? '';
		this.keys.set(plan, key);
		return key;
	}
}
