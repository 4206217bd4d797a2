import type { Plan } from './account/plan.ts';
import { buildApp } from './app.ts';
import { readOptions } from './service/options.ts';
import type { SandboxOptions } from './service/options.ts';
import { buildService } from './service/service.ts';
import type { Service } from './service/service.ts';
import { startSite } from './site/server.ts';
import type { Faults } from './control/faultBook.ts';
import type { RequestEntry, SandboxStats } from './control/statistics.ts';
import type { DeliveryControl } from './webhooks/webhooks.ts';

/** An account of the service. */
interface Account {
	faults: Faults;
	/** What it may do; may be changed while jobs run. */
	plan: Plan;
	/** What goes wrong with the calls of webhooks, and what came of them. */
	webhooks: DeliveryControl;
	stats(): SandboxStats;
	/** The latest requests that were answered, oldest first, at most 1000. */
	requests(): RequestEntry[];
}

/** A running sandbox, and the account of its `keys`. */
export interface Sandbox extends Account {
	/** Address of the service, without a slash at its end. */
	baseUrl: string;
	/** Address of the pages it researches. */
	siteUrl: string;
	/** Those of `otherAccounts`, in their order. */
	others: readonly Account[];
	/** Forgets jobs, faults, counts and used credits. Ports and address stay. */
	reset(): void;
	/** Ends everything at once, open connections and hanging answers too. */
	stop(): Promise<void>;
}

/**
 * Starts a local service that keeps the contract of the real one, and a small site for it to research.
 * Rejects with an Error when an option makes no sense or a port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const read = readOptions(options);
	const site = await startSite(read.speed);
	try {
		const service = buildService(read, site.url);
		const others = read.otherAccounts.map((keys, index) =>
			buildService({ ...read, keys: new Set(keys), seed: read.seed + index + 2, keyless: undefined }, site.url),
		);
		const app = await buildApp(service, others);
		const baseUrl = await app.listen({ port: read.port, host: '127.0.0.1', backlog: 2048 });
		const all = [service, ...others];
		let stopping: Promise<void> | undefined;
		return {
			baseUrl,
			siteUrl: site.url,
			...accountOf(service),
			others: others.map(accountOf),
			reset: () => all.forEach((one) => one.reset()),
			stop() {
				stopping ??= (async () => {
					const ended = Promise.all(all.map(async (one) => await one.stop()));
					app.server.closeAllConnections();
					await app.close();
					await ended;
					await site.stop();
				})();
				return stopping;
			},
		};
	} catch (error) {
		await site.stop();
		throw error;
	}
}

function accountOf(service: Service): Account {
	return {
		faults: service.faults,
		plan: service.plan,
		webhooks: service.webhooks.control,
		stats: () => service.stats(),
		requests: () => service.statistics.latestRequests(),
	};
}
