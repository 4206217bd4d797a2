import { Secrets } from '../../nodes/service/secrets';
import type { HttpOptions, HttpResponse } from '../../nodes/service/http/transport';
import { ServiceClient } from '../../nodes/service/limits/client';
import { SharedLimits } from '../../nodes/service/limits/limits';
import { httpResponse } from './httpResponse.ts';
import { VirtualTime } from './virtualTime.ts';

/** The service's clock is three hours off. */
export const OFFSET_MS = Date.UTC(2026, 10, 21, 20) + 3 * 3_600_000;

interface Said {
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	/** Code of a connection that breaks in the place of an answer. */
	code?: string;
	/** How long it takes. */
	ms?: number;
}

type Answerer = (count: number) => Said | undefined;

interface Row {
	id: string;
	status: string;
	createdAt: string;
	lastActivity?: string;
}

/** A service with browser sessions in virtual time, and all that was asked of it. */
export class BrowserService {
	readonly time = new VirtualTime();

	readonly limits = new SharedLimits();

	readonly stop = new AbortController();

	/** `POST`, `GET`, `DELETE a`, with the time of each. */
	readonly seen: Array<HttpOptions & { what: string; atMs: number }> = [];

	rows: Row[] = [];

	/** What is said in place of the usual. */
	opening: Answerer = () => undefined;

	closing: Answerer = () => undefined;

	listing: Answerer = () => undefined;

	private opened = 0;

	client(signal = this.stop.signal): ServiceClient {
		const { time, limits } = this;
		const secrets = new Secrets('');
		const baseUrl = 'https://service.example';
		const http = async (options: HttpOptions) => await this.answer(options);
		return new ServiceClient({ http, baseUrl, limits, time, secrets, signal });
	}

	/** A session that is opened now. */
	add(id: string, atMs = this.time.now(), more: Partial<Row> = {}): void {
		this.rows.push({ id, status: 'active', createdAt: this.dateAt(atMs), ...more });
	}

	dateAt(atMs: number): string {
		return new Date(OFFSET_MS + atMs).toISOString();
	}

	count(what: string): number {
		return this.seen.filter((one) => one.what === what).length;
	}

	get whats(): string[] {
		return this.seen.map(({ what }) => what);
	}

	private async answer(options: HttpOptions): Promise<HttpResponse> {
		const { method, url } = options;
		const id = new URL(url).pathname.replace(/^\/v2\/interact\/?/, '');
		const what = `${method} ${id}`.trim();
		this.seen.push({ ...options, what, atMs: this.time.now() });
		const count = this.seen.filter((one) => one.method === method).length;
		if (method === 'POST') return await this.open(this.opening(count));
		const other = method === 'DELETE' ? this.closing(count) : this.listing(count);
		await this.time.sleep(other?.ms ?? 10);
		const isUsual = other?.body === undefined && other?.code === undefined;
		if (!isUsual || other?.status !== undefined) return this.say(other ?? {});
		if (method === 'GET') return this.say({ body: { success: true, sessions: this.rows } });
		this.rows = this.rows.filter((row) => row.id !== id);
		return this.say({ body: { success: true, creditsBilled: 2 } });
	}

	/** With a body of its own nothing is opened; a connection that breaks does so after the work. */
	private async open(other: Said = {}): Promise<HttpResponse> {
		const isOpened = other.body === undefined;
		const id = `s${(this.opened += 1)}`;
		await this.time.sleep((other.ms ?? 10) / 2);
		if (isOpened) this.add(id);
		await this.time.sleep((other.ms ?? 10) / 2);
		return this.say({ ...other, ...(isOpened && { body: { success: true, id } }) });
	}

	private say({ status = 200, body, code, headers }: Said): HttpResponse {
		if (code !== undefined) throw Object.assign(new Error('It broke'), { code });
		const date = new Date(OFFSET_MS + this.time.now()).toUTCString();
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
		return httpResponse({ status, headers: { date, ...headers }, text });
	}
}
