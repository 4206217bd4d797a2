import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readJobId } from '../../../service/jobs/jobKinds';
import type { LedgerEntry } from '../../../service/jobs/ledger';
import type { JsonObject, ServiceRequest } from '../../../service/http/transport';
import type { CallOperation } from '../../operation/operation';
import type { CallPlan } from './planCall';
import { JobMemory } from '../jobs/jobMemory';
import type { AskedStart } from '../jobs/jobMemory';

/**
 * The answers that this execution has paid for and that the service keeps: a retry collects them by
 * their id instead of paying for them again. Does nothing for operations whose answers have no id.
 */
export class PaidCalls {
	private readonly memory: JobMemory | undefined;

	constructor(
		ctx: IExecuteFunctions,
		private readonly operation: CallOperation,
		origin: string,
	) {
		const { recall, value } = operation;
		if (recall) this.memory = new JobMemory(ctx, origin, value, recall.collectWith);
	}

	/** To be called before any recall(); see JobMemory. */
	async takeTurn(plans: CallPlan[], orStopped: () => Promise<void>): Promise<void> {
		await this.memory?.takeTurn(plans.map(askedBy), orStopped);
	}

	/** To be called when nothing more is sent, whatever has happened. */
	endTurn(): void {
		this.memory?.endTurn();
	}

	/** The request for the answer that an earlier try paid for; undefined when there is none. */
	recall(plan: CallPlan): ServiceRequest | undefined {
		const { recall } = this.operation;
		const id = this.memory?.find(askedBy(plan))?.id;
		if (!recall || id === undefined) return undefined;
		return { ...recall.request, path: recall.request.path.replace('{id}', id) };
	}

	remember(plan: CallPlan, answer: JsonObject): void {
		const { memory } = this;
		const id = readJobId(this.operation.recall?.idOf(answer));
		if (!memory || id === undefined) return;
		const asked = askedBy(plan);
		// It could not be collected, which is told by itself: it was not left for another request.
		if (memory.find(asked)) memory.forget(memory.keyOf(plan.item, plan.part));
		memory.remember(asked, { id });
	}

	/** Answers that an earlier try paid for and that this one did not collect. */
	get left(): LedgerEntry[] {
		return this.memory?.left ?? [];
	}

	/** To be called when the results are handed over, unless n8n runs the node again all the same. */
	forget(plans: CallPlan[], output: INodeExecutionData[]): void {
		const { memory } = this;
		if (!memory || memory.isRetryComing(output)) return;
		memory.handOver(plans.map(({ item, part }) => memory.keyOf(item, part)));
		memory.forgetLeft();
	}
}

function askedBy({ item, part, request }: CallPlan): AskedStart {
	return { item, part, start: request };
}
