import { isJsonObject } from '../../service/http/answer';
import { failureOrThrow, notTheService } from '../../service/http/failure';
import { REQUEST_TIMEOUT_MS } from '../../service/http/transport';
import type { JsonObject } from '../../service/http/transport';
import type { ServiceClient } from '../../service/limits/client';
import { pagedByOffset, readListParts } from '../../service/results/listParts';

/** A monitor's webhook as the service has it. */
export interface MonitorHook {
	url: string;
	headers: JsonObject;
	metadata: JsonObject;
	events: unknown[];
}

/** What the trigger checks in a monitor (shape `monitor`). */
export interface KnownMonitor {
	id: string;
	hook: MonitorHook | undefined;
	record: JsonObject;
}

const PATH = '/v2/monitor';
/** Checks that are asked for at once; the service gives 100 at most. */
const MAX_CHECKS = 100;
/** A workflow waits to start for this list, and can do without it. */
const CHECKS_PATIENCE = { retries: 2, timeoutMs: 10_000 };
/** To ask for the same update or removal twice does the same. */
const REPEATABLE = { retries: 3, timeoutMs: REQUEST_TIMEOUT_MS, isRepeatable: true };
/** Pauses before the checks for a monitor that was made: the service may show it seconds later. */
const RECOVERY_PAUSES_MS = [0, 1000, 2000, 4000, 8000];

function readMonitor(record: unknown): KnownMonitor | undefined {
	if (!isJsonObject(record) || typeof record.id !== 'string') return undefined;
	return { id: record.id, hook: readHook(record.webhook), record };
}

export function readHook(hook: unknown): MonitorHook | undefined {
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

const LIST = {
	unit: 'monitor',
	readList: ({ data }: JsonObject) => (Array.isArray(data) ? data.filter(isJsonObject) : undefined),
	paging: pagedByOffset,
};

/** The monitors of the account, as far as a trigger needs them. All throw ServiceFailures. */
export class Monitors {
	constructor(private readonly client: ServiceClient) {}

	/** Where the service is. */
	get baseUrl(): string {
		return this.client.baseUrl;
	}

	/** All of them, newest first. An answer without a list throws: it is not a list of none. */
	async list(): Promise<KnownMonitor[]> {
		const request = { method: 'GET', path: PATH, bucket: 'crawlStatus' } as const;
		const { elements } = await readListParts(LIST, request, this.client);
		return elements.map(readMonitor).filter((one) => one !== undefined);
	}

	/** Undefined for one that is not there (any more). */
	async find(id: string): Promise<KnownMonitor | undefined> {
		return await this.unlessGone(async () => {
			const request = { method: 'GET', path: pathOf(id), bucket: 'crawlStatus' } as const;
			const found = readMonitor((await this.client.call(request)).data);
			if (found) return found;
			throw notTheService(this.baseUrl, `without the monitor ${id}`);
		});
	}

	/** The same for one that was made: it is gone only when the service has not shown it for 15 s. */
	async findMade(id: string): Promise<KnownMonitor | undefined> {
		return await this.lookAgain(async () => await this.find(id));
	}

	/**
	 * Makes one. Where the answer is lost, or names none, it is looked for by `isMade`: it may be there all the
	 * same, and a second one would be paid for beside it. Undefined when it was not found either and the service
	 * says that it has made one.
	 */
	async create(
		body: JsonObject,
		isMade: (monitor: KnownMonitor) => boolean,
	): Promise<KnownMonitor | undefined> {
		const request = { method: 'POST', path: PATH, body, bucket: 'crawl' } as const;
		try {
			const answer = await this.client.call(request);
			return readMonitor(answer.data) ?? (await this.findListed(isMade));
		} catch (error) {
			const failure = failureOrThrow(error);
			const made = failure.reached === 'maybe' ? await this.findListed(isMade) : undefined;
			if (made) return made;
			throw failure;
		}
	}

	async update(id: string, body: JsonObject): Promise<void> {
		const request = { method: 'PATCH', path: pathOf(id), body, bucket: 'crawl' } as const;
		await this.client.receive(request, REPEATABLE);
	}

	/** Does nothing where it is gone already. */
	async remove(id: string): Promise<void> {
		await this.unlessGone(async () => {
			const request = { method: 'DELETE', path: pathOf(id), bucket: 'crawl' } as const;
			await this.client.receive(request, REPEATABLE);
		});
	}

	/** Begins a check now. */
	async run(id: string): Promise<void> {
		await this.client.call({ method: 'POST', path: `${pathOf(id)}/run`, bucket: 'crawl' });
	}

	/** The ids of its checks, newest first: all, or the latest 100. */
	async checkIds(id: string): Promise<string[]> {
		const request = {
			method: 'GET',
			path: `${pathOf(id)}/checks`,
			query: { limit: MAX_CHECKS },
			bucket: 'crawlStatus',
		} as const;
		const { data } = (await this.client.receive(request, CHECKS_PATIENCE)).body;
		const checks: unknown[] = Array.isArray(data) ? data : [];
		return checks.flatMap((check) =>
			isJsonObject(check) && typeof check.id === 'string' ? [check.id] : [],
		);
	}

	private async findListed(
		isMade: (monitor: KnownMonitor) => boolean,
	): Promise<KnownMonitor | undefined> {
		const look = async () => (await this.list()).find(isMade);
		return await this.lookAgain(look).catch(() => undefined);
	}

	/** The first that a check finds; undefined when none of them does. */
	private async lookAgain(
		look: () => Promise<KnownMonitor | undefined>,
	): Promise<KnownMonitor | undefined> {
		for (const pauseMs of RECOVERY_PAUSES_MS) {
			await this.client.pause(pauseMs);
			const found = await look();
			if (found) return found;
		}
		return undefined;
	}

	private async unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
		try {
			return await work();
		} catch (error) {
			const failure = failureOrThrow(error);
			if (failure.notFound) return undefined;
			throw failure;
		}
	}
}
