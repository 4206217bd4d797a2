import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v4';

const recordings = z.array(
	z.object({
		name: z.string(),
		request: z.object({
			method: z.string(),
			path: z.string(),
			authorization: z
				.string()
				.nullish()
				.transform((text) => text ?? null),
			body: z.unknown(),
			/** The parts of a form; of a file only its length. */
			multipart: z
				.array(
					z.object({
						name: z.string(),
						filename: z.string().optional(),
						contentType: z.string().nullish(),
						value: z.string().optional(),
					}),
				)
				.optional(),
		}),
		response: z.object({
			status: z.number(),
			headers: z.record(z.string(), z.string()),
			body: z.unknown(),
		}),
	}),
);

/** A request and the answer of a real server to it. */
export type Recording = z.output<typeof recordings>[number];

/** The recordings of one file in test/fixtures/recorded. */
export function recorded(file: string): Recording[] {
	const path = join(import.meta.dirname, '..', 'fixtures', 'recorded', `${file}.json`);
	return recordings.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** One of them. Throws for a name that is not there. */
export function recording(file: string, name: string): Recording {
	const found = recorded(file).find((one) => one.name === name);
	if (!found) throw new Error(`There is no recording ${name} in ${file}`);
	return found;
}
