import { refusal } from './refusals.ts';
import type { Answer } from './answer.ts';

/**
 * The refusal for this Authorization header, or undefined when it may pass.
 * An empty list of keys means no authentication, as on a self-hosted server without a database.
 * Texts: recordings auth-01, auth-05 ("Bearer " arrives trimmed), auth-06, auth-07.
 */
export function refuseKey(
	header: string | undefined,
	acceptedKeys: ReadonlySet<string>,
): Answer | undefined {
	if (acceptedKeys.size === 0) return undefined;
	if (!header) return refusal(401, 'Unauthorized');
	const token = header.split(' ')[1];
	if (!token) return refusal(401, 'Unauthorized: Token missing');
	if (!acceptedKeys.has(token)) return refusal(401, 'Unauthorized: Invalid token');
	return undefined;
}
