import type { JsonObject } from '../../../service/http/transport';

/** Most characters of answers that are kept for a node while its execution runs. */
const MAX_CHARACTERS = 5_000_000;

/** By what n8n holds for the node while the execution runs: they are freed together. */
const keptOf = new WeakMap<object, Map<string, string>>();

/**
 * Answers that the service does not keep, for the tries of Retry On Fail, which share a process. Nothing of
 * it is stored: n8n's own Retry does not find them.
 */
export class KeptAnswers {
	private readonly texts: Map<string, string>;

	constructor(nodeContext: object) {
		this.texts = keptOf.get(nodeContext) ?? new Map<string, string>();
		keptOf.set(nodeContext, this.texts);
	}

	/** Does nothing where there is no room for it. */
	keep(key: string, answer: JsonObject): void {
		const text = JSON.stringify(answer);
		this.texts.delete(key);
		const others = [...this.texts.values()].reduce((sum, { length }) => sum + length, 0);
		if (others + text.length <= MAX_CHARACTERS) this.texts.set(key, text);
	}

	/** A copy of the answer, since later nodes may change what is put out. */
	find(key: string): JsonObject | undefined {
		const text = this.texts.get(key);
		return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
	}

	forget(key: string): void {
		this.texts.delete(key);
	}
}
