import type { IExecuteFunctions } from 'n8n-workflow';

import type { JobEvents, JobOutcome } from '../../../service/jobs/jobTask';
import type { JsonObject } from '../../../service/http/transport';
import type { JobOnRecord } from '../output/itemError';
import type { JobMemory } from './jobMemory';
import type { JobPlan } from './jobPlan';

/** What is known of the jobs of a run, noted as it happens: a run that ends early forgets none. */
export class JobRecords {
	/** What the service said to the starts of this run. */
	readonly answers = new Map<JobPlan, JsonObject>();

	readonly goneIds: string[] = [];

	readonly cancelledIds: string[] = [];

	/** By the first item of each. */
	private readonly jobs = new Map<number, JobOnRecord>();

	/** Items whose start was sent. */
	private readonly sent = new Set<number>();

	/** `label` is what a job is called: `crawl`. */
	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly label: string,
		private readonly memory: JobMemory,
	) {}

	/** Every job that is known to run or to have run. */
	get all(): JobOnRecord[] {
		return [...this.jobs.values()];
	}

	/** Notes a job that was started before this run, if the plan has one. */
	noteAttached({ item, known }: JobPlan): void {
		if (known) this.jobs.set(item, { item, id: known.id, state: 'unknown' });
	}

	noteEnd({ item }: JobPlan, outcome: JobOutcome): void {
		const job = this.jobs.get(item);
		if (job && 'state' in outcome && outcome.state !== undefined) job.state = outcome.state;
	}

	/** What keeps the records, and the memory that outlives the run, up to date. */
	events(): JobEvents<JobPlan> {
		const { memory } = this;
		return {
			onSending: ({ item }) => {
				if (this.sent.has(item)) return;
				this.sent.add(item);
				this.log(item, `starting a ${this.label}`);
			},
			onStarted: (plan, id, answer) => {
				const { item, key } = plan;
				this.jobs.set(item, { item, id, state: 'started' });
				this.log(item, `${this.label} ${id} started`);
				this.answers.set(plan, answer);
				if (key !== undefined) memory.remember(key, item, id);
			},
			onUncertain: ({ item, key }) => {
				if (key !== undefined) memory.remember(key, item);
			},
			onGone: ({ item, key }, id) => {
				this.goneIds.push(id);
				this.jobs.delete(item);
				if (key !== undefined) memory.forget(key);
			},
			onCancelled: ({ item, key }, id) => {
				this.cancelledIds.push(id);
				this.jobs.set(item, { item, id, state: 'cancelled' });
				if (key !== undefined) memory.forget(key);
			},
		};
	}

	/**
	 * When a worker is killed, n8n throws away all it knew about the execution (n8n 2.40, processError in
	 * workflow-runner.js). Its log is then the only place that names the job. A start that is sent stands
	 * there before its answer comes, so that no line means: nothing was started.
	 */
	private log(item: number, what: string): void {
		const { ctx } = this;
		const where = `Execution ${ctx.getExecutionId()}, node "${ctx.getNode().name}", item ${item}`;
		ctx.logger.info(`${where}: ${what}`);
	}
}
