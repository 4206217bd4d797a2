import { ServiceFailure } from '../../nodes/service/http/failure';

/** What the work throws, which must be a ServiceFailure: nothing else may leave nodes/service. */
export async function failureOf(work: () => unknown): Promise<ServiceFailure> {
	try {
		await work();
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw new Error(`Not a ServiceFailure: ${String(error)}`, { cause: error });
	}
	throw new Error('It should have thrown');
}

/** Whether a text can be shown as one line: no control characters, no half characters. */
export function isOneLine(text: string): boolean {
	return !/[\p{Cc}\u2028\u2029]/u.test(text) && !/\p{Surrogate}/u.test(text);
}
