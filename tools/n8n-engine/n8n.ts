/**
 * The one door to n8n's own code. Two reasons:
 * - environment.ts has to run before n8n-core is loaded.
 * - n8n-workflow 2.41 ships twice, as ES modules and as CommonJS. n8n-core and every loaded node get
 *   the CommonJS copy; taking the same copy here keeps one logger and one set of error classes.
 */
import './environment.ts';
import * as commonJsCopy from 'n8n-workflow/dist/cjs/index.js';
import type * as N8nWorkflow from 'n8n-workflow';

// Both come with n8n-core: where it finds its services, and one of them.
export { Logger } from '@n8n/backend-common';
export { Container } from '@n8n/di';
export {
	BinaryDataConfig,
	BinaryDataService,
	DataDeduplicationService,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	HookContext,
	LoadOptionsContext,
	PackageDirectoryLoader,
	PollContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';

// The two copies declare the same types twice; TypeScript knows n8n-core's by the first name only.
const n8nWorkflow = commonJsCopy as unknown as typeof N8nWorkflow;

export const {
	createRunExecutionData,
	ICredentialsHelper,
	ManualExecutionCancelledError,
	migrateRunExecutionData,
	NodeConnectionTypes,
	NodeHelpers,
	Workflow,
} = n8nWorkflow;
