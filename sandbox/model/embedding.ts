import { z } from 'zod/v4';
import { createHash } from 'node:crypto';
import { firstIssue } from './chatRequest.ts';
import { termsOf } from '../text/rankSentences.ts';

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
export function readEmbeddingRequest(body: unknown): { asked: EmbeddingRequest } | { wrong: string } {
	const read = embeddingRequest.safeParse(body);
	return read.success ? { asked: read.data } : { wrong: firstIssue(read.error) };
}

/** Where a word counts, and whether it adds or subtracts: words that meet by chance then cancel out on average. */
function placeOf(word: string, dimensions: number): { index: number; sign: 1 | -1 } {
	const digest = createHash('sha256').update(word).digest();
	return {
		index: digest.readUInt32BE(0) % dimensions,
		sign: digest.readUInt8(4) % 2 === 0 ? 1 : -1,
	};
}

/**
 * A vector of length 1 for a text: its words, hashed to places. The same text always has the same vector, and texts
 * that share words are near each other. It knows nothing about meaning. A word that comes often counts less each time.
 */
export function embeddingOf(text: string, dimensions: number): number[] {
	const counts = new Map<string, number>();
	// A text of nothing but common words still needs a direction: a vector store divides by the length.
	const terms = termsOf(text);
	for (const word of terms.length > 0 ? terms : [text.trim()]) counts.set(word, (counts.get(word) ?? 0) + 1);
	const vector = new Array<number>(dimensions).fill(0);
	for (const [word, count] of counts) {
		const { index, sign } = placeOf(word, dimensions);
		vector[index] = (vector[index] ?? 0) + sign * Math.sqrt(count);
	}
	const length = Math.hypot(...vector);
	if (length > 0) return vector.map((value) => value / length);
	// Two words that cancel out exactly.
	return vector.map((_, index) => (index === 0 ? 1 : 0));
}

/** A vector as OpenAI encodes it: 32-bit floats, little-endian, in base64. */
export function asBase64(vector: readonly number[]): string {
	const bytes = Buffer.alloc(vector.length * 4);
	vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
	return bytes.toString('base64');
}
