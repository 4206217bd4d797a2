import type { IExecuteFunctions } from 'n8n-workflow';

import { fingerprint, Ledger } from '../../../service/jobs/ledger';
import type { LedgerEntry } from '../../../service/jobs/ledger';
import type { ServiceRequest } from '../../../service/http/transport';
import { jobStore, isAfterCrash } from './crashRecovery';

/**
 * The jobs that this execution has started, kept where Retry On Fail and n8n's Retry of a failed
 * execution find them again: in the execution's own data (N8N fact 3).
 */
export class JobMemory {
	private readonly ledger: Ledger;

	private readonly runIndex: number;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly origin: string,
		private readonly kind: string,
	) {
		this.ledger = new Ledger(jobStore(ctx));
		// In a loop the same item number comes again with each run of the node.
		this.runIndex = Number(ctx.getWorkflowDataProxy(0).$runIndex);
	}

	keyOf(start: ServiceRequest, item: number): string {
		const { origin, kind, runIndex } = this;
		return fingerprint({ origin, kind, body: start.body ?? {}, item, runIndex });
	}

	/** True when n8n died while jobs were started that are not remembered here. */
	get isIncomplete(): boolean {
		return isAfterCrash(this.ctx);
	}

	find(key: string): LedgerEntry | undefined {
		return this.ledger.find(key);
	}

	/** Without an id: the start was sent, and nobody knows whether it arrived. */
	remember(key: string, item: number, id?: string): void {
		this.ledger.remember(key, {
			kind: this.kind,
			item,
			startedAt: Date.now(),
			...(id !== undefined && { id }),
		});
	}

	forget(key: string): void {
		this.ledger.forget(key);
	}

	/**
	 * True when n8n will run the node again although it returned: Retry On Fail does that when the first
	 * output item holds an error (N8N fact 4), and everything would be started a second time.
	 */
	isRetryComing(firstItemFailed: boolean): boolean {
		return firstItemFailed && this.ctx.getNode().retryOnFail === true;
	}
}
