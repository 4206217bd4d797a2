import type { IDataObject } from 'n8n-workflow';

import { isNestedDeeper, MAX_NESTING } from '../../../service/http/answerBody';
import { shorten } from '../../../service/http/shortText';
import type { JsonObject } from '../../../service/http/transport';
import type { CallAnswer, Explained } from '../../operation/operation';

const OUTPUTS = ['output', 'result', 'stdout', 'stderr', 'exitCode', 'truncated'];

/**
 * What code that ran well gave (shape browserExecution); undefined for an answer that is none of code.
 * What it printed or returned as JSON, a list or an object, is also there as `data`. `stdout` is left out where
 * it says the same as `result`, as the service does for code that only prints.
 */
export function codeOutput(body: JsonObject): IDataObject | undefined {
	const known = OUTPUTS.filter((name) => body[name] !== undefined && body[name] !== null);
	if (known.length === 0) return undefined;
	const data = parsed(body.result) ?? parsed(body.stdout);
	const told = known.filter((name) => name !== 'stdout' || body.stdout !== body.result);
	const output = Object.fromEntries(told.map((name) => [name, body[name]]));
	return { ...(data && { data }), ...output } as IDataObject;
}

/** A list or an object, or undefined: a text that happens to be a number is not meant as JSON. */
function parsed(text: unknown): object | undefined {
	if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		const isStorable = typeof value === 'object' && !isNestedDeeper(value, MAX_NESTING);
		return isStorable && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

const MAX_CHARACTERS = 300;

/**
 * Why code is no success although the service answers with HTTP 200: it failed, or it was ended when its
 * time was over (recordings browser-14, browser-15, interact-06, interact-11). `where` names the session,
 * `next` says what to do then.
 */
export function codeFailure(
	{ body, sent }: Pick<CallAnswer, 'body' | 'sent'>,
	where: string,
	next: string,
): Explained | undefined {
	const { success, stdout, stderr, result, exitCode, killed, error } = body;
	const isKilled = killed === true;
	const isFailed =
		isKilled || success === false || isText(error) || (isNumber(exitCode) && exitCode !== 0);
	if (!isFailed) return undefined;
	const what = isText(sent.prompt) ? 'The task' : 'The code';
	const said = [error, stderr].find(isText) ?? 'the service gives no reason';
	const why = shorten(String(said), MAX_CHARACTERS).replace(/[.\s]+$/, '');
	const title = isKilled ? `${what} ran into its time limit` : `${what} failed`;
	const after = isNumber(sent.timeout) ? ` after ${count(sent.timeout, 'second')}` : '';
	const exit = isNumber(exitCode) ? `exit code ${exitCode}, ` : '';
	return {
		title,
		message: isKilled
			? `${title}: it was ended${after}, ${where} (${why}). What it had done until then stays done. Raise Time Limit, or do less at once. ${next}`
			: `${title}: ${why} (${exit}${where}). ${next}`,
		details: { stdout, stderr, result, exitCode, killed: isKilled } as IDataObject,
	};
}

function count(amount: number, thing: string): string {
	return `${amount} ${thing}${amount === 1 ? '' : 's'}`;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number';
}
