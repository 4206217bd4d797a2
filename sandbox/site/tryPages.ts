/** Pages of the sandbox's own site that misbehave in one way each, to try a workflow on. Nothing links to them. */
export const TRY_PATH = '/try/';

/** How the site answers for such a page. */
export interface TryAnswer {
	status: number;
	/** Undefined: the connection breaks instead. */
	body: string | undefined;
	/** How long the site takes, in milliseconds. */
	delayMs: number;
}

const SLOW_MS = 10_000;

const page = (title: string, text: string): string =>
	`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;

const EMPTY =
	'<!DOCTYPE html><html lang="en"><head><title></title></head><body><main></main></body></html>';

/**
 * What the page of this name answers; `visit` counts the visits to it, from 1. A name that is not known is
 * an ordinary page, so that refusals of the service (see `tryFaults`) have something behind them.
 */
export function tryPage(name: string, visit: number): TryAnswer {
	const answer = { status: 200, body: page(name, 'A page to try things on.'), delayMs: 0 };
	switch (name) {
		case 'changing':
			return { ...answer, body: page('A page that changes', `This is version ${visit}.`) };
		case 'slow':
			return { ...answer, body: page('A slow page', 'This took 10 seconds.'), delayMs: SLOW_MS };
		case 'empty':
			return { ...answer, body: EMPTY };
		case 'missing':
			return { ...answer, status: 404, body: page('Not found', 'There is no such page.') };
		case 'error':
			return { ...answer, status: 500, body: page('Error', 'The site has a problem.') };
		case 'broken':
			return { ...answer, body: undefined };
		default:
			return answer;
	}
}
