import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { surroundingsOf } from './additionalData.ts';
import type { CredentialInUse } from './credentials.ts';
import type { BuiltPackage } from './loadedPackage.ts';
import { HookContext, NodeHelpers, WebhookContext, Workflow } from './n8n.ts';
import { nodeTypesOf } from './nodeTypes.ts';

export interface WebhookNodeOptions {
	package: BuiltPackage;
	/** Full type name, for example `n8n-nodes-web-data.webDataTrigger`. */
	type: string;
	parameters: INodeParameters;
	credential: CredentialInUse;
	/** What an earlier one had in its static data. */
	/** Active from the start: in a process of n8n that did not activate it. */
	isActive?: boolean;
	staticData?: IDataObject;
	/** Names the node and its address. Default: `hook`. */
	webhookId?: string;
	/** Default: 1. */
	typeVersion?: number;
}

/** An execution that a call has started, or the error that it failed with. */
interface StartedExecution {
	isTest: boolean;
	items: INodeExecutionData[];
	error?: unknown;
}

/** A node with a webhook in a workflow of its own, with the addresses that n8n gives it. */
export interface WebhookNode {
	/** Address of the server that stands for n8n. */
	url: string;
	/** Where the service calls the active workflow. */
	webhookUrl: string;
	webhookTestUrl: string;
	parameters: INodeParameters;
	/** The node's static data as n8n has stored it. */
	stored(): IDataObject;
	executions: StartedExecution[];
	/** As n8n does it when a workflow is activated and at each of its starts: checkExists, then create if false. */
	activate(): Promise<void>;
	deactivate(): Promise<void>;
	/** "Listen for test event", and its end. */
	listen(): Promise<void>;
	stopListening(): Promise<void>;
	/** Loses what is stored, as a new database does. */
	forget(): void;
	/** Puts back what was stored at another time, as when n8n is killed then. */
	restore(staticData: IDataObject): void;
	stop(): Promise<void>;
}

const NODE = 'Trigger';

/**
 * Stands where n8n's ActiveWorkflowManager, LiveWebhooks and TestWebhooks stand (packages/cli/src/webhooks,
 * n8n 2.40), with n8n-core's own contexts: which hook is called when, which static data it sees, and when that
 * is stored. A call finds no workflow when it is not active, and gets a 404.
 */
