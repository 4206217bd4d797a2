import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { ResearchFailure } from '../research/contract/failure';
import type { ModelAnswer, ModelRequest } from '../research/contract/parts';
import { isJsonObject } from '../service/http/answer';
import { wellFormed } from '../service/http/answerBody';

/** What is used of a chat model of n8n: it is LangChain's, which takes plain messages. */
interface ChatModel {
	invoke(
		messages: ReadonlyArray<{ role: 'system' | 'user'; content: string }>,
		options: { signal: AbortSignal },
	): Promise<unknown>;
}

/** Calls the model of a role once. Throws what the model's client throws. */
export type AskModel = (request: ModelRequest) => Promise<ModelAnswer>;

function isChatModel(value: unknown): value is ChatModel {
	return isJsonObject(value) && typeof value.invoke === 'function';
}

/**
 * The models that are connected to the node (docs/n8n-internals.md#chat-models). With one, that plans, writes and
 * reads.
 * Throws a ResearchFailure where there is none, and what n8n throws for a model that is not set up.
 */
export async function connectedModels(ctx: IExecuteFunctions, item: number): Promise<AskModel> {
	const given: unknown = await ctx.getInputConnectionData(
		NodeConnectionTypes.AiLanguageModel,
		item,
	);
	const models = [given].flat().filter(isChatModel);
	const main = models.at(-1);
	const reading = models[0];
	if (!main || !reading) {
		throw new ResearchFailure('model', 'No chat model is connected: connect one to Chat Model.');
	}
	return async ({ role, system, user, signal }) => {
		const model = role === 'reading' ? reading : main;
		const messages = [
			// A cut of a page may end with half a character, which strict servers refuse.
			{ role: 'system', content: wellFormed(system) },
			{ role: 'user', content: wellFormed(user) },
		] as const;
		return readAnswer(await model.invoke(messages, { signal }));
	};
}

/** The answer as far as it is one; the content is whatever the model gave. */
function readAnswer(answer: unknown): ModelAnswer {
	if (!isJsonObject(answer)) return { content: answer };
	const usage = isJsonObject(answer.usage_metadata) ? answer.usage_metadata : {};
	return {
		content: answer.content,
		inputTokens: tokensIn(usage.input_tokens),
		outputTokens: tokensIn(usage.output_tokens),
	};
}

/** A model that counts nothing says 0. */
function tokensIn(value: unknown): number | undefined {
	return typeof value === 'number' && value > 0 ? value : undefined;
}
