const HIDDEN = '***';

/** A shorter key is no secret, and taking it out of results would leave holes in ordinary text. */
const SHORTEST_IN_ANSWERS = 8;

/** A shorter part of a request is hidden as part of the whole only; up to WHOLE_WORD as a word by itself. */
const SHORTEST_GIVEN = 3;
const WHOLE_WORD = 8;

/** More than a run has; the first stay. */
const MAX_GIVEN = 1000;

/**
 * The key as it is sent and as it is hidden: without what nobody sees in it and what a header cannot hold, which come
 * along when it is copied from a web page, and without the `Bearer` of a copied header. Empty for anything but a text.
 */
export function normalizeKey(apiKey: unknown): string {
	if (typeof apiKey !== 'string') return '';
	return apiKey.replace(/^\s*Bearer\s+/i, '').replace(/[^\x21-\x7e]/g, '');
}

/** Under these names a good answer says something about the request. Elsewhere it is what was asked for. */
const SAYING = new Set([
	...['error', 'errors', 'errorMessage', 'error_message', 'warning', 'warnings', 'reason', 'message'],
	...['detail', 'details', 'note', 'notes'],
]);
const CONTENT = new Set(['json', 'extract', 'llm_extraction', 'diff', 'snapshot']);
const DEEPEST_SAYING = 12;

/**
 * Takes the secrets out of what a service says. It knows the key, and may repeat it anywhere: in the
 * reason of a failed job, in a state, an id, a page. All answers pass here whole, before they are read, cut
 * or stored (sendRequest), so that nothing behind it has to think of it. What requests hold of secrets, such
 * as a Cookie header, is taken out of all that is said about them, but not out of the content of pages.
 */
export class Secrets {
	private readonly key: string;

	/** The secrets that the requests of this run hold, in all spellings, the longest first. */
	private given: Spelling[] = [];

	private readonly known = new Set<string>();

	private readonly spellings: string[];

	/** JSON writes the key in another way than it is, in which a search of raw text does not find it. */
	private readonly isQuoted: boolean;

	/** An empty key: there is nothing to hide. */
	constructor(key: string) {
		this.key = normalizeKey(key);
		const typed = key.trim();
		const ways = this.key.length < SHORTEST_IN_ANSWERS ? [] : [...spellingsOf(this.key), ...partsOfKey(this.key)];
		// As it was typed, too: what nobody sees in it may come back.
		const all = ways.length > 0 && typed !== this.key ? [...ways, ...spellingsOf(typed)] : ways;
		this.spellings = longestFirst(all);
		this.isQuoted = quoted(this.key) !== this.key || this.key.includes('/');
	}

	/** Learns what must not be repeated of a request that is to be sent. */
	learn(body: unknown): void {
		const held = secretsOfRequest(body);
		if (held.length === 0) return;
		const found = held.filter((secret) => secret.trim().length >= SHORTEST_GIVEN && !this.known.has(secret));
		const added = found.slice(0, MAX_GIVEN - this.known.size);
		if (added.length === 0) return;
		for (const secret of added) this.known.add(secret);
		this.given = [...this.given, ...added.flatMap(givenSpellings)].sort(
			(left, right) => right.text.length - left.text.length,
		);
	}

	/** For our own sentences, in which a key of any length is out of place. */
	inMessage(text: string): string {
		const shown = this.key === '' ? text : this.inText(text.replaceAll(this.key, HIDDEN));
		return withoutUsers(this.given.reduce((left, { hide }) => hide(left), shown));
	}

