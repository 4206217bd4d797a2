import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeType, IWebhookData, IWebhookResponseData, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { surroundingsOf } from './additionalData.ts';
import { resumeWaiting, retryFromStored } from './continueStored.ts';
import { asWorkflowBase, buildWorkflow, credentialInUse, execute } from './execution.ts';
import type { Execution } from './execution.ts';
import { ManualExecutionCancelledError, WebhookContext } from './n8n.ts';
import { nodeTypesOf } from './nodeTypes.ts';
import { runWorkflow } from './runWorkflow.ts';
import type { RunOptions } from './runWorkflow.ts';
import { fromStored } from './stored.ts';
import { withOverrides } from './workflowFile.ts';

/** One call of a waiting execution. */
export interface ResumeCall {
	executionId: string;
	/** When it came, by performance.now(). */
	atMs: number;
	status: number;
	/** Until the caller was answered, and how often: n8n answers whoever was not. */
	tookMs: number;
	answers: string[];
	/** True for the call that let the execution go on. */
	woke: boolean;
}

/** Stands for an n8n that keeps executions in its database while they wait. */
export interface WaitingHost {
	/** With a slash at its end. */
	url: string;
	/** Of executions that it has. */
	calls: ResumeCall[];
	/** Runs a workflow until it ends or waits. */
	run(options: RunOptions): Promise<Execution>;
	/** The execution as it is in the end, when nothing is waited for any more. */
	ended(executionId: string): Promise<Execution>;
	/** n8n's Retry of an execution that has failed, with other options where they are given: until it ends or waits. */
	retry(failed: Pick<Execution, 'executionId' | 'stored'>, options?: RunOptions): Promise<Execution>;
	/** Undefined for one that runs or has ended. */
	waiting(executionId: string): Execution | undefined;
	/** n8n's database lists one as waiting that has gone on by now, as this execution. */
	listedAsWaiting(execution: Execution): void;
	/**
	 * n8n was killed while the execution waited, and was started again with these options. Calls with this header are
	 * those of the dead process: none is heard until somebody else has called.
	 */
	restarted(executionId: string, options: RunOptions, ownCallHeader: string): void;
	/** What n8n does when the date of putExecutionToWait has come. */
	timeIsUp(executionId: string): Promise<Execution>;
	/** What n8n does when somebody presses Stop while it waits: the execution ends with an error, and no node runs. */
	stopWaiting(executionId: string): void;
	/** Takes no more calls; resolves when what they let go on has ended. */
	stop(): Promise<void>;
}

interface Row {
	status: 'running' | 'waiting' | 'ended';
	execution: Execution | undefined;
	options: RunOptions;
	/** Header of calls that come from a process that is dead. */
	deafTo?: string;
	ended: Promise<Execution>;
	tellEnd: (execution: Execution) => void;
}

/**
 * Does what WaitingWebhooks and WaitTracker do (packages/cli/src, n8n 2.40), with n8n-core's own contexts
 * and engine: which call finds the execution, what of its stored data the node's webhook() sees, what goes on.
 */
