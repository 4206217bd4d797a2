import type { NodeExecutionHint } from 'n8n-workflow';
import { withoutUsers } from '../service/secrets';

/** What an "&" begins that browsers read as another sign: also some names without their semicolon, as in "&region=1". */
const BEGINS_ENTITY =
	/&(?=#|\w{1,31};|amp|lt|gt|quot|nbsp|iexcl|cent|pound|curren|yen|brvbar|sect|uml|copy|ord[fm]|laquo|not|shy|reg|macr|deg|plusmn|sup[123]|acute|micro|para|middot|cedil|raquo|frac[13]|iquest|times|divide|thorn|eth|szlig|(?:[aeiou]|ae|[cnoy])(?:grave|acute|circ|tilde|uml|ring|elig|cedil|slash|lig))/gi;

/**
 * A text as it can stand between the tags of HTML, and as much as it was as can be: a message may be sent on, to where
 * nobody reads HTML, so quotes and the "&" of addresses stay.
 */
export function escapeHtml(text: string): string {
	return text.replace(BEGINS_ENTITY, '&#38;').replace(/[<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * A hint under the output: the one place where it is made. n8n renders hints as HTML, and they name what pages, servers
 * and files say: what could begin a tag is escaped. It shows no password of the addresses that it names.
 */
export function hint(message: string, type: NodeExecutionHint['type'] = 'info'): NodeExecutionHint {
	return { message: escapeHtml(withoutUsers(message)), type, location: 'outputPane' };
}

/** Most things that a sentence names; of ids, n8n's log has them all. */
export const MAX_NAMED = 20;

/** `a, b and 3 more` */
export function named(all: ReadonlyArray<string | number>): string {
	return withMore(all.slice(0, MAX_NAMED), all.length - MAX_NAMED);
}

/** The first of some things, and how many more there are: `a, b and 3 more`, `a; b; and 3 more`. */
export function withMore(first: ReadonlyArray<string | number>, more: number, between = ', '): string {
	const last = between.startsWith(';') ? '; and' : ' and';
	return first.join(between) + (more > 0 ? `${last} ${more} more` : '');
}
