import { refusal } from './refusals.ts';
import type { Answer } from './answer.ts';

/** What a server of 2026 adds to a 401 (recording auth26-01). */
const CHALLENGE =
	'Bearer resource_metadata="https://www.firecrawl.dev/.well-known/oauth-protected-resource"';

/**
 * The refusal for this Authorization header, or undefined when it may pass.
 * An empty list of keys means no authentication, as on a self-hosted server without a database.
 * Texts: recordings auth-01, auth-05 ("Bearer " arrives trimmed), auth-06, auth-07.
 */
export function refuseKey(
	header: string | undefined,
	{ keys, generation }: { keys: ReadonlySet<string>; generation: 2025 | 2026 },
): Answer | undefined {
	if (keys.size === 0) return undefined;
	const refuse = (text: string): Answer => ({
		...refusal(401, text),
		...(generation === 2026 && { headers: { 'www-authenticate': CHALLENGE } }),
	});
	if (!header) return refuse('Unauthorized');
	const token = header.split(' ')[1];
	if (!token) return refuse('Unauthorized: Token missing');
	return keys.has(token) ? undefined : refuse('Unauthorized: Invalid token');
}
