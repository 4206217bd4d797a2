import type { Sandbox } from '../../sandbox/server.ts';
import type { SandboxOptions } from '../../sandbox/service/options.ts';
import { ask } from '../sandbox/client';
import { startSandbox } from './run';

/** A service whose checks take so long, and what somebody else does there, outside n8n. */
export class MonitorService {
	private constructor(readonly sandbox: Sandbox) {}

	static async start(options: SandboxOptions = {}): Promise<MonitorService> {
		return new MonitorService(await startSandbox({ lightWork: true, jobDurationMs: 300, ...options }));
	}

	async ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
		return (await ask(this.sandbox, method, path, { body })).body as Record<string, unknown>;
	}

	/** Creates a monitor of these pages and returns its id. */
	async created(name: string, urls: string[] = [`${SITE}/about`]): Promise<string> {
		const { data } = await this.ask('POST', '/v2/monitor', {
			name,
			schedule: { text: 'daily at 3:00' },
			targets: [{ type: 'scrape', urls }],
		});
		return String((data as { id?: unknown }).id);
	}

	/** Starts a check that n8n knows nothing of and returns its id. */
	async run(monitorId: string): Promise<string> {
		return String((await this.ask('POST', `/v2/monitor/${monitorId}/run`)).id);
	}

	/** Ids of the checks that were accepted, oldest first. */
	get checks(): string[] {
		return this.sandbox.stats().starts.list.map(({ id }) => id);
	}
}

export const SITE = 'http://site.example';

/** Addresses of so many pages. */
export const manyPages = (count: number): string[] =>
	Array.from({ length: count }, (_unused, index) => `${SITE}/page-${index}`);
