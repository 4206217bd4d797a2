import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { connect } from '../../run/connection/connect';
import type { ServiceClient } from '../../service/client';
import { isJsonObject } from '../../service/http/answer';
import { failureOrThrow, notTheService } from '../../service/http/failure';
import { Attempts, PATIENCE, POLICIES } from '../../service/http/retry';
import type { JsonObject } from '../../service/http/transport';
import { pagedByOffset, readListParts } from '../../service/results/listParts';
import { SECRET_HEADER } from '../../service/webhooks';

/** A monitor's webhook as the service has it. */
interface MonitorHook {
	url: string;
	headers: JsonObject;
	metadata: JsonObject;
	events: unknown[];
}

/** The fields that the trigger checks in a monitor (shape `monitor`). */
export interface KnownMonitor {
	id: string;
	hook: MonitorHook | undefined;
	record: JsonObject;
}

const PATH = '/v2/monitor';
/** Checks that are asked for at once; the service gives 100 at most. */
const MAX_CHECKS = 100;
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

const LIST = {
	unit: 'monitor',
	readList: ({ data }: JsonObject) => (Array.isArray(data) ? data.filter(isJsonObject) : undefined),
	paging: pagedByOffset,
};

/** The monitors of the account, as far as a trigger needs them. All throw ServiceFailures. */
export class Monitors {
	constructor(private readonly client: ServiceClient) {}

	/** The base URL of the service. */
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
	async create(body: JsonObject, isMade: (monitor: KnownMonitor) => boolean): Promise<KnownMonitor | undefined> {
		const request = { method: 'POST', path: PATH, body, bucket: 'crawl' } as const;
		try {
			const answer = await this.client.call(request);
			return readMonitor(answer.data) ?? (await this.findListed(isMade));
		} catch (error) {
			const failure = failureOrThrow(error);
			const made = failure.mayHaveExecuted ? await this.findListed(isMade) : undefined;
			if (made) return made;
			throw failure;
		}
	}

	async update(id: string, body: JsonObject): Promise<void> {
		const request = { method: 'PATCH', path: pathOf(id), body, bucket: 'crawl' } as const;
		await this.client.receive(request, PATIENCE.repeatable);
	}

	/** Does nothing where it is gone already. */
	async remove(id: string): Promise<void> {
		await this.unlessGone(async () => {
			const request = { method: 'DELETE', path: pathOf(id), bucket: 'crawl' } as const;
			await this.client.receive(request, PATIENCE.repeatable);
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
		const { data } = (await this.client.receive(request, PATIENCE.lookUp)).body;
		const checks: unknown[] = Array.isArray(data) ? data : [];
		return checks.flatMap((check) => (isJsonObject(check) && typeof check.id === 'string' ? [check.id] : []));
	}

	private async findListed(isMade: (monitor: KnownMonitor) => boolean): Promise<KnownMonitor | undefined> {
		const look = async () => (await this.list()).find(isMade);
		return await this.lookAgain(look).catch(() => undefined);
	}

	/** The first that a check finds; undefined when none of them does. */
	private async lookAgain(look: () => Promise<KnownMonitor | undefined>): Promise<KnownMonitor | undefined> {
		const { client } = this;
		const attempts = new Attempts(POLICIES.collect, client.time);
		for (;;) {
			const found = await look();
			if (found) return found;
			const next = attempts.after(NOT_SHOWN);
			if (typeof next === 'string') return undefined;
			await client.pause(next.atMs - client.time.now());
		}
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

/** A list without what the service has made is as good as a denial of it. */
const NOT_SHOWN = { kind: 'http', mayHaveExecuted: true, notFound: true } as const;

/** In the metadata of a webhook: which package has set it. */
const PACKAGE = 'n8n-nodes-web-data';

/** The webhook that a trigger sets: where it is called, with which secret, and of what. */
interface TriggerHook {
	url: string;
	secret: string;
	events: string[];
}

/** The webhook settings of a trigger's own monitor. */
export function ownHook({ url, secret, events }: TriggerHook, fingerprint: string): JsonObject {
	const metadata = { madeBy: PACKAGE, settings: fingerprint };
	return { url, headers: { [SECRET_HEADER]: secret }, metadata, events };
}

/**
 * The webhook of a monitor that is somebody's own. The one that its owner had set goes along in the metadata:
 * there it outlives everything that n8n may lose.
 */
export function borrowedHook({ url, secret, events }: TriggerHook, current: MonitorHook | undefined): JsonObject {
	const earlier = current && ownersHook(current);
	const metadata = {
		borrowedBy: PACKAGE,
		...(earlier && earlier.url !== url && { earlierWebhook: JSON.stringify(earlier) }),
	};
	return { url, headers: { [SECRET_HEADER]: secret }, metadata, events };
}

/**
 * The webhook that a monitor without an earlier one is left with, since the service has no way to remove one: without
 * the secret, with the fewest calls, and marked as nobody's, so that another trigger may take the monitor.
 */
export function releasedHook({ url }: MonitorHook): JsonObject {
	return {
		url,
		headers: {},
		metadata: { releasedBy: PACKAGE },
		events: ['monitor.check.completed'],
	};
}

/** Whether a trigger has made the monitor. */
export function isOwn({ hook }: Pick<KnownMonitor, 'hook'>): boolean {
	return hook?.metadata.madeBy === PACKAGE;
}

/** Whether a trigger has borrowed the monitor and not given it back. */
export function isBorrowed({ hook }: Pick<KnownMonitor, 'hook'>): boolean {
	return hook?.metadata.borrowedBy === PACKAGE;
}

/** Whether the webhook is what a trigger had to leave behind. */
export function isReleased({ hook }: Pick<KnownMonitor, 'hook'>): boolean {
	return hook?.metadata.releasedBy === PACKAGE;
}

/** The secret that the monitor's calls carry. */
export function secretOf({ hook }: Pick<KnownMonitor, 'hook'>): string | undefined {
	const secret = hook?.headers[SECRET_HEADER];
	return typeof secret === 'string' && secret !== '' ? secret : undefined;
}

/** The webhook that the owner of a monitor has set, as an update takes it; undefined where there was none. */
export function ownersHook(hook: MonitorHook): JsonObject | undefined {
	if (isReleased({ hook })) return undefined;
	if (!isBorrowed({ hook })) return { ...hook };
	const earlier = parsed(hook.metadata.earlierWebhook);
	return readHook(earlier) && earlier;
}

function parsed(text: unknown): JsonObject | undefined {
	if (typeof text !== 'string') return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The monitors for the list in the panel, by name; those that triggers have made are not to choose. */
export async function searchMonitors(ctx: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
	const all = await new Monitors(await connect(ctx)).list();
	const results = all
		.filter((monitor) => !isOwn(monitor))
		.map(({ id, record }) => ({ name: String(record.name ?? id), value: id }))
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(filter.toLowerCase()))
		.sort((left, right) => left.name.localeCompare(right.name));
	return { results };
}