	/** A JSON value that says something about a request, such as a refusal, with all secrets hidden. */
	inSaid(value: unknown): unknown {
		if (typeof value === 'string') return this.inMessage(value);
		if (Array.isArray(value)) return value.map((part) => this.inSaid(part));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, part]) => [this.inMessage(name), this.inSaid(part)]));
	}

	/**
	 * A result with the secrets hidden in what is said beside it: errors and warnings. Most answers say nothing there,
	 * and copying them costs more than reading them: what has nothing to hide is the same object.
	 */
	inResult(value: unknown, depth = 0): unknown {
		if (depth > DEEPEST_SAYING || typeof value !== 'object' || value === null) return value;
		if (Array.isArray(value)) {
			if (typeof value[0] === 'string') return value;
			const shown = value.map((part) => this.inResult(part, depth + 1));
			return shown.some((part, index) => part !== value[index]) ? shown : value;
		}
		const parts = Object.entries(value);
		let isChanged = false;
		for (const entry of parts) {
			const shown = this.partOfResult(entry, depth + 1);
			if (shown === entry[1]) continue;
			entry[1] = shown;
			isChanged = true;
		}
		return isChanged ? Object.fromEntries(parts) : value;
	}

	private partOfResult([name, part]: [string, unknown], depth: number): unknown {
		if (typeof part !== 'string' && (typeof part !== 'object' || part === null)) return part;
		if (CONTENT.has(name)) return part;
		return SAYING.has(name) ? this.inSaid(part) : this.inResult(part, depth);
	}

	/** The text with every spelling of the key hidden. */
	inText(text: string): string {
		return this.spellings.reduce((rest, spelling) => rest.replaceAll(spelling, HIDDEN), text);
	}

	/** Whether the raw text of an answer may hold the key, also where its JSON is written in escapes. */
	mayBeIn(text: string): boolean {
		// Escapes for what needs none: nobody looks for those, so the texts are looked at one by one.
		return this.isQuoted || /\\u00[2-7]/.test(text) || this.spellings.some((spelling) => text.includes(spelling));
	}

	/** Headers of an answer with the key hidden. */
	inHeaders(headers: Record<string, unknown>): Record<string, unknown> {
		if (!this.mayBeIn(Object.values(headers).join('\n'))) return headers;
		const shown = Object.entries(headers).map(([name, value]) => [name, this.inJson(value)]);
		return Object.fromEntries(shown);
	}

	/** A JSON value with the key hidden in all of its texts and names. At most as deep as MAX_NESTING. */
	inJson(value: unknown): unknown {
		if (typeof value === 'string') return this.inText(value);
		if (Array.isArray(value)) return value.map((part) => this.inJson(part));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, part]) => [this.inText(name), this.inJson(part)]));
	}
}

/**
 * The spellings that a key may have in a text: as it is, encoded for an address, as JSON within JSON, and in base64,
 * whose letters depend on where in a text it begins (a Basic header with the key as its password).
 */