export async function startWebhookNode(options: WebhookNodeOptions): Promise<WebhookNode> {
	const nodeTypes = nodeTypesOf(options.package);
	const workflowId: string = randomUUID();
	let stored: IDataObject = { ...options.staticData };
	let testData: IDataObject | undefined;
	let { isActive = false } = options;
	const executions: StartedExecution[] = [];
	const own: INodeParameters = options.parameters;
	let baseUrl = '';

	const node = (): INode => ({
		id: 'node',
		name: NODE,
		type: options.type,
		typeVersion: options.typeVersion ?? 1,
		position: [0, 0],
		parameters: host.parameters,
		webhookId: options.webhookId ?? 'hook',
		credentials: { [options.credential.type]: { id: '1', name: 'Credential' } },
	});

	const build = (data: IDataObject, isTest: boolean, mode: WorkflowExecuteMode) => {
		const workflow = new Workflow({
			id: workflowId,
			name: 'Test',
			nodes: [node()],
			connections: {},
			active: !isTest,
			nodeTypes,
			staticData: { [`node:${NODE}`]: structuredClone(data) },
			settings: { executionOrder: 'v1' },
		});
		const { data: surroundings } = surroundingsOf({
			package: options.package,
			credential: options.credential,
			workflow: { ...workflow, id: workflowId } as never,
			mode,
			executionId: '',
		});
		const additionalData: IWorkflowExecuteAdditionalData = {
			...surroundings,
			webhookBaseUrl: `${baseUrl}/webhook`,
			webhookTestBaseUrl: `${baseUrl}/webhook-test`,
		};
		const own = workflow.getNode(NODE);
		if (!own) throw new Error('The workflow has lost its node.');
		const nodeType: INodeType = nodeTypes.getByNameAndVersion(options.type, 1);
		const [webhookDescription] = nodeType.description.webhooks ?? [];
		if (!webhookDescription) throw new Error(`${options.type} has no webhook.`);
		const webhookData: IWebhookData = {
			httpMethod: 'POST',
			node: NODE,
			path: NodeHelpers.getNodeWebhookPath(workflowId, own, webhookDescription.path),
			webhookDescription,
			workflowId,
			workflowExecuteAdditionalData: additionalData,
			isTest,
		};
		return { workflow, own, additionalData, webhookData, nodeType };
	};

	/** As it comes back from the database. */
	const dataOf = (workflow: InstanceType<typeof Workflow>): IDataObject =>
		JSON.parse(JSON.stringify(workflow.staticData[`node:${NODE}`] ?? {})) as IDataObject;

	/** Runs one of the node's hooks and gives the static data after it. */
	const hook = async (
		name: 'checkExists' | 'create' | 'delete',
		given: { data: IDataObject; isTest: boolean; mode: WorkflowExecuteMode },
	): Promise<{ result: boolean; data: IDataObject }> => {
		const { workflow, own, additionalData, webhookData, nodeType } = build(given.data, given.isTest, given.mode);
		const activation = given.isTest ? 'manual' : 'activate';
		const context = new HookContext(workflow, own, additionalData, given.mode, activation, webhookData);
		const method = nodeType.webhookMethods?.default?.[name];
		if (!method) throw new Error(`${options.type} has no ${name}.`);
		const result = await method.call(context);
		return { result, data: dataOf(workflow) };
	};

	const register = async (data: IDataObject, isTest: boolean): Promise<IDataObject> => {
		const mode = isTest ? 'manual' : 'trigger';
		const found = await hook('checkExists', { data, isTest, mode });
		if (found.result) return found.data;
		return (await hook('create', { data: found.data, isTest, mode })).data;
	};

	const receive = async (request: IncomingMessage, response: ServerResponse, rawBody: Buffer): Promise<void> => {
		const isTest = request.url?.startsWith('/webhook-test/') === true;
		if (isTest ? testData === undefined : !isActive) {
			response.writeHead(404).end();
			return;
		}
		const answering = Object.assign(response, {
			status(code: number) {
				response.statusCode = code;
				return answering;
			},
			json(body: unknown) {
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(body));
				return answering;
			},
		});
		const mode = isTest ? 'manual' : 'webhook';
		const built = build(isTest ? (testData ?? {}) : stored, isTest, mode);
		const { workflow, own, additionalData, webhookData, nodeType } = built;
		additionalData.httpRequest = Object.assign(request, { rawBody, body: {} }) as never;
		additionalData.httpResponse = answering as never;
		const context = new WebhookContext(workflow, own, additionalData, mode, webhookData, [], null);
		try {
			const result: IWebhookResponseData | undefined = await nodeType.webhook?.call(context);
			// As LiveWebhooks does it: after the node's webhook(), unless n8n itself starts an execution first.
			if (!isTest && result?.noWebhookResponse) stored = dataOf(workflow);
			if (result?.workflowData) {
				executions.push({ isTest, items: result.workflowData.flat() });
				if (isTest) await host.stopListening();
			}
			if (!response.writableEnded) answering.status(200).json({ message: 'Webhook call received' });
		} catch (error) {
			executions.push({ isTest, items: [], error });
			if (!response.writableEnded) answering.status(500).json({});
		}
	};

	const server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => void receive(request, response, Buffer.concat(parts)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	const host: WebhookNode = {
		url: baseUrl,
		webhookUrl: '',
		webhookTestUrl: '',
		parameters: own,
		stored: () => stored,
		executions,
		async activate() {
			stored = await register(stored, false);
			isActive = true;
		},
		async deactivate() {
			stored = (await hook('delete', { data: stored, isTest: false, mode: 'internal' })).data;
			isActive = false;
		},
		async listen() {
			testData = {};
			testData = await register({}, true).catch((error: unknown) => {
				testData = undefined;
				throw error;
			});
		},
		async stopListening() {
			const data = testData ?? {};
			testData = undefined;
			await hook('delete', { data, isTest: true, mode: 'internal' });
		},
		forget() {
			stored = {};
		},
		restore(staticData) {
			stored = structuredClone(staticData);
		},
		async stop() {
			await new Promise((resolve) => {
				server.close(resolve);
				server.closeAllConnections();
			});
		},
	};
	const { webhookData } = build({}, false, 'trigger');
	host.webhookUrl = `${baseUrl}/webhook/${webhookData.path}`;
	host.webhookTestUrl = `${baseUrl}/webhook-test/${webhookData.path}`;
	return host;
}
