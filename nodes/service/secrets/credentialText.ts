const HIDDEN = '***';

/** Names of headers and parameters whose value lets somebody in. */
const NAME = String.raw`(?:proxy-|x-)?[\w.-]*(?:auth|authorization|cookie|secret|token|api-?key|password|signature|sig)`;

/** Quotes as they are, as JSON within JSON writes them, and as a URL does. */
const QUOTE = String.raw`(?:\\*["']|%22)`;

/** What holds a credential, and what is left of it. Each is linear in the length of the text. */
const SHAPES: ReadonlyArray<[RegExp, string]> = [
	// https://user:password@host, up to the last @ of the host's part.
	[/(\b[a-z][a-z0-9+.-]{0,20}:\\?\/\\?\/)[^\s/?#"<>\\]{1,500}@/gi, `$1${HIDDEN}@`],
	[/(%3A%2F%2F)(?:(?!%2F|%3F|%23)[^\s/?#"'<>&]){1,500}%40/gi, `$1${HIDDEN}%40`],
	// "Cookie": "…", in JSON of any depth.
	[
		new RegExp(
			String.raw`(${QUOTE}${NAME}${QUOTE}\s*:\s*(\\*["']|%22))(?:(?!\2)[^]){1,4000}`,
			'gi',
		),
		`$1${HIDDEN}`,
	],
	// Cookie: name=value; name=value
	[
		/(\b(?:set-)?cookie\s*[:=]\s*)[^\s=;"'<>]{1,200}=[^\s;"'<>]*(?:;\s*[^\s=;"'<>]{1,200}=[^\s;"'<>]*)*/gi,
		`$1${HIDDEN}`,
	],
	// Authorization: Basic …
	[
		/(\bauthorization\s*[:=]\s*)(?:(?:basic|bearer|digest|token|negotiate)\s+)?[^\s"'<>,;]{3,}/gi,
		`$1${HIDDEN}`,
	],
	[/(\b(?:bearer|basic)\s+)(?=[^\s\d=]{0,200}[\d=])[\w.~+/=-]{8,}/gi, `$1${HIDDEN}`],
	// x-web-data-secret: …
	[/(\bx-[\w-]{0,60}(?:secret|token|key|signature)\s*[:=]\s*)[^\s"'<>,;]{3,}/gi, `$1${HIDDEN}`],
	// ?signature=…
	[
		new RegExp(
			String.raw`((?:[?&;]|\\u0026|%3F|%26)${NAME}(?:=|%3D))(?:(?!%26|%23|\\)[^\s&#"'<>]){1,2000}`,
			'gi',
		),
		`$1${HIDDEN}`,
	],
];

/**
 * The text without what lets somebody in, known by its shape alone: user and password in an address,
 * headers such as Cookie and Authorization, signatures and tokens in an address. For what is said about a
 * request, never for the content of a page.
 */
export function hideCredentials(text: string): string {
	if (!MAY_HOLD.test(text)) return text;
	return SHAPES.reduce((rest, [shape, left]) => rest.replace(shape, left), text);
}

/** Most texts hold nothing of the kind. */
const MAY_HOLD = /@|%40|auth|cookie|secret|token|key|password|sig|bearer|basic/i;

/** All texts of a JSON value with hideCredentials, however deep. */
export function hideCredentialsIn(value: unknown): unknown {
	if (typeof value === 'string') return hideCredentials(value);
	if (Array.isArray(value)) return value.map(hideCredentialsIn);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, part]) => [
			name,
			isCredentialName(name) && typeof part === 'string' && part !== ''
				? HIDDEN
				: hideCredentialsIn(part),
		]),
	);
}

const WHOLE_NAME = new RegExp(`^(?:set-)?${NAME}$`, 'i');

/** Whether a header or parameter of this name holds a credential. */
export function isCredentialName(name: string): boolean {
	return WHOLE_NAME.test(name);
}
