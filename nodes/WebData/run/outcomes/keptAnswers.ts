import type { JsonObject } from '../../../service/http/transport';

/** Most characters of answers that are kept for a node while its execution runs. */
const MAX_CHARACTERS = 5_000_000;

/** By what n8n holds for the node while the execution runs: they are freed together. */
const keptOf = new WeakMap<object, Texts>();

/** Texts by key, with an end to their length together. */
class Texts {
	private readonly texts = new Map<string, string>();

	private characters = 0;

	get(key: string): string | undefined {
		return this.texts.get(key);
	}

	/** Does nothing where there is no room for it. */
	set(key: string, text: string): void {
		this.delete(key);
		if (this.characters + text.length > MAX_CHARACTERS) return;
		this.texts.set(key, text);
		this.characters += text.length;
	}

	delete(key: string): void {
		this.characters -= this.texts.get(key)?.length ?? 0;
		this.texts.delete(key);
	}
}

/**
 * Answers that the service does not keep, for the tries of Retry On Fail, which share a process. Nothing of
 * it is stored: n8n's own Retry does not find them.
 */
export class KeptAnswers {
	private readonly texts: Texts;

	constructor(nodeContext: object) {
		this.texts = keptOf.get(nodeContext) ?? new Texts();
		keptOf.set(nodeContext, this.texts);
	}

	/** Does nothing where there is no room for it. */
	keep(key: string, answer: JsonObject): void {
		this.texts.set(key, JSON.stringify(answer));
	}

	/** A copy of the answer, since later nodes may change what is returned. */
	find(key: string): JsonObject | undefined {
		const text = this.texts.get(key);
		return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
	}

	forget(key: string): void {
		this.texts.delete(key);
	}
}
