import type { ServiceClient } from '../../../service/limits/client';
import type { SessionRegister } from '../../../service/sessions/sessionRegister';
import type { SessionOperation } from '../../operation/operation';
import type { CreditAccount } from '../jobs/creditAccount';
import type { SessionMemory } from './sessionMemory';
import type { SessionTotals } from './sessionTotals';

/** What the sessions of a run share. */
export interface SessionRun {
	operation: SessionOperation;
	client: ServiceClient;
	register: SessionRegister;
	memory: SessionMemory;
	totals: SessionTotals;
	account: CreditAccount;
	/** Aborted when nothing more is wanted: the execution was stopped, or another item has failed. */
	abandoned: AbortSignal;
}
