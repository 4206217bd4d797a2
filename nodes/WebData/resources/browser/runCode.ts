import { additionalFields } from '../../fields/basic/additionalFields';
import { optionList } from '../../fields/basic/optionList';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { codeFields, codeTimeoutMs, language, timeLimit } from './code';
import { codeFailure, codeOutput } from './codeRun';
import { sessionRefusal, unclearRun } from './refusals';
import { sessionId } from './session';

const STILL_OPEN = 'The session is still open, and costs until Close Session or its Idle Limit.';

function toItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	const output = codeOutput(body);
	return output && [{ json: { sessionId: String(values.sessionId), ...output } }];
}

export const runCode: CallOperation = {
	kind: 'call',
	value: 'runCode',
	name: 'Run Code',
	action: 'Run code in browser session',
	description: 'Run JavaScript, Python or Bash in an open session',
	request: {
		method: 'POST',
		path: '/v2/interact/{sessionId}/execute',
		bucket: 'interactExecute',
	},
	toItems,
	failureIn: (answer) =>
		codeFailure(answer, `in session ${String(answer.values.sessionId)}`, STILL_OPEN),
	explain: (failure, values) =>
		sessionRefusal(failure, String(values.sessionId)) ?? unclearRun(failure, STILL_OPEN),
	timeoutMs: codeTimeoutMs,
	fields: [sessionId, language, ...codeFields(), timeLimit, optionList(additionalFields)],
};