function spellingsOf(key: string): string[] {
	const encoded = encodeURIComponent(wellFormed(key));
	const base64 = [0, 1, 2].flatMap((offset) => base64At(key, offset));
	const form = encoded.replaceAll('%20', '+');
	const entities = ENTITIES.map((entity) => key.replace(/[&<>"']/g, entity));
	const all = [key, encoded, encoded.toLowerCase(), form, quoted(key), inAscii(quoted(key)), ...entities, ...base64];
	return longestFirst(all);
}

/** So that none leaves the rest of another behind. */
function longestFirst(texts: string[]): string[] {
	return [...new Set(texts)].sort((left, right) => right.length - left.length);
}

/** The parts that are as good as a key: without its prefix, with and without the dashes of a UUID. */
function partsOfKey(key: string): string[] {
	const bare = key.replace(/^fc-/i, '');
	const hex = bare.replaceAll('-', '');
	if (bare.length < 2 * SHORTEST_IN_ANSWERS) return [];
	if (!/^[\da-f]{32}$/i.test(hex)) return [bare];
	const [one, two, three, four, five] = [
		hex.slice(0, 8),
		hex.slice(8, 12),
		hex.slice(12, 16),
		hex.slice(16, 20),
		hex.slice(20),
	];
	return [bare, hex, `${one}-${two}-${three}-${four}-${five}`];
}

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The spellings of a key's signs in HTML: by name, in decimals, in hexadecimals. */
const ENTITIES: Array<(sign: string) => string> = [
	(sign) => NAMED[sign] ?? sign,
	(sign) => `&#${sign.charCodeAt(0)};`,
	(sign) => `&#x${sign.charCodeAt(0).toString(16)};`,
];

/** As servers write JSON that escape all but ASCII: `\\u00e9`. */
function inAscii(text: string): string {
	return text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The letters of base64 that depend on the key alone when so many bytes stand before it. */
function base64At(key: string, offset: number): string[] {
	const bytes = Buffer.from(`${'\0'.repeat(offset)}${key}`);
	const first = Math.ceil((offset * 8) / 6);
	const last = Math.floor((bytes.length * 8) / 6);
	const letters = bytes.toString('base64').slice(first, last);
	return [letters, letters.replaceAll('+', '-').replaceAll('/', '_')];
}

/** One way to write a secret, and how it is hidden. */
interface Spelling {
	text: string;
	hide(text: string): string;
}

/** A short one is hidden where it stands by itself: it may be part of any word. */
function givenSpellings(secret: string): Spelling[] {
	const own = secret.trim();
	const ways = own.length < WHOLE_WORD ? [own, encodeURIComponent(wellFormed(own))] : spellingsOf(own);
	return [...new Set([...ways, ...ways.map(quoted)])].map((text) => {
		if (text.length >= WHOLE_WORD) return { text, hide: (from) => from.replaceAll(text, HIDDEN) };
		const pattern = text.replace(/[^]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
		const word = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'gu');
		return { text, hide: (from) => from.replace(word, HIDDEN) };
	});
}

function wellFormed(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function quoted(key: string): string {
	return JSON.stringify(key).slice(1, -1);
}

/** More than a person sets; the bounds keep a request with thousands of addresses from being slow. */
const MAX_SECRETS = 200;
const DEEPEST = 8;

/** Most of a text that is looked at: no address or header is longer. */
const LONGEST = 20_000;

const WITH_USER = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#"<>\\]{1,500})@/gi;

/**
 * The secrets that a request hands to the service, however it may be repeated: the values of headers such as Cookie
 * and Authorization, all that a webhook is called with, user and password of an address.
 */
function secretsOfRequest(body: unknown): string[] {
	const found = new Set<string>();
	collect(body, found, { isWebhook: false, depth: 0 });
	return [...found];
}

interface SearchDepth {
	isWebhook: boolean;
	depth: number;
}

function collect(value: unknown, found: Set<string>, place: SearchDepth): void {
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
		if (name === 'actions') addTyped(part, found);
		collect(part, found, within);
	}
}

function addHeaders(headers: unknown, found: Set<string>, isWebhook: boolean): void {
	if (typeof headers !== 'object' || headers === null) return;
	for (const [name, value] of Object.entries(headers)) {
		if (typeof value !== 'string') continue;
		if (!isWebhook && isHarmlessHeader(name)) continue;
		addCredential(value, found);
	}
}

/** The texts that actions type into a page, as into the form of a login. */
function addTyped(actions: unknown, found: Set<string>): void {
	for (const action of Array.isArray(actions) ? (actions as unknown[]) : []) {
		if (typeof action !== 'object' || action === null) continue;
		const { type, text } = action as { type?: unknown; text?: unknown };
		if (type === 'write' && typeof text === 'string') found.add(text);
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
	for (const [, , user = ''] of text.slice(0, LONGEST).matchAll(WITH_USER)) {
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
	const [host] = /^https?:\/\/[^/?#]*/i.exec(address) ?? [];
	if (host === undefined) return;
	const rest = address.slice(host.length);
	if (rest.length > 1) found.add(rest);
	for (const parameter of rest.split(/[?&#]/).slice(1)) {
		const at = parameter.indexOf('=');
		if (at >= 0) found.add(parameter.slice(at + 1));
	}
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

/** Names of headers and parameters whose value lets somebody in. */
const NAME = String.raw`(?:proxy-|x-)?[\w.-]*(?:auth|authorization|cookie|secret|token|api-?key|password|signature|sig)`;

/** The text without user and password of the addresses in it. */
export function withoutUsers(text: string): string {
	return text.includes('@') ? text.replace(WITH_USER, `$1${HIDDEN}@`) : text;
}

const WHOLE_NAME = new RegExp(`^(?:set-)?${NAME}$`, 'i');

/** Whether a header or parameter of this name holds a credential. */
export function isCredentialName(name: string): boolean {
	return WHOLE_NAME.test(name);
}

/**
 * Headers whose values hold no secret. The value of any other header is hidden: services name their secret headers as
 * they like, so a list of dangerous names would miss most.
 */
const HARMLESS_HEADERS = new Set([
	...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'content-type'],
	...['dnt', 'origin', 'pragma', 'priority', 'referer', 'upgrade-insecure-requests', 'user-agent', 'x-requested-with'],
	...['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site'],
]);

/** Whether the value of a header may be shown. */
export function isHarmlessHeader(name: string): boolean {
	return HARMLESS_HEADERS.has(name.trim().toLowerCase());
}

/**
 * The settings of a monitor or a job as they may be shown: of a webhook the host that it calls, and no more,
 * since whoever has its address and headers can call it too; of headers the harmless ones; of an address
 * neither user and password nor parameters that let somebody in; nothing that actions type or run. What anybody may
 * know is left as it is.
 */
export function withoutSecretSettings(settings: unknown): unknown {
	if (typeof settings === 'string') return withoutCredentials(settings);
	if (Array.isArray(settings)) return settings.map(withoutSecretSettings);
	if (typeof settings !== 'object' || settings === null) return settings;
	return Object.fromEntries(Object.entries(settings).map(([name, part]) => [name, shownSetting(name, part)]));
}

/** The texts that are typed into a page, or run in it: a password, or a script that has one. */
const TYPED = new Set(['text', 'script', 'code', 'value']);

function shownSetting(name: string, part: unknown): unknown {
	if (/^webhooks?(?:_?urls?)?$|^slack$/i.test(name)) return shownWebhook(part);
	if (name === 'headers') return shownHeaders(part, (header) => !isHarmlessHeader(header));
	if (name === 'actions' && Array.isArray(part)) return part.map(shownAction);
	return typeof part === 'string' && part !== '' && isCredentialName(name) ? HIDDEN : withoutSecretSettings(part);
}

function shownAction(action: unknown): unknown {
	if (typeof action !== 'object' || action === null) return withoutSecretSettings(action);
	return Object.fromEntries(
		Object.entries(action).map(([name, part]: [string, unknown]) => [
			name,
			TYPED.has(name) && typeof part === 'string' ? HIDDEN : withoutSecretSettings(part),
		]),
	);
}

/** An address without user, password and the values of parameters that let somebody in. */
function withoutCredentials(text: string): string {
	const plain = withoutUsers(text);
	if (!isAddress(plain) || !plain.includes('=')) return plain;
	const at = plain.search(/[?#]/);
	if (at < 0) return plain;
	const shown = plain
		.slice(at)
		.split(/(?=[?&#])/)
		.map((parameter) => {
			const end = parameter.indexOf('=');
			const isSecret = end > 0 && isCredentialName(parameter.slice(1, end));
			return isSecret ? `${parameter.slice(0, end)}=${HIDDEN}` : parameter;
		});
	return `${plain.slice(0, at)}${shown.join('')}`;
}

function shownWebhook(webhook: unknown): unknown {
	if (typeof webhook === 'string') return shownAddress(webhook);
	if (Array.isArray(webhook)) return webhook.map(shownWebhook);
	if (typeof webhook !== 'object' || webhook === null) return webhook;
	return Object.fromEntries(
		Object.entries(webhook).map(([name, part]: [string, unknown]) => {
			if (typeof part === 'string' && isAddress(part)) return [name, shownAddress(part)];
			if (typeof part === 'string' && part !== '' && isCredentialName(name)) return [name, HIDDEN];
			if (name === 'headers') return [name, shownHeaders(part, () => true)];
			if (name === 'earlierWebhook') return [name, HIDDEN];
			return [name, name === 'metadata' ? shownWebhook(part) : withoutSecretSettings(part)];
		}),
	);
}

/** The part of an address that somebody may call which is shown: `https://n8n.example.com/***` */
export function shownAddress(address: string): string {
	const [, scheme, host = ''] = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#@]*)/i.exec(address) ?? [];
	return scheme === undefined ? HIDDEN : `${scheme}${host}/${HIDDEN}`;
}

function shownHeaders(headers: unknown, isSecret: (name: string) => boolean): unknown {
	if (typeof headers !== 'object' || headers === null) return headers;
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? HIDDEN : withoutSecretSettings(value)]),
	);
}