export async function startWaitingHost(): Promise<WaitingHost> {
	const rows = new Map<string, Row>();
	// A node of a test that is over calls its own execution until Max Wait, and this host may have got that port.
	let nextId = randomInt(1_000_000_000) * 1000;

	/** n8n stores it before anything else happens to it. */
	const settle = (id: string, execution: Execution): Execution => {
		const row = rows.get(id);
		if (!row) return execution;
		row.execution = execution;
		row.status = execution.run.status === 'waiting' ? 'waiting' : 'ended';
		if (row.status === 'ended') row.tellEnd(execution);
		return execution;
	};

	const receive = async (request: IncomingMessage, response: ServerResponse, rawBody: Buffer) => {
		const beganMs = performance.now();
		const [, id = '', suffix = ''] = /^\/webhook-waiting\/(\w+)\/?([^?]*)/.exec(request.url ?? '') ?? [];
		const call: ResumeCall = {
			executionId: id,
			atMs: beganMs,
			status: 0,
			tookMs: 0,
			answers: [],
			woke: false,
		};
		const row = rows.get(id);
		if (row?.deafTo !== undefined) {
			if (request.headers[row.deafTo] !== undefined) return request.socket.destroy();
			delete row.deafTo;
		}
		if (row) host.calls.push(call);
		const answering = Object.assign(response, {
			status(code: number) {
				response.statusCode = code;
				return answering;
			},
			json(body: unknown) {
				const text = JSON.stringify(body);
				call.answers.push(text);
				if (response.writableEnded) return answering;
				call.status = response.statusCode;
				call.tookMs = performance.now() - beganMs;
				response.setHeader('content-type', 'application/json');
				response.end(text);
				return answering;
			},
		});
		const waiting = row?.execution;
		if (!row) return answering.status(404).json({});
		if (!waiting || row.status === 'running') {
			return answering.status(409).json({ message: `The execution "${id}" is running already.` });
		}
		if (row.status === 'ended') {
			// n8n names no way in which it has ended but an error (waiting-webhooks.js).
			const how = waiting.error ? 'finished with error' : 'finished already';
			return answering.status(409).json({ message: `The execution "${id}" has ${how}.` });
		}
		const called = resumed(id, suffix, row.options, waiting, (additionalData) => {
			additionalData.httpRequest = Object.assign(request, { rawBody, body: {} }) as never;
			additionalData.httpResponse = answering as never;
		});
		if (!called) return answering.status(404).json({});
		const { from, context, nodeType } = called;
		const result: IWebhookResponseData | undefined = await nodeType.webhook?.call(context);
		if (result?.noWebhookResponse !== true) {
			answering.status(200).json({ message: 'Webhook call received' });
		}
		const entry = from.executionData?.nodeExecutionStack[0];
		if (!result?.workflowData || !entry) return undefined;
		// updateExistingExecution with requireStatus: of two that resume, n8n lets one.
		if (row.status !== 'waiting') return undefined;
		row.status = 'running';
		call.woke = true;
		entry.data.main = result.workflowData;
		const execution = await execute({
			...row.options,
			executionId: id,
			instanceUrl: host.url,
			mode: waiting.run.mode,
			from,
			start: (engine, workflow) => engine.processRunExecutionData(workflow),
		});
		return settle(id, execution);
	};

	/** The context that webhook() sees, as getWebhookExecutionData makes it; undefined where nothing waits at this address. */
	const resumed = (
		executionId: string,
		suffix: string,
		options: RunOptions,
		{ stored, run }: Execution,
		withCall: (additionalData: IWorkflowExecuteAdditionalData) => void,
	) => {
		const from = fromStored(stored);
		const entry = from.executionData?.nodeExecutionStack[0];
		const last = from.resultData.lastNodeExecuted ?? '';
		if (entry) entry.node.disabled = true;
		from.waitTill = undefined;
		from.resultData.runData[last]?.pop();
		const base = asWorkflowBase(withOverrides(options.workflow, options.nodeOverrides ?? {}));
		const nodeTypes = nodeTypesOf(options.package, options.otherNodeTypes);
		const workflow = buildWorkflow(base, nodeTypes);
		const node = workflow.getNode(last);
		if (!node) throw new Error(`The workflow has no node "${last}".`);
		const { data: additionalData } = surroundingsOf({
			package: options.package,
			credential: credentialInUse(options.package, options.credential),
			workflow: base,
			mode: run.mode,
			executionId,
			instanceUrl: host.url,
		});
		withCall(additionalData);
		const nodeType: INodeType = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		const webhookDescription = nodeType.description.webhooks?.find(
			({ restartWebhook, httpMethod, path }) => restartWebhook === true && httpMethod === 'POST' && path === suffix,
		);
		if (!webhookDescription) return undefined;
		const webhookData: IWebhookData = {
			httpMethod: 'POST',
			node: last,
			path: suffix,
			webhookDescription,
			workflowId: base.id,
			workflowExecuteAdditionalData: additionalData,
		};
		const context = new WebhookContext(workflow, node, additionalData, run.mode, webhookData, [], from);
		return { from, context, nodeType };
	};

	/** Calls at work, with the executions that they let go on. */
	const received = new Set<Promise<unknown>>();
	const server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			const receiving: Promise<unknown> = receive(request, response, Buffer.concat(parts)).finally(() =>
				received.delete(receiving),
			);
			received.add(receiving);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

	const rowOf = (id: string): Row => {
		const row = rows.get(id);
		if (!row) throw new Error(`There is no execution ${id}.`);
		return row;
	};

	const begin = (options: RunOptions): string => {
		const executionId = options.executionId ?? `9${nextId++}`;
		let tellEnd: Row['tellEnd'] = () => undefined;
		const ended = new Promise<Execution>((resolve) => {
			tellEnd = resolve;
		});
		rows.set(executionId, { status: 'running', execution: undefined, options, ended, tellEnd });
		return executionId;
	};

	const host: WaitingHost = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		calls: [],
		async run(options) {
			const executionId = begin(options);
			return settle(executionId, await runWorkflow({ ...options, executionId, instanceUrl: host.url }));
		},
		ended: async (id) => await rowOf(id).ended,
		async retry(failed, options = rowOf(failed.executionId).options) {
			const executionId = begin(options);
			const again = { ...options, executionId, instanceUrl: host.url };
			return settle(executionId, await retryFromStored(failed, again));
		},
		waiting(id) {
			const { status, execution } = rowOf(id);
			return status === 'waiting' ? execution : undefined;
		},
		listedAsWaiting(execution) {
			Object.assign(rowOf(execution.executionId), { status: 'waiting', execution });
		},
		restarted(id, options, ownCallHeader) {
			Object.assign(rowOf(id), { options, deafTo: ownCallHeader });
		},
		async timeIsUp(id) {
			const row = rowOf(id);
			if (!row.execution) throw new Error(`The execution ${id} does not wait.`);
			row.status = 'running';
			const options = { ...row.options, instanceUrl: host.url };
			return settle(id, await resumeWaiting(row.execution, options));
		},
		stopWaiting(id) {
			const { execution } = rowOf(id);
			if (!execution) throw new Error(`The execution ${id} does not wait.`);
			execution.error = new ManualExecutionCancelledError(id);
			execution.run.status = 'canceled';
			settle(id, execution);
		},
		async stop() {
			await new Promise((resolve) => {
				server.close(resolve);
				server.closeAllConnections();
			});
			await Promise.allSettled(received);
		},
	};
	return host;
}
