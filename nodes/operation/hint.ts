import type { NodeExecutionHint } from 'n8n-workflow';
import { withoutUsers } from '../service/secrets';

/** A text as it can stand between the tags of HTML. Quotes stay: a message may be sent on, to where nobody reads HTML. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
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
