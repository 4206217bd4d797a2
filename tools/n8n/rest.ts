/** One call of n8n's own REST interface, the one its editor uses. */
export interface Call {
	method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	body?: unknown;
	query?: Record<string, string>;
	timeoutMs?: number;
}

/** A file as n8n served it. */
interface ServedFile {
	status: number;
	/** The Content-Type header; empty when there was none. */
	type: string;
	text: string;
}

/** n8n answered with something else than success. */
export class RestError extends Error {
	override readonly name = 'RestError';
	readonly status: number;

	constructor(call: string, status: number, body: string) {
		super(`${call} answered ${status}: ${body.slice(0, 500)}`);
		this.status = status;
	}
}

/** A session with n8n's REST interface: keeps the login cookie that n8n gives. */
export class RestSession {
	readonly baseUrl: string;
	/** Every answer's text, in order: a test can look for what must not be in any of them. */
	readonly transcript: string[];
	#cookie: string | undefined;

	/** @param transcript a list to go on with, e.g. that of the session before a restart */
	constructor(baseUrl: string, transcript: string[] = []) {
		this.baseUrl = baseUrl;
		this.transcript = transcript;
	}

	/**
	 * Calls `/rest<path>`.
	 *
	 * @returns what n8n answered, without its `data` envelope
	 * @throws RestError for an answer that is not a success
	 */
	async call(path: string, { method = 'GET', body, query, timeoutMs = 60_000 }: Call = {}): Promise<unknown> {
		const url = new URL(`/rest${path}`, this.baseUrl);
		for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
		const response = await fetch(url, {
			method,
			headers: {
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			signal: AbortSignal.timeout(timeoutMs),
		});
		const text = await response.text();
		this.transcript.push(text);
		if (!response.ok) throw new RestError(`${method} ${url.pathname}`, response.status, text);
		for (const cookie of response.headers.getSetCookie()) {
			if (cookie.startsWith('n8n-auth=')) this.#cookie = cookie.split(';')[0];
		}
		const answer: unknown = text === '' ? undefined : JSON.parse(text);
		return typeof answer === 'object' && answer !== null && 'data' in answer && !('results' in answer)
			? answer.data
			: answer;
	}

	/** Fetches something that n8n serves outside its REST interface: an icon, the list of node types. */
	async file(path: string): Promise<ServedFile> {
		const response = await fetch(new URL(path, this.baseUrl), {
			headers: this.#cookie === undefined ? {} : { cookie: this.#cookie },
			signal: AbortSignal.timeout(60_000),
		});
		const text = await response.text();
		this.transcript.push(text);
		return { status: response.status, type: response.headers.get('content-type') ?? '', text };
	}
}
