import { parse as parseFlatted } from 'flatted';
import { z } from 'zod';
import { executionPages } from './execution-pages.ts';
import { RestError, RestSession } from './rest.ts';

/** The owner account of an n8n that is used only on this machine. */
export interface Owner {
	email: string;
	password: string;
}

const stored = z.object({ id: z.string(), name: z.string() });
const storedCredential = stored.extend({ type: z.string() });
const storedWorkflow = stored.extend({ versionId: z.string().optional() }).passthrough();
const started = z.object({ executionId: z.string() });
const testOutcome = z.object({ status: z.string(), message: z.string() });
const executionSummary = z
	.object({
		id: z.coerce.string(),
		status: z.string(),
		mode: z.string().optional(),
		workflowId: z.string().optional(),
		retryOf: z.coerce.string().nullish(),
		waitTill: z.string().nullish(),
	})
	.passthrough();

/** A saved credential, without its secrets. */
export type StoredCredential = z.infer<typeof storedCredential>;
/** A saved workflow. */
export type StoredWorkflow = z.infer<typeof storedWorkflow>;
/** How a credential test went: `OK` or `Error`, and n8n's message. */
type CredentialTest = z.infer<typeof testOutcome>;
/** One line of the executions list. */
export type ExecutionSummary = z.infer<typeof executionSummary>;
/** One execution with its data put together. */
export type Execution = ExecutionSummary & { data: unknown };

/** What a workflow is made of, as in an exported file. */
export interface WorkflowDefinition {
	name: string;
	nodes: readonly unknown[];
	connections: object;
	settings?: object | undefined;
	[other: string]: unknown;
}

/** n8n as its editor drives it: owner, credentials, workflows and executions. */
export class N8nClient extends RestSession {
	/** Makes the owner account if there is none yet, and logs in. */
	async login(owner: Owner): Promise<void> {
		const account = {
			email: owner.email,
			password: owner.password,
			firstName: 'Demo',
			lastName: 'Owner',
		};
		try {
			await this.call('/owner/setup', { method: 'POST', body: account });
		} catch (error) {
			// 400: this n8n has its owner already.
			if (!(error instanceof RestError) || error.status !== 400) throw error;
			const body = { emailOrLdapLoginId: owner.email, password: owner.password };
			await this.call('/login', { method: 'POST', body });
		}
	}

	async credentials(): Promise<StoredCredential[]> {
		return z.array(storedCredential).parse(await this.call('/credentials'));
	}

	async createCredential(name: string, type: string, data: object): Promise<StoredCredential> {
		return storedCredential.parse(await this.call('/credentials', { method: 'POST', body: { name, type, data } }));
	}

	async updateCredential(id: string, name: string, type: string, data: object): Promise<void> {
		await this.call(`/credentials/${id}`, { method: 'PATCH', body: { name, type, data } });
	}

	/** Presses Test in the credential's window: with `data` as typed there, or with what is saved. */
	async testCredential(credential: StoredCredential, data?: object): Promise<CredentialTest> {
		const { id, name, type } = credential;
		const body = {
			credentials: { id, name, type, data: data ?? (await this.#credentialData(id)) },
		};
		return testOutcome.parse(await this.call('/credentials/test', { method: 'POST', body }));
	}

	/** The saved data with secrets blanked, as the editor gets it; n8n puts the secrets back itself. */
	async #credentialData(id: string): Promise<unknown> {
		const answer = await this.call(`/credentials/${id}`, { query: { includeData: 'true' } });
		return z.object({ data: z.unknown() }).parse(answer).data;
	}

	async workflows(): Promise<StoredWorkflow[]> {
		return z.array(storedWorkflow).parse(readList(await this.call('/workflows')));
	}

	async createWorkflow(workflow: WorkflowDefinition): Promise<StoredWorkflow> {
		const { name, nodes, connections, settings } = workflow;
		const body = {
			name,
			nodes,
			connections,
			settings: settings ?? { executionOrder: 'v1' },
			active: false,
		};
		return storedWorkflow.parse(await this.call('/workflows', { method: 'POST', body }));
	}

	/** Puts a workflow's triggers on, as it was last saved. */
	async activate(workflow: StoredWorkflow): Promise<void> {
		const { versionId } = storedWorkflow.parse(await this.call(`/workflows/${workflow.id}`));
		await this.call(`/workflows/${workflow.id}/activate`, { method: 'POST', body: { versionId } });
	}

	async deactivate(workflow: StoredWorkflow): Promise<void> {
		await this.call(`/workflows/${workflow.id}/deactivate`, { method: 'POST', body: {} });
	}

	/**
	 * Presses Execute workflow.
	 *
	 * @param triggerName the node to start from
	 * @returns the execution's id
	 */
	async run(workflow: StoredWorkflow, triggerName: string): Promise<string> {
		// n8n 1.x runs the workflow of the request, 2.x the saved one: this serves both.
		const workflowData = await this.call(`/workflows/${workflow.id}`);
		const body = { workflowData, triggerToStartFrom: { name: triggerName } };
		return started.parse(await this.call(`/workflows/${workflow.id}/run`, { method: 'POST', body })).executionId;
	}

	/** The newest executions, at most `limit`, of one workflow if told. */
	async executions(workflowId?: string, limit = 100): Promise<ExecutionSummary[]> {
		const filter = JSON.stringify(workflowId === undefined ? {} : { workflowId });
		const pages = executionPages(
			async (query) => await this.call('/executions', { query: { filter, ...query } }),
			limit,
		);
		return z.array(executionSummary).parse(await pages);
	}

	async execution(id: string): Promise<Execution> {
		const answer = await this.call(`/executions/${id}`);
		const { data, ...summary } = executionSummary.extend({ data: z.unknown() }).parse(answer);
		return { ...summary, data: typeof data === 'string' ? parseFlatted(data) : data };
	}

	/** Presses Retry in the executions list. The new execution runs on; n8n answers when it has ended. */
	async retry(id: string, timeoutMs = 120_000): Promise<unknown> {
		return await this.call(`/executions/${id}/retry`, {
			method: 'POST',
			body: { loadWorkflow: false },
			timeoutMs,
		});
	}

	/** Presses Stop in the executions list. */
	async stop(id: string): Promise<void> {
		await this.call(`/executions/${id}/stop`, { method: 'POST', body: {} });
	}
}

/** Lists come as `[...]` or, with a count or a cursor beside, as `{results: [...]}` or `{data: [...]}`. */
function readList(answer: unknown): unknown {
	const { results, data } = z.object({ results: z.unknown(), data: z.unknown() }).partial().catch({}).parse(answer);
	return results ?? data ?? answer;
}
