import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { CallAnswer, ItemDraft } from '../../operation/operation';

/** Answers take 15 to 30 s, and the service gives itself 60 (operation support.ask). */
export const SUPPORT_TIMEOUT_MS = 90_000;

/** These answers have no envelope; the answer itself goes first. */
export function supportItems({ body, sent }: CallAnswer): ItemDraft[] | undefined {
	const { answer, ...rest } = body;
	if (typeof answer !== 'string') return undefined;
	return [{ json: { question: sent.question, answer, ...rest } as IDataObject }];
}

/** What is asked, in `rows` lines. */
export function questionField(
	rows: number,
	placeholder: string,
	description: string,
): INodeProperties {
	return {
		displayName: 'Question',
		name: 'question',
		type: 'string',
		typeOptions: { rows },
		default: '',
		required: true,
		placeholder,
		description,
		routing: { send: { type: 'body', property: 'question' } },
	};
}
