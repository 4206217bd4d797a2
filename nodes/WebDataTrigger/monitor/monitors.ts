import { isJsonObject } from '../../service/http/answer';
import { asFailure, ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import type { ServiceClient } from '../../service/limits/client';

/** A monitor's webhook as the service has it. */
export interface MonitorHook {
	url: string;
	headers: JsonObject;
	metadata: JsonObject;
	events: unknown[];
}

/** What the trigger looks at in a monitor (shape `monitor`). */
export interface KnownMonitor {
	id: string;
	hook: MonitorHook | undefined;
	record: JsonObject;
}

const PATH = '/v2/monitor';
/** Elements of a part of the list; the service takes 100 at most (CONTRACT section 9). */
const PART = 100;
const MOST_PARTS = 50;

function readMonitor(record: unknown): KnownMonitor | undefined {
	if (!isJsonObject(record) || typeof record.id !== 'string') return undefined;
	return { id: record.id, hook: readHook(record.webhook), record };
}

function readHook(hook: unknown): MonitorHook | undefined {
	if (!isJsonObject(hook) || typeof hook.url !== 'string') return undefined;
	const { url, headers, metadata, events } = hook;
	return {
		url,
		headers: isJsonObject(headers) ? headers : {},
		metadata: isJsonObject(metadata) ? metadata : {},
		events: Array.isArray(events) ? events : [],
	};
}

const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/** The monitors of the account, as far as a trigger needs them. All throw ServiceFailures. */
export class Monitors {
	constructor(private readonly client: ServiceClient) {}

	/** All of them, newest first. */
	async list(): Promise<KnownMonitor[]> {
		const all: KnownMonitor[] = [];
		for (let part = 0; part < MOST_PARTS; part += 1) {
			const query = { limit: PART, offset: part * PART };
			const body = await this.client.call({
				method: 'GET',
				path: PATH,
				query,
				bucket: 'crawlStatus',
			});
			const data = this.listIn(body);
			all.push(...data.map(readMonitor).filter((one) => one !== undefined));
			if (data.length < PART) break;
		}
		return all;
	}

	/** An answer without a list is not one of no monitors: a second one would be made beside what is there. */
	private listIn({ data }: JsonObject): unknown[] {
		if (Array.isArray(data)) return data;
		throw new ServiceFailure({
			kind: 'notJson',
			reached: 'maybe',
			message: `${this.client.baseUrl} answered without a list of monitors. Nothing was made or removed.`,
		});
	}

	/** Undefined for one that is not there (any more). */
	async find(id: string): Promise<KnownMonitor | undefined> {
		return await this.unlessGone(async () => {
			const request = { method: 'GET', path: pathOf(id), bucket: 'crawlStatus' } as const;
			return readMonitor((await this.client.call(request)).data);
		});
	}

	async create(body: JsonObject): Promise<KnownMonitor | undefined> {
		const request = { method: 'POST', path: PATH, body, bucket: 'crawl' } as const;
		return readMonitor((await this.client.call(request)).data);
	}

	async update(id: string, body: JsonObject): Promise<void> {
		await this.client.call({ method: 'PATCH', path: pathOf(id), body, bucket: 'crawl' });
	}

	async remove(id: string): Promise<void> {
		await this.unlessGone(async () => {
			await this.client.call({ method: 'DELETE', path: pathOf(id), bucket: 'crawl' });
		});
	}

	/** Begins a check now. */
	async run(id: string): Promise<void> {
		await this.client.call({ method: 'POST', path: `${pathOf(id)}/run`, bucket: 'crawl' });
	}

	/** The id of its first check, as far back as 100 checks; undefined where there is none. */
	async firstCheckId(id: string): Promise<string | undefined> {
		const body = await this.client.call({
			method: 'GET',
			path: `${pathOf(id)}/checks`,
			query: { limit: PART },
			bucket: 'crawlStatus',
		});
		const checks: unknown[] = Array.isArray(body.data) ? body.data : [];
		const oldest = checks.length < PART ? checks.at(-1) : undefined;
		return isJsonObject(oldest) && typeof oldest.id === 'string' ? oldest.id : undefined;
	}

	private async unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
		try {
			return await work();
		} catch (error) {
			const failure = asFailure(error);
			if (failure.notFound) return undefined;
			throw failure;
		}
	}
}
