/**
 * `stopped`: the execution was stopped. `model`: the model cannot be used, or did not answer after all
 * retries. `question`: the question cannot be worked on as it is.
 */
export type ResearchFailureKind = 'stopped' | 'model' | 'question';

/**
 * Why there is no result. Failures of the service come out as they are thrown by `search` and `scrape`;
 * this is everything else. Holds no text of the model's client, which may name the key or the prompt.
 */
export class ResearchFailure extends Error {
	constructor(
		readonly kind: ResearchFailureKind,
		/** One sentence that says what to do. */
		message: string,
		/** HTTP status of the model's answer, where there was one. */
		readonly httpCode?: number,
	) {
		super(message);
		this.name = 'ResearchFailure';
	}
}

/** The word "canceled" is how n8n's engine tells a stopped execution from a failed one. */
export function researchStopped(): ResearchFailure {
	return new ResearchFailure('stopped', 'The execution was canceled.');
}
