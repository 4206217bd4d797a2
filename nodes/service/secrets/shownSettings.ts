import { hideCredentials, isCredentialName } from './credentialText';

const HIDDEN = '***';

/**
 * The settings of a monitor or a job as they may be shown: of a webhook the host that it calls, and no more,
 * since whoever has its address and headers can call it too; of headers the harmless ones; of an address
 * neither user nor password. What anybody may know is left as it is.
 */
export function withoutSecretSettings(settings: unknown): unknown {
	if (typeof settings === 'string') return hideCredentials(settings);
	if (Array.isArray(settings)) return settings.map(withoutSecretSettings);
	if (typeof settings !== 'object' || settings === null) return settings;
	return Object.fromEntries(
		Object.entries(settings).map(([name, part]) => {
			if (name === 'webhook') return [name, shownWebhook(part)];
			if (name === 'headers') return [name, shownHeaders(part, isCredentialName)];
			return [name, withoutSecretSettings(part)];
		}),
	);
}

function shownWebhook(webhook: unknown): unknown {
	if (typeof webhook === 'string') return shownAddress(webhook);
	if (typeof webhook !== 'object' || webhook === null) return webhook;
	return Object.fromEntries(
		Object.entries(webhook).map(([name, part]: [string, unknown]) => {
			if (name === 'url' && typeof part === 'string') return [name, shownAddress(part)];
			if (name === 'headers') return [name, shownHeaders(part, () => true)];
			if (name === 'earlierWebhook') return [name, HIDDEN];
			return [name, name === 'metadata' ? shownWebhook(part) : withoutSecretSettings(part)];
		}),
	);
}

/** `https://n8n.example.com/***` */
function shownAddress(address: string): string {
	const [, scheme, host = ''] = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#@]*)/i.exec(address) ?? [];
	return scheme === undefined ? HIDDEN : `${scheme}${host}/${HIDDEN}`;
}

function shownHeaders(headers: unknown, isSecret: (name: string) => boolean): unknown {
	if (typeof headers !== 'object' || headers === null) return headers;
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [
			name,
			isSecret(name) ? HIDDEN : withoutSecretSettings(value),
		]),
	);
}
