import { withKey } from '../../control/echoedKey.ts';
import { applyFault } from '../../control/faultyAnswer.ts';
import { refuseKey } from '../../http/authorization.ts';
import { chatError, tokensOf } from '../../model/chatAnswer.ts';
import { readModelName } from '../../model/modelFault.ts';
import type { Phase } from '../../control/faultBook.ts';
import type { Fault } from '../../control/faultRule.ts';
import type { Delivery } from '../../control/faultyAnswer.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/jsonBody.ts';
import type { ModelFault, NamedModel } from '../../model/modelFault.ts';
import type { Service } from '../../service/service.ts';

/** A kind of call: how it is read, and what answers it. */
export interface ModelCall<Asked extends { model: string }> {
	read: (body: unknown) => { asked: Asked } | { wrong: string };
	/** All text that is sent: it is counted, and fault rules look for words in it. */
	textOf: (asked: Asked) => string;
	answer: (asked: Asked, faults: ReadonlySet<ModelFault>) => Answer;
}

/** The refusals of a model's server, in the order in which OpenAI's gives them. */
function refuse(
	faults: ReadonlySet<ModelFault>,
	model: NamedModel,
	tokens: number,
): Answer | undefined {
	if (faults.has('serverError'))
		return chatError(500, 'The server had an error while processing your request.', null);
	if (faults.has('rateLimit')) {
		const text = 'Rate limit reached for requests. Please try again in 1s.';
		return chatError(429, text, 'rate_limit_exceeded', { 'retry-after': '1' });
	}
	if (!faults.has('contextTooLong') && tokens <= model.contextTokens) return undefined;
	const most = Math.min(model.contextTokens, tokens - 1);
	return chatError(
		400,
		`This model's maximum context length is ${most} tokens. However, your messages resulted in ${tokens} tokens.`,
		'context_length_exceeded',
	);
}

/** Answers a call of a model, or does what a fault rule or the name of the model says. */
export async function answerModelCall<Asked extends { model: string }>(
	service: Service,
	authorization: string | undefined,
	body: ReadBody,
	call: ModelCall<Asked>,
): Promise<Delivery> {
	const plain = (answer: Answer): Delivery => ({ how: 'answer', answer });
	const unauthorized = refuseKey(authorization, service.options);
	if (unauthorized) return plain(chatError(401, 'Incorrect API key provided.', 'invalid_api_key'));
	const read = body.malformed ? { wrong: 'The body is not JSON.' } : call.read(body.value);
	if ('wrong' in read) return plain(chatError(400, read.wrong, null));
	const { asked } = read;
	const model = readModelName(asked.model);
	if (!model) {
		const text = `The model '${asked.model}' does not exist.`;
		return plain(chatError(404, text, 'model_not_found'));
	}
	const sent = call.textOf(asked);
	const strike = (phase: Phase): Fault | undefined => {
		const fault = service.faults.strike('model', sent, phase);
		if (!fault) return undefined;
		service.statistics.countFault(fault.kind);
		return withKey(fault, authorization);
	};
	const before = strike('before');
	if (before?.kind === 'slow') await service.waits.pause(before.ms);
	else if (before) return applyFault(before, undefined);
	if (model.slowMs > 0) await service.waits.pause(model.slowMs / service.options.speed);
	const struck = strike('model');
	const faults = new Set(model.faults);
	if (struck?.kind === 'model') faults.add(struck.fault);
	const answer = refuse(faults, model, tokensOf(sent)) ?? call.answer(asked, faults);
	const after = answer.status < 300 ? strike('after') : undefined;
	return after ? applyFault(after, answer) : plain(answer);
}
