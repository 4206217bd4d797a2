import { ServiceClient } from '../../nodes/service/limits/client';
import { Secrets } from '../../nodes/service/secrets';
import type { JobOutcome, JobSettings, JobTask } from '../../nodes/service/jobs/jobTask';
import { SharedLimits } from '../../nodes/service/limits/limits';
import { runJobs } from '../../nodes/service/jobs/runJobs';
import { SimulatedService } from './simulatedService.ts';
import type { SeenRequest, SimulatedServiceParts } from './simulatedService.ts';
import { VirtualTime } from './virtualTime.ts';

export interface WaitingParts extends Partial<Omit<SimulatedServiceParts, 'time'>> {
	/** When the execution is stopped, in milliseconds. */
	stopAtMs?: number;
	/** True: requests under way are not cut off by the stop. */
	isDeaf?: boolean;
}

/** A simulated service, an execution that uses it, and what the execution was told. */
export class Waiting {
	readonly time = new VirtualTime();

	readonly service: SimulatedService;

	readonly limits = new SharedLimits();

	readonly client: ServiceClient;

	/** `started 0 job-0`, `uncertain 1`, `gone 2 old` */
	readonly told: string[] = [];

	constructor({ stopAtMs, isDeaf = false, ...parts }: WaitingParts = {}) {
		const { time, limits } = this;
		this.service = new SimulatedService({ durationMs: () => 20_000, ...parts, time });
		const stop = new AbortController();
		if (stopAtMs !== undefined) time.at(stopAtMs, () => stop.abort());
		const { signal } = stop;
		const http = this.service.http(isDeaf ? undefined : signal);
		const baseUrl = 'https://service.example';
		this.client = new ServiceClient({
			secrets: new Secrets(''),
			http,
			baseUrl,
			limits,
			time,
			signal,
		});
	}

	/** Lets the jobs run to their end. */
	async outcomes(tasks: JobTask[], more: Partial<JobSettings<JobTask>> = {}): Promise<JobOutcome[]> {
		const run = runJobs(
			tasks,
			{
				concurrency: 10,
				stopsTheRun: () => false,
				events: {
					onStarted: ({ item }, id) => this.told.push(`started ${item} ${id}`),
					onSending: () => undefined,
					onUncertain: ({ item }) => this.told.push(`uncertain ${item}`),
					onGone: ({ item }, id) => this.told.push(`gone ${item} ${id}`),
				},
				...more,
			},
			this.client,
		);
		return await this.time.until(run);
	}

	/** True when no place in a queue is taken and nothing is in flight. */
	get isIdle(): boolean {
		return this.limits.isIdle(Infinity);
	}

	/** When requests of a kind were sent, in milliseconds. */
	timesOf(kind: SeenRequest['kind']): number[] {
		return this.service.seen.flatMap((one) => (one.kind === kind ? [one.atMs] : []));
	}
}

/** The message of an outcome that is an error. */
export function errorOf(outcome: JobOutcome | undefined): string {
	return outcome?.kind === 'error' ? outcome.failure.message : `no error but ${outcome?.kind}`;
}
