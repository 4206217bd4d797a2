/** Paid data providers of the agent, and the approvals that they wait for. No recordings: docs/reference/service-notes.md#paid-providers-of-the-agent. */
import { z } from 'zod/v4';
import { Refused, refusal } from '../http/answer.ts';
import type { AnswerResult } from '../answerJobs/answerJobs.ts';

const MAX_TOOLKITS = 5;
const approvalId = z.string();

/** The part of an agent's start about paid providers. What is left out is as in the turn before. */
export const exchangeSchema = z
	.object({
		enabled: z.boolean().optional(),
		toolkits: z.array(z.string()).max(MAX_TOOLKITS).optional(),
		maxCalls: z.number().int().optional(),
		requireApproval: z.boolean().optional(),
		approve: z
			.object({ approvalId, callIds: z.array(z.string()).optional(), always: z.boolean().optional() })
			.strict()
			.optional(),
		decline: z.object({ approvalId }).strict().optional(),
		onTermsRequired: z.enum(['skip', 'ask']).optional(),
	})
	.strict();

type Exchange = z.output<typeof exchangeSchema>;
type Settings = Omit<Exchange, 'approve' | 'decline'> & { mode?: 'extract' | 'chat' | undefined };

interface PaidCall {
	id: string;
	provider: string;
	capability: string;
	input: Record<string, unknown>;
	creditsEstimate: number;
}

interface Thread {
	settings: Settings;
	pending?: { id: string; calls: PaidCall[] } | undefined;
	/** Its latest run. */
	runId?: string;
}

/** The part of a start that a conversation is made of. */
interface AskedTurn {
	threadId?: string | undefined;
	exchange?: Exchange | undefined;
	mode?: Settings['mode'];
	prompt: string;
}

/** A turn of a conversation: what its record says beside its data, and what its paid calls cost. */
interface Turn {
	fields: Record<string, unknown>;
	credits: number;
}

/** The conversations with agents, and what they may pay for. */
export function agentThreads(newId: () => string) {
	const threads = new Map<string, Thread>();

	const callsOf = (prompt: string): PaidCall[] =>
		['Kestrel Couriers', 'Tern Logistics'].map((name, index) => ({
			id: `call-${index + 1}`,
			provider: 'open-registry',
			capability: 'company-profile',
			input: { name, for: prompt },
			creditsEstimate: 5,
		}));

	function turnOf(thread: Thread, { approve, decline }: Exchange, prompt: string): Turn {
		const { settings } = thread;
		const { enabled = false, toolkits, requireApproval = true, onTermsRequired, maxCalls = Infinity } = settings;
		const report = (paid: PaidCall[], more: Record<string, unknown> = {}): Turn => {
			const creditsUsed = paid.reduce((sum, { creditsEstimate }) => sum + creditsEstimate, 0);
			const told = {
				enabled,
				...(toolkits && { toolkits }),
				requireApproval,
				...(onTermsRequired && { onTermsRequired }),
			};
			return {
				fields: { exchange: { ...told, paidCalls: paid.length, creditsUsed }, ...more },
				credits: creditsUsed,
			};
		};
		const { pending } = thread;
		const named = (approve ?? decline)?.approvalId;
		if (named !== undefined && named !== pending?.id) throw new Refused(refusal(404, 'There is no such approval'));
		if (pending && decline) {
			thread.pending = undefined;
			return report([]);
		}
		if (pending && approve) {
			thread.pending = undefined;
			if (approve.always) thread.settings = { ...settings, requireApproval: false };
			const { callIds } = approve;
			return report(pending.calls.filter(({ id }) => !callIds || callIds.includes(id)));
		}
		const calls = callsOf(prompt).slice(0, maxCalls);
		// In extract mode nobody is asked, whatever the call says.
		if (!enabled || !requireApproval || settings.mode !== 'chat') return report(enabled ? calls : []);
		thread.pending = { id: newId(), calls };
		const resolution = 'Start a run in this thread with exchange.approve or exchange.decline';
		const pendingApproval = { ...thread.pending, reason: 'The run wants to pay for data', kind: 'calls', resolution };
		return report([], { data: null, pendingApproval });
	}

	return {
		/** The turn of a run in the thread, or in a new one; undefined where nobody asks for paid providers. */
		turn(
			{ threadId: given, exchange, mode, prompt }: AskedTurn,
			result: AnswerResult,
		): { threadId: string | undefined; result: AnswerResult } {
			const known = given === undefined ? undefined : threads.get(given);
			if (given !== undefined && !known) {
				throw new Refused(refusal(404, 'Agent thread not found', { code: 'thread_not_found' }));
			}
			if (!known && !exchange) return { threadId: undefined, result };
			const threadId = given ?? newId();
			const { approve, decline, ...settings } = exchange ?? {};
			const thread: Thread = { ...known, settings: { ...known?.settings, ...settings, ...(mode && { mode }) } };
			threads.set(threadId, thread);
			const { fields, credits } = turnOf(thread, { approve, decline }, prompt);
			const all = { ...result.fields, ...fields, threadId };
			return { threadId, result: { fields: all, credits: result.credits + credits } };
		},
		/** The latest run of a thread. */
		runOf: (threadId: string | undefined) => (threadId === undefined ? undefined : threads.get(threadId)?.runId),
		/** A run of the thread has begun. */
		runs(threadId: string | undefined, runId: string) {
			const thread = threadId === undefined ? undefined : threads.get(threadId);
			if (thread) thread.runId = runId;
		},
		clear: () => threads.clear(),
	};
}
