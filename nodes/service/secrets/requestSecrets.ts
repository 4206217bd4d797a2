import { isCredentialName } from './credentialText';

/** More than a person sets; the bounds keep a request with thousands of addresses from being slow. */
const MAX_SECRETS = 200;
const DEEPEST = 8;

/** Most of a text that is looked at: no address or header is longer. */
const LONGEST = 20_000;

const WITH_USER = /\b[a-z][a-z0-9+.-]{0,20}:\/\/([^\s/?#"<>\\]{1,500})@/gi;

/**
 * What a request asks the service to keep to itself, however it may be repeated: the values of headers such
 * as Cookie and Authorization, all that a webhook is called with, user and password of an address.
 */
export function secretsOfRequest(body: unknown): string[] {
	const found = new Set<string>();
	collect(body, found, { isWebhook: false, depth: 0 });
	return [...found];
}

interface Place {
	isWebhook: boolean;
	depth: number;
}

function collect(value: unknown, found: Set<string>, place: Place): void {
	if (found.size >= MAX_SECRETS || place.depth > DEEPEST) return;
	if (typeof value === 'string') return addOfAddresses(value, found);
	if (typeof value !== 'object' || value === null) return;
	for (const [name, part] of Object.entries(value)) {
		const { isWebhook } = place;
		const within = { isWebhook: isWebhook || name === 'webhook', depth: place.depth + 1 };
		if (typeof part === 'string' && within.isWebhook && isAddress(part)) addWebhook(part, found);
		// A webhook that is kept within another one is JSON there.
		if (isWebhook && name === 'earlierWebhook') collect(parsed(part), found, within);
		if (name === 'headers') addHeaders(part, found, within.isWebhook);
		collect(part, found, within);
	}
}

function addHeaders(headers: unknown, found: Set<string>, isWebhook: boolean): void {
	if (typeof headers !== 'object' || headers === null) return;
	for (const [name, value] of Object.entries(headers)) {
		if (typeof value !== 'string') continue;
		if (!isWebhook && !isCredentialName(name)) continue;
		addCredential(value, found);
	}
}

/** The value of a header, and each part of it that is a secret by itself. */
function addCredential(value: string, found: Set<string>): void {
	found.add(value);
	const [, scheme = '', credential = ''] = /^(\w+)\s+(\S+)$/.exec(value.trim()) ?? [];
	if (credential !== '') found.add(credential);
	if (/^basic$/i.test(scheme)) addUser(Buffer.from(credential, 'base64').toString('utf8'), found);
	for (const pair of value.split(/;\s*/)) {
		const at = pair.indexOf('=');
		if (at > 0) found.add(pair.slice(at + 1));
	}
}

function addOfAddresses(text: string, found: Set<string>): void {
	if (!text.includes('@')) return;
	for (const [, user = ''] of text.slice(0, LONGEST).matchAll(WITH_USER)) {
		addUser(user, found);
		addUser(decoded(user), found);
	}
}

/** `user:password`, and the password by itself. */
function addUser(user: string, found: Set<string>): void {
	found.add(user);
	const at = user.indexOf(':');
	if (at >= 0) found.add(user.slice(at + 1));
}

/** All behind the host: whoever has it may call. */
function addWebhook(address: string, found: Set<string>): void {
	const [, host = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/i.exec(address) ?? [];
	if (host !== '' && rest.length > 1) found.add(rest);
	for (const [, value = ''] of rest.matchAll(/[?&][^=&#]*=([^&#]*)/g)) found.add(value);
}

function isAddress(text: string): boolean {
	return /^https?:\/\//i.test(text);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function parsed(value: unknown): unknown {
	try {
		return typeof value === 'string' ? JSON.parse(value) : undefined;
	} catch {
		return undefined;
	}
}
