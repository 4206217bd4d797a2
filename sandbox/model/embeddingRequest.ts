import { z } from 'zod';

import { firstIssue } from './firstIssue.ts';

/** As many texts as OpenAI takes in one request. */
const MAX_TEXTS = 2048;
const DEFAULT_DIMENSIONS = 256;
/** As many as OpenAI's largest model gives. */
const MAX_DIMENSIONS = 3072;

const text = z.string().min(1);

const embeddingRequest = z
	.object({
		model: z.string().min(1),
		input: z.union([text.transform((one) => [one]), z.array(text).min(1).max(MAX_TEXTS)]),
		dimensions: z.number().int().min(1).max(MAX_DIMENSIONS).nullish(),
		encoding_format: z.enum(['float', 'base64']).nullish(),
	})
	.passthrough()
	.transform(({ model, input, dimensions, encoding_format }) => ({
		model,
		texts: input,
		dimensions: dimensions ?? DEFAULT_DIMENSIONS,
		isBase64: encoding_format === 'base64',
	}));

/** A request to the embeddings route, in OpenAI's form. Lists of tokens are not taken, only texts. */
export type EmbeddingRequest = z.output<typeof embeddingRequest>;

/** Reads the body of an embeddings request, or says what is wrong with it. */
export function readEmbeddingRequest(
	body: unknown,
): { asked: EmbeddingRequest } | { wrong: string } {
	const read = embeddingRequest.safeParse(body);
	return read.success ? { asked: read.data } : { wrong: firstIssue(read.error) };
}
