import type { IDataObject } from 'n8n-workflow';

import type { CallAnswer, ItemDraft } from '../../operation/operation';

/** Answers take 15 to 30 s, and the service gives itself 60 (operation support.ask). */
export const SUPPORT_TIMEOUT_MS = 90_000;

/** These answers have no envelope; the answer itself goes first. */
export function supportItems({ body, sent }: CallAnswer): ItemDraft[] | undefined {
	const { answer, ...rest } = body;
	if (typeof answer !== 'string') return undefined;
	return [{ json: { question: sent.question, answer, ...rest } as IDataObject }];
}
